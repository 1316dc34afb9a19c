// Play: whose turn, what is legal, tap a piece, tap a target, confirm.
import { nudge, phoneChoices } from "./aloud.js";
import { post } from "./api.js";
import { BoardPicture, standing } from "./board.js";
import { pad } from "./dice.js";
import { $, again, announce, capital, h, seatName, show, spoken, store } from "./dom.js";
import { houseRules } from "./house_rules.js";
import { drawNews, drawWords, ended } from "./in_words.js";
import { arrived, live } from "./live.js";
import { suppose } from "./suppose.js";
import { drawTable } from "./table.js";
import { verdict } from "./verdict.js";

let now = null; // the snapshot that is shown
let picked = { from: "", options: [], move: null };
let answer = null; // the table's answer to what was done here last
let busy = false; // an answer is awaited; until it is here the page stands still, so that nothing moves under a finger
let later = null; // the newest snapshot that came meanwhile
const MANY_SPACES = 60; // too small for a thumb when the whole board is seen

const board = new BoardPicture($("board"), tapped);
live(draw);

// --- who may do what ---

const isHost = () => now.you.role === "host";
const playsAll = () => isHost() && (!now.you.seat || store("plays_all") === "on");
const isMine = (seat) => seat === now.you.seat || playsAll();
const myMoves = () => (now.paused || now.must_agree.length || now.outcome ? [] : now.legal.filter((move) => isMine(move.seat)));
const myRolls = () =>
  now.paused || now.must_agree.length ? [] : now.due.filter((due) => due.what === "roll" && isMine(due.seat));

function draw(snapshot) {
  if (busy) {
    later = snapshot;
    return;
  }
  const before = now;
  now = snapshot;
  if (picked.move && !now.legal.some((move) => same(move, picked.move))) picked = nothing();
  if (before && before.version !== now.version && picked.from && !myMoves().some((move) => move.from === picked.from))
    picked = nothing();
  drawTable(now, before);
  drawRoll();
  drawBoard();
  drawAsk();
  drawPicked();
  drawMoves();
  drawWords(now);
  drawTools();
  drawNews(now);
  document.body.dataset.version = now.version; // for whoever tests: what is shown, and whether the board has come along
  document.body.dataset.board = board.key ?? "";
  const waits = (s) => s && !s.outcome && s.due.some((due) => due.seat === s.you.seat && !due.optional);
  if (waits(now) && before && !waits(before)) nudge();
}

const nothing = () => ({ from: "", options: [], move: null });
const same = (a, b) => ["seat", "do", "piece", "from", "to", "detail"].every((field) => a[field] === b[field]);

// --- rolls and the board ---

function drawRoll() {
  const due = myRolls()[0];
  const count = due ? due.dice.length - now.held.length : 0;
  show(
    $("roll"),
    due ? [due.seat, count, due.optional] : null,
    (facts) =>
      facts && [
        h(
          "button",
          { class: "main big wide", "data-key": "roll", onclick: () => roll(due.seat) },
          `Roll ${count > 1 ? `${count} dice` : "the die"}${playsAll() ? ` for ${seatName(now, due.seat)}` : ""}`,
        ),
        h(
          "details",
          { "data-key": "typed" },
          h("summary", {}, "I rolled real dice"),
          pad(count, (faces) => roll(due.seat, faces)),
        ),
      ],
  );
}

async function roll(seat, faces) {
  await act(() => post("/api/roll", { ...(faces ? { faces } : {}), seat, seen: now.version }));
}

function drawBoard() {
  $("board").hidden = !now.game;
  if (!now.game) return;
  const key = JSON.stringify([now.game.number, now.layout, now.platform]);
  if (key !== board.key) {
    board.key = key;
    board.load(`/api/board.svg?version=${now.version}`).then((worked) => {
      if (!worked) board.key = null;
      else if (now.game) mark();
      if (worked && board.key === key) $("board").dataset.shows = key;
      $("near").hidden = (board.svg?.querySelectorAll("[data-space]").length ?? 0) < MANY_SPACES;
    });
  }
  mark();
}

function mark() {
  const moves = myMoves();
  const onBoard = (id) => id && board.has(id);
  const from = [...new Set(moves.map((m) => m.from).filter(onBoard))];
  const direct = moves.filter((m) => m.to && !onBoard(m.from)).map((m) => m.to);
  const targets = picked.from ? moves.filter((m) => m.from === picked.from).map((m) => m.to) : direct;
  const marks = picked.move
    ? { picked: picked.move.from, goal: picked.move.to }
    : { from: picked.from ? [] : from, to: [...new Set(targets)], picked: picked.from };
  board.mark(marks, standing(now.layout, now.game?.piece_names));
  show($("key"), [from.length > 0, targets.length > 0, picked.from, Boolean(picked.move)], () =>
    (from.length || targets.length) && !picked.move
      ? [
          picked.from
            ? "Now tap a target (orange, with a dot)."
            : from.length
              ? "Tap a piece with a dashed blue frame, then its target."
              : "Tap a target (orange, with a dot).",
        ]
      : [],
  );
}

/** A board of a hundred spaces is small on a phone: near, it is more than twice as large, and scrolls. */
$("near").addEventListener("click", () => {
  const near = $("board").classList.toggle("near");
  $("near").setAttribute("aria-pressed", near);
  $("near").textContent = near ? "Whole board" : "Zoom";
  if (near) board.svg?.querySelector(".can")?.scrollIntoView({ block: "center", inline: "center" });
});

// --- choosing a move ---

function tapped(space) {
  const moves = myMoves();
  if (picked.from && !picked.move) {
    const there = moves.filter((m) => m.from === picked.from && m.to === space);
    if (there.length) return choose(there);
    if (space === picked.from) return choose([]);
  }
  const starts = moves.filter((m) => m.from === space);
  const direct = moves.filter((m) => m.to === space && !board.has(m.from));
  if (starts.length) {
    picked = { ...nothing(), from: space };
    if (starts.every((m) => !m.to)) return choose(starts, space);
    announce(`${starts[0].piece ? spoken(starts[0].piece) : space} chosen. ${starts.length} targets.`);
    return drawChoice();
  }
  if (direct.length) return choose(direct);
  return tryAnyway(space);
}

/** A tap on what is not legal is asked about, never ignored: the referee says why not. */
async function tryAnyway(space) {
  const like =
    now.legal.find((m) => m.from === picked.from && isMine(m.seat)) ?? now.legal.find((m) => isMine(m.seat) && (m.to || m.from));
  if (!like || !now.game) return;
  const stands = now.layout.find((piece) => piece.space === (picked.from || space));
  if (!picked.from && like.from) {
    answer = {
      status: "refused",
      why: [
        stands
          ? `The ${stands.piece.replaceAll("-", " ")} on ${space} cannot be moved now.`
          : `Nothing can be done with ${space} now.`,
      ],
    };
    return drawAnswer();
  }
  answer = await suppose(plain({ ...like, to: space }));
  drawAnswer();
}

function choose(moves, from = picked.from) {
  picked =
    moves.length === 1
      ? { from: moves[0].from, options: [], move: moves[0] }
      : { from: moves.length ? from : "", options: moves, move: null };
  answer = null;
  drawChoice();
  if (picked.move || picked.options.length) $("confirm").querySelector("button")?.focus();
}

function drawChoice() {
  mark();
  drawPicked();
  drawAnswer();
}

function drawPicked() {
  const moves = myMoves();
  const facts = picked.move ? ["move", picked.move] : picked.options.length ? ["which", picked.options] : null;
  const drop = h("button", { "data-key": "drop", onclick: () => choose([]) }, "Not this");
  show(
    $("confirm"),
    facts && [...facts, playsAll()],
    () =>
      facts &&
      h(
        "div",
        { class: "confirm", role: "group", "aria-label": "Confirm" },
        picked.move
          ? [
              h("p", {}, `${playsAll() ? `${seatName(now, picked.move.seat)}: ` : ""}${capital(picked.move.text)}?`),
              h("div", { class: "row" }, h("button", { class: "main big", "data-key": "do", onclick: doIt }, "Do it"), drop),
            ]
          : [
              h("p", {}, "Which?"),
              h(
                "ul",
                { class: "choices" },
                picked.options.map((m) => h("li", {}, moveButton(m))),
              ),
              drop,
            ],
      ),
  );
  $("confirm").hidden = !facts || (!moves.length && !busy);
}

const moveButton = (move) =>
  h(
    "button",
    { "data-key": `move ${move.seat} ${move.notation ?? move.text}`, onclick: () => choose([move]) },
    `${playsAll() ? `${seatName(now, move.seat)}: ` : ""}${capital(move.text)}`,
  );

const plain = ({ seat, do: what, piece, from, to, detail }) =>
  Object.fromEntries(Object.entries({ seat, do: what, piece, from, to, detail }).filter(([, value]) => value));

async function doIt() {
  const move = picked.move;
  if (!move) return;
  await act(() => post("/api/act", { kind: "played", seen: now.version, event: plain(move) }));
}

/** Ask the table once, show its answer, and look again if somebody was quicker. */
async function act(ask) {
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    answer = arrived(await ask());
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
  if (answer.ok || answer.status === "stale") picked = nothing();
  if (later) draw(later);
  later = null;
  drawChoice();
  if (document.activeElement === document.body) $("main").focus({ preventScroll: true }); // its button is gone
}

function drawAnswer() {
  show(
    $("answer"),
    answer && [answer.status, answer.why, answer.steps, answer.citations, answer.ok],
    () =>
      answer &&
      verdict(answer, {
        game: now.game?.name,
        quiet: true,
        isHost: isHost(),
        vote: now.you.seat
          ? (reading, value) =>
              act(() => post("/api/act", { kind: "voted", seat: now.you.seat, reading, value, seen: now.version }))
          : null,
        onClose: () => {
          answer = null;
          drawAnswer();
        },
      }),
  );
}

// --- house rules, votes, the end ---

// What the camera says or asks; whoever sits at the table may answer.
function observed({ text, choices, pictures, citations }) {
  const mayAnswer = Boolean(now.you.seat) || isHost();
  return h(
    "section",
    { class: "note ask" },
    h("h2", {}, "The camera"),
    h("p", {}, text, citations.length > 0 && ` (${citations.join(", ")})`),
    choices.length > 0 &&
      h(
        "ul",
        { class: "choices" },
        choices.map((choice, number) =>
          h(
            "li",
            {},
            mayAnswer
              ? h("button", { "data-key": `choose ${number}`, onclick: () => act(() => post("/api/choose", { choice: number, text })) }, choice)
              : choice,
          ),
        ),
      ),
    mayAnswer &&
      pictures.map((name, number) =>
        h("img", { class: "seen", src: `/api/picture/${encodeURIComponent(name)}`, alt: number ? "After" : "Before", loading: "lazy" }),
      ),
  );
}

function drawAsk() {
  const seat = now.you.seat;
  const open = now.card.filter((r) => now.votes.some((v) => v.reading === r.name));
  const must = now.must_agree.filter((s) => isMine(s));
  show($("camera"), now.observed && [now.observed, Boolean(seat) || isHost()], (facts) => facts && observed(now.observed));
  show($("ask"), [must, now.must_agree.length ? now.card : [], open, now.votes, now.outcome, now.paused, isHost()], () => [
    now.outcome && ended(now),
    now.must_agree.length > 0 &&
      h(
        "section",
        { class: "card" },
        h("h2", {}, "House rules of this table"),
        houseRules(now.card),
        must.length > 0 &&
          h(
            "div",
            { class: "confirm" },
            must.map((s) =>
              h(
                "button",
                {
                  class: "main big wide",
                  "data-key": `agree ${s}`,
                  onclick: () => act(() => post("/api/act", { kind: "agreed", seat: s, seen: now.version })),
                },
                playsAll() ? `${seatName(now, s)} agrees` : "I agree",
              ),
            ),
          ),
      ),
    open.map((reading) =>
      h(
        "section",
        { class: "note ask" },
        h("h2", {}, "A vote"),
        h("p", {}, reading.question),
        h(
          "ul",
          { class: "choices" },
          Object.entries(reading.values).map(([value, meaning]) =>
            h(
              "li",
              {},
              seat || isHost()
                ? h("button", { "data-key": `vote ${value}`, onclick: () => vote(reading.name, value) }, meaning)
                : meaning,
            ),
          ),
        ),
        h(
          "p",
          {},
          "Voted: ",
          now.votes
            .filter((v) => v.reading === reading.name)
            .map((v) => `${seatName(now, v.seat)} for “${reading.values[v.value]}”`)
            .join("; "),
        ),
      ),
    ),
    now.paused &&
      isHost() &&
      h(
        "button",
        { class: "main big wide", onclick: () => act(() => post("/api/act", { kind: "paused", on: false, seen: now.version })) },
        "Go on",
      ),
  ]);
}

const vote = (reading, value) =>
  act(() =>
    post("/api/act", {
      ...(now.you.seat ? { kind: "voted", seat: now.you.seat } : { kind: "decided" }),
      reading,
      value,
      seen: now.version,
    }),
  );

// --- in words ---

function drawMoves() {
  const moves = myMoves();
  show($("moves"), [moves, playsAll()], () => {
    if (!moves.length) return [];
    const loose = moves.filter((m) => !m.to && !m.from);
    const groups = Map.groupBy
      ? Map.groupBy(
          moves.filter((m) => m.to || m.from),
          group,
        )
      : grouped(moves.filter((m) => m.to || m.from));
    const few = moves.length <= 8;
    const list = (some) =>
      h(
        "ul",
        { class: "choices" },
        some.map((m) => h("li", {}, moveButton(m))),
      );
    return h(
      "div",
      { class: "card" },
      h("h2", {}, moves.length === 1 ? "One legal move" : `${moves.length} legal moves`),
      loose.length > 0 && list(loose),
      few
        ? list(moves.filter((m) => m.to || m.from))
        : [...groups].map(([name, some]) =>
            h("details", { "data-key": name }, h("summary", {}, `${name} (${some.length})`), list(some)),
          ),
    );
  });
}

const group = (move) =>
  `${playsAll() ? `${seatName(now, move.seat)}: ` : ""}${move.piece ? spoken(move.piece) : spoken(move.do)}${move.from ? ` on ${move.from}` : ""}`;

function grouped(moves) {
  const out = new Map();
  for (const move of moves) out.set(group(move), [...(out.get(group(move)) ?? []), move]);
  return out;
}

function drawTools() {
  const last = now.record.at(-1);
  const own = last && last.kind === "played" && !last.roll.length && (last.seat === now.you.seat || isHost());
  show($("tools"), [now.game?.number, own && last.number, own && last.text, isHost(), now.you.seat, now.you.role], () => [
    now.game &&
      !now.you.seat &&
      !isHost() &&
      h("p", { class: "note ask" }, "You are watching. ", h("a", { href: "/join" }, "Take a seat")),
    own && h("button", { class: "wide", "data-key": "back", onclick: takeBack }, `Take back: ${last.text}`),
    h(
      "details",
      { class: "card", "data-key": "choices" },
      h("summary", {}, "This phone: colours, type, speech"),
      isHost() &&
        now.you.seat &&
        h(
          "label",
          { class: "choice" },
          h("input", {
            type: "checkbox",
            checked: store("plays_all") === "on",
            onchange: (event) => {
              store("plays_all", event.target.checked ? "on" : null);
              again($("tools"));
              draw(now);
            },
          }),
          "I move for every seat",
        ),
      phoneChoices(),
    ),
  ]);
}

const takeBack = () => act(() => post("/api/act", { kind: "took_back", to: now.record.at(-1).number, seen: now.version }));
