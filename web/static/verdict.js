// The referee's answer as a note: legal, not legal and by which rule, or not decided by the leaflet.
import { capital, h } from "./dom.js";

export const WORD = { accepted: "Legal", refused: "Not legal", silent: "The leaflet does not decide", stale: "Look again" };
const KIND = { accepted: "good", refused: "bad", silent: "ask", stale: "ask" };

/** `quiet`: after playing, the verdict itself goes without saying; the steps on the real board do not. `isHost`: a refused move may be
 *  let stand. */
export function verdict(answer, { game = "", quiet = false, vote = null, onClose = null, isHost = false } = {}) {
  const status = answer.status ?? (answer.ok ? "accepted" : "refused");
  const steps = answer.steps ?? [];
  const said = [...(answer.why ?? []), ...(quiet ? [] : (answer.said ?? []))];
  if (status === "accepted" && quiet && !steps.length) return null;
  const rules = Object.entries(answer.rules ?? {});
  return h(
    "section",
    { class: `note ${KIND[status] ?? "bad"}`, "data-status": status },
    h(
      "h2",
      {},
      quiet && status === "accepted"
        ? "On the real board"
        : quiet && status === "refused" && !rules.length
          ? "Not now"
          : (WORD[status] ?? "Not possible"),
    ),
    said.map((text) => h("p", {}, capital(text))),
    steps.length > 0 &&
      h(
        "ol",
        { class: "steps" },
        steps.map((step) => h("li", {}, step)),
      ),
    !answer.readings?.length && cited(rules, game, status),
    (answer.readings ?? []).map((reading) => readingChoice(reading, vote)),
    legalInstead(answer),
    isHost && status === "refused" && answer.event && letStand(answer.event),
    onClose && h("button", { class: "plain", onclick: onClose }, "Close"),
  );
}

/** A refusal shows its rules at once; what is legal tells by which rules only to whoever wants to know. */
function cited(rules, game, status) {
  const list = rules.map(([id, text]) => h("p", { class: "rule" }, h("b", {}, ruleLink(game, id)), " ", text));
  if (status !== "accepted" || !list.length) return list;
  return h("details", {}, h("summary", {}, list.length === 1 ? "By one rule" : `By ${list.length} rules`), list);
}

const ruleLink = (game, id) =>
  game ? h("a", { href: `/rulebook?game=${encodeURIComponent(game)}#${encodeURIComponent(id)}` }, id) : id;

function readingChoice(reading, vote) {
  return h(
    "div",
    {},
    h("h3", {}, reading.question),
    h(
      "ul",
      { class: "choices" },
      Object.entries(reading.values).map(([value, meaning]) => {
        const text = `${meaning}${value === reading.default ? " (usual)" : ""}`;
        return h("li", {}, vote ? h("button", { onclick: () => vote(reading.name, value) }, text) : text);
      }),
    ),
  );
}

/** The host's page shows how the board then stands, and asks once more. */
const letStand = (event) =>
  h("a", { class: "button", href: `/host?stand=${encodeURIComponent(JSON.stringify(event))}` }, "Let it stand");

function legalInstead(answer) {
  const legal = (answer.legal ?? []).filter((move) => move.text ?? move.to ?? move.do);
  if (answer.status !== "refused" || !legal.length) return null;
  const words = (m) => m.text ?? [m.do, m.piece, m.from && `from ${m.from}`, m.to && `to ${m.to}`].filter(Boolean).join(" ");
  return h(
    "details",
    {},
    h("summary", {}, `What would be legal (${legal.length})`),
    h(
      "ul",
      {},
      legal.slice(0, 40).map((m) => h("li", {}, capital(words(m)))),
    ),
  );
}
