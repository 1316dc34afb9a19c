// The table in words: the position, what happened last, how the game ended.
import { $, h, seatName, show, spoken } from "./dom.js";
import { lately } from "./table.js";

/** What stands where, for those who hear the page. */
export function drawWords(now) {
  const where = new Map();
  for (const piece of now.layout) {
    const name = spoken(piece.piece) + (piece.face ? `, ${piece.face}` : "");
    where.set(name, [...(where.get(name) ?? []), piece.space]);
  }
  const facts = [...where].sort();
  show(
    $("words"),
    [facts, now.platform],
    () =>
      facts.length > 0 &&
      h(
        "details",
        { class: "card", "data-key": "words" },
        h("summary", {}, "The position in words"),
        h(
          "dl",
          { class: "facts" },
          facts.map(([name, spaces]) => [h("dt", {}, name), h("dd", {}, spaces.join(", "))]),
        ),
        now.platform !== null && h("p", {}, `The platform points at ${now.platform}.`),
      ),
  );
}

/** What happened last. */
export function drawNews(now) {
  const facts = lately(now, 6);
  show(
    $("news"),
    facts,
    () =>
      facts.length > 0 &&
      h(
        "div",
        { class: "card" },
        h("h2", {}, "Just now"),
        h(
          "ul",
          { class: "plainlist lately" },
          facts.map((text) => h("li", {}, text)),
        ),
      ),
  );
}

/** Who won, and why. */
export function ended(now) {
  const scores = Object.entries(now.outcome.scores ?? {});
  return h(
    "section",
    { class: "note good" },
    h(
      "h2",
      {},
      now.outcome.winners.length ? `${now.outcome.winners.map((w) => seatName(now, w)).join(" and ")} won` : "No winner",
    ),
    h("p", {}, now.outcome.text),
    scores.length > 0 &&
      h(
        "table",
        {},
        scores.map(([seat, score]) => h("tr", {}, h("th", { scope: "row" }, seatName(now, seat)), h("td", {}, `${score}`))),
      ),
    h("a", { href: "/record" }, "See the whole game"),
  );
}
