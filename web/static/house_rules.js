// The house-rule card: what this table plays, most important first.
import { h } from "./dom.js";

export function houseRules(card) {
  const matters = (r) => r.impact === "high" || r.value !== r.default;
  const list = (some) =>
    h(
      "dl",
      { class: "rules" },
      some.map((r) => [
        h("dt", {}, r.question, r.value !== r.default && h("span", { class: "tag changed" }, "this table's own")),
        h("dd", {}, r.value === "ask" ? "Not decided yet: the table will be asked when it matters." : r.values[r.value]),
      ]),
    );
  const rest = card.filter((r) => !matters(r));
  return [
    list(card.filter(matters)),
    rest.length > 0 && h("details", { "data-key": "rest of the card" }, h("summary", {}, `${rest.length} more`), list(rest)),
  ];
}
