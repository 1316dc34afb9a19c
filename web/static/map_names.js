// The names of the spaces: choose what it is, tap the spaces that are it.
import { h } from "./dom.js";
import { missing } from "./map_save.js";
import { ask, flat, say, wizard } from "./map_wizard.js";

const HUES = ["#e0571b", "#14508f", "#2f8a4a", "#6b3fa0", "#c39a1f", "#c62f2f", "#3b77b0", "#8a6416", "#22573f", "#a33b2e", "#d97f30", "#4f7a3a"];
let mark = ""; // of the palette
let sender = ""; // a Go square that waits for the tap on where it sends

export async function colours() {
  const answer = await ask("/api/map/suggest", { draft: wizard.draft.draft, what: "colours" });
  if (answer.ok && answer.steps.length) await say(answer.steps);
}

export function namesStage(isNew) {
  const { draft } = wizard;
  if (isNew) sender = "";
  mark = draft.palette.some((m) => m.name === mark) ? mark : (draft.palette[0]?.name ?? "");
  const sheet = flat("The board: tap the spaces that are what you chose below");
  const by = Object.fromEntries(draft.palette.map((m) => [m.name, m]));
  wizard.onSheet = () => {
    sheet.draw(draft.spaces, colourOf(by), (space) => sign(space, by), true);
    if (sender) sheet.layer.querySelector(`[data-space="${CSS.escape(sender)}"]`)?.classList.add("picked");
    sheet.paint(painted);
  };
  const choose = (m) => {
    mark = m.name;
    sender = "";
    wizard.draw();
  };
  return [
    h("p", { id: "how" }, sender ? `Now tap where ${sender} sends.` : "Choose what it is, then tap the spaces, or draw a finger across them. A second tap takes it away."),
    sheet.box,
    h(
      "div",
      { class: "palette", role: "group", "aria-label": "What it is" },
      draft.palette.map((m) =>
        h(
          "button",
          { "aria-pressed": `${m.name === mark}`, "data-mark": m.name, "data-key": `mark ${m.name}`, onclick: () => choose(m) },
          h("span", { class: "swatch", "data-colour": tint(m), "aria-hidden": "true" }),
          `${m.label} (${draft.spaces.filter((space) => space.marks.includes(m.name)).length})`,
        ),
      ),
    ),
    draft.palette.some((m) => m.colour) && h("button", { class: "wide", onclick: colours }, "Guess from the colours again"),
    missing(),
    h("button", { class: "main big wide", onclick: () => wizard.go("save") }, "Go on"),
  ];
}

const tint = (m) => m.colour || HUES[wizard.draft.palette.indexOf(m) % HUES.length];
const colourOf = (by) => (space) => {
  const told = space.marks.map((name) => by[name]).filter(Boolean);
  return told.length ? tint(told.at(-1)) : "";
};
const sign = (space, by) =>
  space.marks
    .map((name) => by[name])
    .filter((m) => m && !m.usual)
    .map((m) => (m.link && space.links[m.link] ? `➜${space.links[m.link]}` : (m.label.match(/[^\w\s'…]/u)?.[0] ?? m.label.slice(0, 2))))
    .slice(-1)[0] ?? "";

async function painted(spaces) {
  const { draft } = wizard;
  const chosen = draft.palette.find((m) => m.name === mark);
  if (!chosen) return wizard.draw();
  if (chosen.link) return sends(chosen, spaces[0]);
  const had = spaces.length === 1 && draft.spaces.find((space) => space.id === spaces[0])?.marks.includes(mark) && !chosen.usual;
  return say({ do: "mark", mark, spaces, ...(had ? { off: true } : {}) });
}

/** The first tap tells which space sends, the second one where to; a tap on one that sends already takes it away. */
function sends(chosen, space) {
  const from = sender;
  sender = "";
  if (from) return from === space ? wizard.draw() : say({ do: "link", mark: chosen.name, space: from, to: space });
  if (wizard.draft.spaces.find((s) => s.id === space)?.links[chosen.link]) return say({ do: "mark", mark: chosen.name, spaces: [space], off: true });
  sender = space;
  return wizard.draw();
}
