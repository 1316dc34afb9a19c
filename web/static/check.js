// Check a rule: a position, a roll, a move tried by tapping or picking; the verdict with its rule. No game need run.
import { get, post } from "./api.js";
import { Arranger } from "./arrange.js";
import { Attempt } from "./attempt.js";
import { BoardPicture } from "./board.js";
import { challenge, drawChallenge } from "./challenge.js";
import { $, h, show } from "./dom.js";
import { live } from "./live.js";
import { verdict } from "./verdict.js";

const asked = new URLSearchParams(location.search);
const board = new BoardPicture($("board"), (space) => busy || attempt.tapped(space));
const attempt = new Attempt($("try"), board, ask);
let games = [];
let now = null; // the running table, if there is one
let start = null; // terms and position that the attempts begin with
let tried = []; // attempts that were legal: {attempt, text}
let here = null; // where they lead: position, due, legal, forms
let busy = false;

live((snapshot) => {
  const first = !now;
  now = snapshot;
  $("from").querySelector("[value=present]").hidden = !now.game;
  $("from").querySelector("[value=camera]").hidden = !now.camera || !(now.you.seat || now.you.role === "host");
  if (first) open();
  drawChallenge(now);
});

async function open() {
  games = (await get("/api/games")).list ?? [];
  const wanted = asked.get("game") ?? now.game?.name;
  if (games.some((g) => g.name === wanted)) $("game").value = wanted;
  if (now.game && !asked.get("game")) $("from").value = "present";
  fillVariants();
  await begin();
  if (asked.get("was")) challenge(now, Number(asked.get("was")), asked.get("game_number"));
}

// --- the position to begin with ---

const game = () => games.find((g) => g.name === $("game").value);
const option = (value, text) => h("option", { value }, text);

function fillVariants() {
  if (!game()) return;
  $("variant").replaceChildren(...game().variants.map((v) => option(v.name, v.title)));
  fillPlayers();
}

function fillPlayers() {
  const variant = game().variants.find((v) => v.name === $("variant").value);
  $("players").replaceChildren(...variant.players.map((n) => option(n, `${n} players`)));
  $("who-plays").hidden = $("from").value !== "set-up" || (game().variants.length < 2 && variant.players.length < 2);
}

$("game").addEventListener("change", () => {
  if ($("from").value !== "pasted") $("from").value = "set-up";
  $("from").querySelector("[value=by-hand]").hidden = true;
  fillVariants();
  begin();
});
$("variant").addEventListener("change", () => {
  fillPlayers();
  begin();
});
$("players").addEventListener("change", begin);
$("from").addEventListener("change", () => {
  $("paste").hidden = $("from").value !== "pasted";
  fillPlayers();
  if ($("from").value !== "pasted") begin();
});
$("which").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});

function begin() {
  return standStill(fromStart);
}

async function fromStart() {
  leaveArranging();
  tried = [];
  $("verdict").replaceChildren();
  $("paste").hidden = $("from").value !== "pasted";
  if ($("from").value === "by-hand") return look();
  if ($("from").value === "camera") return takeSighting();
  if ($("from").value === "present") {
    const { game: name, variant, seats, board: sheet, readings, options, position, why } = await get("/api/position");
    if (!position) return tellWrong(why);
    start = { game: name, variant, seats, board: sheet, readings, options, position };
    $("game").value = name;
  } else if ($("from").value === "pasted") {
    try {
      const given = JSON.parse($("position").value);
      start = given.game ? given : { game: $("game").value, position: given.position ?? given };
      delete start.events;
      delete start.format;
    } catch (error) {
      return tellWrong([`This is not JSON: ${error.message}`]);
    }
  } else {
    start = { game: $("game").value, variant: $("variant").value, seats: Number($("players").value) };
  }
  return look();
}

// --- set by hand ---

const arranger = new Arranger($("arrange"), {
  use: "Use this position",
  onUse: (fields, { position }) => {
    start = { ...terms(), position };
    $("from").querySelector("[value=by-hand]").hidden = false;
    $("from").value = "by-hand";
    begin();
  },
  onClose: leaveArranging,
});

/** The camera's position, to be corrected by tapping; what it could not read is named. */
async function takeSighting() {
  start = { game: $("game").value, ...(now.game?.name === $("game").value ? await present() : { variant: $("variant").value, seats: Number($("players").value) }) };
  const begun = await look();
  const { game: name, variant, seats, board: sheet, options } = start;
  const seen = await post("/api/camera/position", clean({ game: name, variant, seats, board: sheet, options }));
  if (!seen.ok) return tellWrong(seen.why);
  const unsure = seen.unsure.map((space) => space.name);
  openArranging("As the camera sees it", () => seen.layout.map((p) => ({ face: "", ...p })), seen.platform);
  $("unsure").replaceChildren(
    h("p", { class: "note ask" }, unsure.length ? `The camera could not read ${unsure.slice(0, 12).join(", ")}${unsure.length > 12 ? ` and ${unsure.length - 12} more` : ""}. Look there, and put it right by tapping.` : "The camera could read every space. Put right by tapping what is wrong."),
  );
  return begun;
}

async function present() {
  const { variant, seats, board: sheet, readings, options, position } = await get("/api/position");
  return position ? { variant, seats, board: sheet, readings, options, position } : {};
}

const terms = () => {
  const { game: name, variant, seats, board: sheet, readings, options } = here;
  return { game: name, variant, seats, board: sheet, readings, options };
};

function leaveArranging() {
  $("unsure").replaceChildren();
  if ($("arrange").hidden) return;
  arranger.close();
  for (const id of ["board", "set", "try", "state"]) $(id).hidden = false;
}

function openArranging(title, moved, platform) {
  for (const id of ["board", "set", "try", "state"]) $(id).hidden = true;
  arranger.open({ ...terms(), position: here.position }, title, moved, platform);
}

$("set").addEventListener("click", () => openArranging("Set the position"));

function tellWrong(why) {
  $("verdict").replaceChildren(verdict({ status: "refused", why }, { quiet: true }));
}

const clean = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const question = (attempts) => clean({ ...start, moves: attempts.length ? attempts : undefined });

/** Where the attempts lead, drawn, with everything that may be tried from there. */
async function look() {
  const after = await post("/api/position?picture=1", question(tried.map((t) => t.attempt)));
  if (!after.ok) return tellWrong(after.why);
  here = after;
  $("board").hidden = $("set").hidden = false;
  board.show(here.svg);
  drawHere();
  return null;
}

function drawHere() {
  const due = here.outcome
    ? here.outcome.text
    : here.due
        .map((d) => d.text)
        .slice(0, 2)
        .join(" ");
  show($("state"), due, () => h("p", { class: "turn" }, due));
  attempt.begin(here);
  show(
    $("path"),
    tried,
    () =>
      tried.length > 0 && [
        h("h2", {}, "Tried so far, all legal"),
        h(
          "ol",
          {},
          tried.map((t) => h("li", {}, t.text)),
        ),
        h(
          "div",
          { class: "row" },
          h(
            "button",
            {
              onclick: () => {
                tried = tried.slice(0, -1);
                $("verdict").replaceChildren();
                standStill(look);
              },
            },
            "One back",
          ),
          h("button", { onclick: begin }, "From the start"),
        ),
      ],
  );
}

/** Trying every reading of the unclear rules may take a second the first time: the page says so, and stands still. */
async function ask(what) {
  if (busy) return;
  $("verdict").replaceChildren(h("p", { class: "note ask" }, "The referee looks it up…"));
  await standStill(() => rule(what));
  $("verdict").scrollIntoView({ block: "nearest" });
}

async function standStill(work) {
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

async function rule(what) {
  const checked = await post("/api/check?picture=1", question([...tried.map((t) => t.attempt), what]));
  const ruling = checked.rulings?.at(-1);
  if (!ruling) return tellWrong(checked.why);
  $("verdict").replaceChildren(verdict(ruling, { game: start.game, vote: voting(ruling) }));
  if (ruling.status !== "accepted") return null;
  tried = [...tried, { attempt: what, text: ruling.text }];
  return look();
}

/** Where the leaflet is silent: about the game that runs, a seat votes; about any other position one sees what a reading would mean. */
function voting(ruling) {
  if (!ruling.readings?.length) return null;
  return async (reading, value) => {
    if ($("from").value === "present" && now.you.seat) {
      const answer = await post("/api/act", { kind: "voted", seat: now.you.seat, reading, value, seen: now.version });
      if (!answer.ok) return tellWrong(answer.why);
    }
    start.readings = { ...start.readings, [reading]: value };
    const { event } = ruling;
    return ask(event);
  };
}

