// The evening: its games in a line each, who threw what in all of them, and the rules that refused most.
import { get } from "./api.js";
import { plot } from "./dice.js";
import { h, seatBadge, show, spoken } from "./dom.js";

const times = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** `onGame` gets the number of the game that is to be seen. */
export async function drawEvening(box, onGame) {
  const told = await get("/api/evening");
  if (!told.ok) return;
  show(box, [told.games, told.seats, told.rules], () =>
    told.games.length > 0 && [h("h2", {}, "The evening"), games(told.games, onGame), luck(told.seats), rules(told.rules)],
  );
}

const games = (list, onGame) =>
  h(
    "ul",
    { class: "plainlist lines" },
    list.map((game) =>
      h(
        "li",
        {},
        h("button", { class: "plain", "data-key": `game ${game.number}`, onclick: () => onGame(game.number) }, `${game.number}. ${game.title}`),
        h("div", {}, ended(game)),
        h("div", { class: "soft" }, counted(game)),
      ),
    ),
  );

function ended({ state, result }) {
  if (state === "running") return "It is being played.";
  if (state === "abandoned") return `Ended early${result ? `: ${result}` : ""}.`;
  return result || "It is over.";
}

const counted = ({ moves, rolls, refused, taken_back: back }) =>
  [
    times(moves, "move", "moves"),
    times(rolls, "roll", "rolls"),
    refused && `${refused} refused`,
    back && times(back, "take-back", "take-backs"),
  ]
    .filter(Boolean)
    .join(", ");

const luck = (seats) =>
  seats.length > 0 &&
  h(
    "details",
    { "data-key": "evening's luck" },
    h("summary", {}, "Luck ledger of the evening"),
    seats.map(({ seat, counts, dice, mean }) => [
      h("h3", { class: "seat" }, seatBadge(seat, spoken(seat)), spoken(seat)),
      h("p", {}, `${times(dice, "die", "dice")}, ${mean.toFixed(2)} on average (fair dice: 3.50).`),
      plot(counts, spoken(seat)),
    ]),
  );

const rules = (list) =>
  list.length > 0 &&
  h(
    "details",
    { "data-key": "evening's rules" },
    h("summary", {}, "Rules that were in the way"),
    list.map(({ game, rule, times: count, text }) =>
      h(
        "p",
        { class: "rule" },
        h("b", {}, h("a", { href: `/rulebook?game=${encodeURIComponent(game)}#${encodeURIComponent(rule)}` }, rule)),
        ` ${times(count, "time", "times")}. ${text}`,
      ),
    ),
  );
