// Before the first move, and when a saved game goes on: does all stand right? The camera ticks off what it sees; without one, people do.
import { capital, h, show, spoken } from "./dom.js";

const ticked = new Set(); // by hand, on this phone
let ticksOf = 0; // the game that they belong to

/** `onRight`: whoever may say that all stands right (the host). `compact`: folded, for a page that shows more important things. */
export function drawSetUp(box, now, { onRight = null, compact = false } = {}) {
  const check = now.set_up;
  if (ticksOf !== now.game?.number) {
    ticked.clear();
    ticksOf = now.game?.number;
  }
  const facts = check && now.game ? [check, now.layout, now.platform, Boolean(onRight), compact] : null;
  const redraw = () => {
    box.shown = undefined;
    drawSetUp(box, now, { onRight, compact });
  };
  show(box, facts, () => facts && (compact ? folded(check, now) : [h("h2", {}, "Does all stand right?"), ...whole(check, now, redraw), right(onRight)]));
}

const right = (onRight) => onRight && h("button", { class: "main wide", "data-key": "all right", onclick: onRight }, "All stands right");

function folded(check, now) {
  const spaces = groups(now);
  const bad = spaces.filter((each) => state(each.space, check) !== "right").length;
  const title =
    check.by === "hand" ? "Set up the board: what stands where" : check.looked ? `Setting up: ${spaces.length - bad} of ${spaces.length} spaces stand right` : "Setting up: the camera is looking";
  return h("details", { class: "card", "data-key": "set up" }, h("summary", {}, title), ...whole(check, now));
}

function whole(check, now, redraw = null) {
  const spaces = groups(now);
  return [
    check.by === "hand"
      ? h("p", {}, redraw ? "Tick off what stands on the real board." : "This is how the real board should stand.")
      : check.looked
        ? check.todo.length > 0 && h("ul", { class: "plainlist todo" }, check.todo.map((text) => h("li", {}, text)))
        : h("p", {}, now.must_agree.length ? "The camera looks as soon as everybody has agreed to the house rules." : "The camera is looking…"),
    now.platform !== null && h("p", {}, `The platform's arrow points at ${now.platform}.`),
    h(
      "ul",
      { class: "ticks" },
      spaces.map(({ space, pieces }) => (check.by === "hand" && redraw ? byHand(space, pieces, redraw) : seen(space, pieces, check))),
    ),
    spaces.length === 0 && h("p", {}, "The board is empty at the start."),
  ];
}

/** What stands on each space, in the order of the layout. */
function groups(now) {
  const out = new Map();
  for (const piece of now.layout) {
    const name = spoken(piece.piece) + (piece.face ? ` (${piece.face})` : "");
    out.set(piece.space, [...(out.get(piece.space) ?? []), name]);
  }
  return [...out].map(([space, pieces]) => ({ space, pieces: counted(pieces) }));
}

function counted(names) {
  const out = new Map();
  for (const name of names) out.set(name, (out.get(name) ?? 0) + 1);
  return [...out].map(([name, number]) => (number > 1 ? `${number} × ${name}` : name)).join(", ");
}

const state = (space, check) =>
  !check.looked ? "unknown" : check.wrong.includes(space) ? "wrong" : check.unseen.includes(space) ? "unseen" : "right";
const SIGN = { right: "✔", wrong: "✖", unseen: "?", unknown: "·" };
const WORD = { right: "stands right", wrong: "missing or wrong", unseen: "cannot be seen well", unknown: "not looked at yet" };

function seen(space, pieces, check) {
  const how = check.by === "hand" ? "unknown" : state(space, check);
  return h(
    "li",
    { class: how },
    h("b", { "aria-hidden": "true" }, check.by === "hand" ? "·" : SIGN[how]),
    h("span", {}, h("b", {}, space), ` ${capital(pieces)}`, check.by === "camera" && h("span", { class: how === "right" ? "unseen" : "soft" }, `, ${WORD[how]}`)),
  );
}

const byHand = (space, pieces, redraw) =>
  h(
    "li",
    {},
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "checkbox",
        "data-key": `tick ${space}`,
        checked: ticked.has(space),
        onchange: (event) => {
          if (event.target.checked) ticked.add(space);
          else ticked.delete(space);
          redraw();
        },
      }),
      h("span", {}, h("b", {}, space), ` ${capital(pieces)}`),
    ),
  );
