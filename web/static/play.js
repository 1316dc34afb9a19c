// Play: whose turn, what is legal, tap a piece, tap a target, confirm.
import { nudge } from "./aloud.js";
import { post } from "./api.js";
import { drawAsked } from "./asked.js";
import { BoardPicture, standing } from "./board.js";
import { pad } from "./dice.js";
import { $, announce, capital, h, seatName, show, spoken } from "./dom.js";
import { drawNews, drawWords } from "./in_words.js";
import { arrived, live } from "./live.js";
import { isHost, isMine, myMoves, myRolls, playsAll } from "./mine.js";
import { drawMoves } from "./move_list.js";
import { drawSetUp } from "./set_up.js";
import { suppose } from "./suppose.js";
import { drawTable } from "./table.js";
import { drawTools } from "./tools.js";
import { verdict } from "./verdict.js";

let now = null; // the snapshot that is shown
let picked = { from: "", options: [], move: null };
let answer = null; // the table's answer to what was done here last
let busy = false; // an answer is awaited; until it is here the page stands still, so that nothing moves under a finger
let later = null; // the newest snapshot that came meanwhile
const MANY_SPACES = 60; // too small for a thumb when the whole board is seen

const board = new BoardPicture($("board"), tapped);
live(draw);

function draw(snapshot) {
  if (busy) {
    later = snapshot;
    return;
  }
  const before = now;
  now = snapshot;
  if (picked.move && !now.legal.some((move) => same(move, picked.move))) picked = nothing();
  if (before && before.version !== now.version && picked.from && !myMoves(now).some((move) => move.from === picked.from))
    picked = nothing();
  drawTable(now, before);
  drawRoll();
  drawBoard();
  drawSetUp($("setup"), now, { compact: true });
  drawAsked(now, act);
  drawPicked();
  drawMoves(now, moveButton);
  drawWords(now);
  drawTools(now, act, () => draw(now));
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
  const due = myRolls(now)[0];
  const count = due ? due.dice.length - now.held.length : 0;
  show(
    $("roll"),
    due ? [due.seat, count, due.optional] : null,
    (facts) =>
      facts && [
        h(
          "button",
          { class: "main big wide", "data-key": "roll", onclick: () => roll(due.seat) },
          `Roll ${count > 1 ? `${count} dice` : "the die"}${playsAll(now) ? ` for ${seatName(now, due.seat)}` : ""}`,
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
  const moves = myMoves(now);
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
  const moves = myMoves(now);
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
    now.legal.find((m) => m.from === picked.from && isMine(now, m.seat)) ?? now.legal.find((m) => isMine(now, m.seat) && (m.to || m.from));
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
  const moves = myMoves(now);
  const facts = picked.move ? ["move", picked.move] : picked.options.length ? ["which", picked.options] : null;
  const drop = h("button", { "data-key": "drop", onclick: () => choose([]) }, "Not this");
  show(
    $("confirm"),
    facts && [...facts, playsAll(now)],
    () =>
      facts &&
      h(
        "div",
        { class: "confirm", role: "group", "aria-label": "Confirm" },
        picked.move
          ? [
              h("p", {}, `${playsAll(now) ? `${seatName(now, picked.move.seat)}: ` : ""}${capital(picked.move.text)}?`),
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
    `${playsAll(now) ? `${seatName(now, move.seat)}: ` : ""}${capital(move.text)}`,
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
        isHost: isHost(now),
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
