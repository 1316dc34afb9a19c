// What is still missing, what differs from the leaflet, and keeping the board.
import { announce, h } from "./dom.js";
import { ask, say, wizard } from "./map_wizard.js";

const SHOWN = 8;

export function missing() {
  const { missing: all, game_title: title } = wizard.draft;
  return all.length
    ? h(
        "div",
        { class: "note ask", id: "missing" },
        h("h3", {}, "Still missing"),
        h("ul", { class: "missing" }, all.slice(0, SHOWN).map((text) => h("li", {}, text))),
        all.length > SHOWN && h("p", {}, `and ${all.length - SHOWN} more`),
      )
    : h("p", { class: "note good", id: "missing" }, `Nothing is missing: ${title} can be played on it.`);
}

export function saveStage() {
  const { draft } = wizard;
  const title = h("input", { id: "title", maxlength: 80, value: draft.title || `Our ${draft.game_title.replace(/^The /, "")}` });
  const file = `/api/map/board/${draft.saved}.json`;
  return [
    h("label", { class: "field" }, h("span", {}, "Name of this board"), title),
    missing(),
    draft.differs.length > 0 &&
      h(
        "div",
        { class: "note ask", id: "differs" },
        h("h3", {}, "Not as the leaflet has it"),
        h("ul", {}, draft.differs.map((text) => h("li", {}, text))),
        h("p", {}, "You may play on it all the same; the house-rule card will say so."),
      ),
    h("button", { class: "main big wide", disabled: draft.missing.length > 0, onclick: () => save(title.value) }, draft.differs.length ? "Play on it all the same: save" : "Save the board"),
    draft.saved &&
      h(
        "div",
        { class: "note good", id: "saved" },
        h("p", {}, "It is saved and can be chosen for a new game. Games that were begun on it before keep it as it was."),
        h("div", { class: "row" }, h("a", { class: "button main grow", href: "/host" }, "To a new game"), h("a", { class: "button grow", href: file, download: `${draft.saved}.json` }, "Share it")),
      ),
  ];
}

async function save(title) {
  const { draft } = wizard;
  if (title.trim() && title.trim() !== draft.title && !(await say({ do: "title", title })).ok) return;
  const answer = await ask("/api/map/save", { draft: draft.draft, agreed: draft.differs.length > 0 });
  if (!answer.ok) return;
  if (answer.saved) announce("The board is saved.");
  await ask(`/api/map/draft/${draft.draft}`);
  wizard.draw();
}
