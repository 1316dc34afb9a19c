// The dice announcer: the last roll as large as it goes, every roll before it, and whether the dice are fair.
import { get, post } from "./api.js";
import { diceRow, pad, plot } from "./dice.js";
import { $, h, seatBadge, show } from "./dom.js";
import { arrived, live } from "./live.js";
import { rollWords } from "./table.js";
import { verdict } from "./verdict.js";

let now = null;
let dice = 1;

live((snapshot) => {
  const before = now;
  now = snapshot;
  drawLast(before);
  drawThrow();
  drawDevices();
  if (!before || before.version !== now.version) drawPast();
});

function drawLast(before) {
  const roll = now.last_roll;
  const facts = roll && [roll.faces, roll.seat, roll.counted, now.version];
  const changed = show($("last"), facts, () => (roll ? diceRow(roll.faces) : diceRow([0])));
  $("last").hidden = false;
  if (changed) $("last").classList.toggle("new", Boolean(before));
  const sum = roll?.faces.reduce((a, b) => a + b, 0);
  $("total").textContent = !roll
    ? "No roll yet."
    : roll.faces.length > 1
      ? `${roll.faces.join(" and ")}: ${sum} together`
      : `${sum}`;
  $("about").textContent = roll
    ? `${rollWords(now, roll)} (${sourceWords(roll.source)})`
    : "Press the die's button, type a roll, or let the companion throw.";
}

const sourceWords = (source) => {
  const [kind, name] = source.split(":");
  return (
    {
      phone: "thrown by the companion",
      simulated: "thrown by the companion",
      typed: "read off real dice and typed",
      console: "told at the keyboard",
    }[kind] ?? (kind === "die" ? `electronic die ${name}` : source)
  );
};

function drawThrow() {
  const due = now.due.find((d) => d.what === "roll" && (d.seat === now.you.seat || now.you.role === "host"));
  const count = due ? due.dice.length - now.held.length : dice;
  const facts = [now.game && !due ? "wait" : "throw", count, due?.seat, now.you.guest];
  show($("throw"), facts, () => {
    if (!now.you.guest) return [h("p", {}, "Join the table to roll here."), h("a", { class: "button", href: "/join" }, "Join")];
    if (now.game && !due) return [h("p", { class: "soft" }, "A game is running, and no roll of yours is due now.")];
    return [
      due && h("p", {}, due.text),
      !due &&
        h(
          "label",
          { class: "field" },
          h("span", {}, "How many dice"),
          h(
            "select",
            {
              id: "count",
              onchange: (event) => {
                dice = Number(event.target.value);
                drawThrow();
              },
            },
            [1, 2, 3, 4, 5, 6].map((n) => h("option", { value: n, selected: n === dice }, n === 1 ? "1 die" : `${n} dice`)),
          ),
        ),
      h(
        "button",
        { class: "main big wide", "data-key": "throw", onclick: () => roll(due) },
        count > 1 ? `Throw ${count} dice` : "Throw the die",
      ),
      h(
        "details",
        { "data-key": "typed" },
        h("summary", {}, "I rolled real dice"),
        pad(count, (faces) => roll(due, faces)),
      ),
    ];
  });
}

async function roll(due, faces) {
  const body = { seen: now.version, ...(faces ? { faces } : due ? {} : { dice }), ...(due ? { seat: due.seat } : {}) };
  const answer = arrived(await post("/api/roll", body));
  $("answer").replaceChildren(...[answer.ok ? null : verdict(answer, { quiet: true })].filter(Boolean));
}

async function drawPast() {
  const past = await get("/api/dice");
  if (!past.ok) return;
  show(
    $("history"),
    past.rolls,
    () =>
      past.rolls.length > 0 && [
        h("h2", {}, "Rolls so far"),
        h(
          "ol",
          { class: "rolls", reversed: true },
          past.rolls.toReversed?.().map(rollItem) ?? [...past.rolls].reverse().map(rollItem),
        ),
      ],
  );
  show(
    $("counts"),
    [past.dice, past.seats, past.proof],
    () =>
      (past.dice.length || past.seats.length) && [
        h("h2", {}, "Are the dice fair?"),
        past.dice.map((die) =>
          h(
            "div",
            {},
            h("h3", {}, `${capitalSource(die.die)}: ${die.rolls} ${die.rolls === 1 ? "die" : "dice"}`),
            h("p", {}, die.text),
            plot(die.counts, die.die),
          ),
        ),
        past.dice.length > 0 && h("p", { class: "soft" }, "The dashed line is what a fair die shows on average."),
        past.seats.length > 0 && h("h3", {}, "Luck in this game"),
        past.seats.map((seat) =>
          h(
            "details",
            { "data-key": seat.seat },
            h("summary", {}, seatBadge(seat.seat, seat.name), seat.text),
            seat.rolls > 0 && plot(seat.counts, seat.name),
          ),
        ),
        past.proof && proof(past.proof),
      ],
  );
}

const rollItem = (roll) => h("li", {}, diceRow(roll.faces), h("span", { class: "unseen" }, sourceWords(roll.source)));
const capitalSource = (source) => {
  const words = sourceWords(source);
  return words[0].toUpperCase() + words.slice(1);
};

function proof(told) {
  const good = told.verdict === "proven";
  return h(
    "details",
    { "data-key": "proof" },
    h("summary", {}, `Proof of the last committed roll: ${told.verdict}`),
    h(
      "p",
      {},
      good
        ? "The die fixed its secret before the throw, and what it showed agrees with it."
        : "This is what the die told; anybody can check it.",
    ),
    h(
      "dl",
      { class: "facts" },
      ["source", "faces", "commitment", "nonce", "secret"].map((name) => [
        h("dt", {}, name),
        h("dd", { class: "address" }, `${told[name] ?? ""}`),
      ]),
    ),
  );
}

function drawDevices() {
  show(
    $("devices"),
    now.devices,
    () =>
      now.devices.length > 0 && [
        h("h2", {}, "Dice at this table"),
        h(
          "ul",
          { class: "plainlist" },
          now.devices.map((d) => h("li", {}, d.state || d.source)),
        ),
      ],
  );
}
