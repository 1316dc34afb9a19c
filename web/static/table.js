// What every view of the table shows: who plays, whose turn it is and what is due, and the last roll.
import { diceRow } from "./dice.js";
import { $, h, seatBadge, seatName, show } from "./dom.js";

export function drawTable(now, before) {
  drawPeople(now);
  drawTurn(now);
  drawDice(now, before);
}

function drawPeople(now) {
  const due = new Set(now.due.filter((d) => !d.optional).map((d) => d.seat));
  const facts = now.game
    ? now.players.map((p) => [p.seat, p.name, p.online || p.guest === now.you.guest, due.has(p.seat), p.seat === now.you.seat])
    : [];
  show($("people"), facts, () =>
    facts.map(([seat, name, online, isDue, isMe]) =>
      h(
        "li",
        { class: `seat${isDue ? " due" : ""}${name && !online ? " away" : ""}` },
        seatBadge(seat, seatName(now, seat)),
        `${seatName(now, seat)}${name ? `: ${name}` : ""}${isMe ? " (you)" : ""}${name && !online ? ", away" : ""}`,
      ),
    ),
  );
}

function drawTurn(now) {
  const [first, second] = turnWords(now);
  show($("turn"), [first, second], () => [h("p", { class: "turn" }, first), second && h("p", { class: "turn" }, second)]);
}

/** Whose turn and what is due, in one sentence; and what else is to be known, in another. */
export function turnWords(state) {
  if (!state.game)
    return ["No game is running.", state.you.role === "host" ? "Begin one on the host's page." : "The host begins one."];
  if (state.outcome) return [state.outcome.text, ""];
  if (state.paused) return ["The game is paused.", ""];
  if (state.must_agree.length)
    return [
      "First everybody agrees to the house rules.",
      `Still missing: ${state.must_agree.map((seat) => seatName(state, seat)).join(", ")}.`,
    ];
  const must = state.due.filter((due) => !due.optional);
  const mine = must.find((due) => due.seat === state.you.seat);
  const first = mine ?? must[0] ?? state.due[0];
  if (!first) return ["The game is over.", ""];
  const others = must.filter((due) => due !== first).map((due) => seatName(state, due.seat));
  return [
    mine ? `Your turn: ${toYou(first.text, seatName(state, first.seat))}` : first.text,
    others.length ? `Also due: ${[...new Set(others)].join(", ")}.` : "",
  ];
}

/** "Yellow, throw." is "throw." to Yellow himself. */
const toYou = (text, name) => (text.startsWith(`${name}, `) ? text.slice(name.length + 2) : text);

function drawDice(now, before) {
  const roll = now.last_roll;
  const facts = roll ? [roll.faces, roll.seat, roll.counted, roll.why_not, now.held] : null;
  const changed = show(
    $("dice"),
    facts,
    () => facts && [diceRow(now.held.length ? now.held : roll.faces), h("small", {}, rollWords(now, roll))],
  );
  if (changed) $("dice").classList.toggle("new", Boolean(before));
}

/** What happened last, newest first: the record's own lines, and above them whatever was told urgently just now. */
export function lately(now, most) {
  const urgent = now.news
    .filter((item) => item.urgency === 0 && item.version === now.version && item.kind !== "event")
    .map((item) => item.text);
  const lines = now.record
    .slice(-most)
    .reverse()
    .map((line) => (line.roll.length && line.said ? line.said : `${sentence(line.text)} ${line.said}`.trim()));
  const news = now.game
    ? []
    : now.news
        .filter((item) => !["rule", "prompt"].includes(item.kind))
        .map((item) => item.text)
        .reverse();
  return [...urgent.reverse(), ...lines, ...news].slice(0, most);
}

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

export function rollWords(now, roll) {
  if (roll.counted && roll.seat) return `${seatName(now, roll.seat)} rolled ${roll.faces.join(" and ")}.`;
  return roll.why_not || `The dice show ${roll.faces.join(" and ")}.`;
}
