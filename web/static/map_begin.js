// Before a board is open: begin one, go on with one, change, share or delete one, bring one in.
import { $, announce, h } from "./dom.js";
import { ask, tell, wizard } from "./map_wizard.js";

const LARGEST_FILE = 3_000_000;

export async function drawBegin() {
  wizard.draft = null;
  history.replaceState(null, "", location.pathname);
  $("stages").hidden = $("stage").hidden = true;
  const all = await ask("/api/map");
  if (!all.ok) return;
  const title = (name) => all.games.find((g) => g.name === name)?.title ?? name;
  const which = h("select", { id: "map-game" }, all.games.map((g) => h("option", { value: g.name }, g.title)));
  const file = h("input", { type: "file", id: "import", accept: ".json,application/json", onchange: () => bringIn(file) });
  const unfinished = all.drafts.filter((d) => !all.boards.some((b) => b.name === d.saved));
  const draftOf = (board) => all.drafts.find((d) => d.saved === board.name);
  $("begin").hidden = false;
  const parts = [
    h("p", {}, "Photograph the board that you own, tap what is on it, and play on it: about ten minutes."),
    !all.sees && h("p", { class: "note bad" }, "This companion was started without its eye, so it cannot read pictures. Boards can still be shared and brought in."),
    h("label", { class: "field" }, h("span", {}, "Game"), which),
    h("button", { class: "main big wide", disabled: !all.sees, onclick: () => begin(which.value) }, "Map a board"),
    unfinished.length > 0 && h("h2", {}, "Unfinished"),
    ...unfinished.map((d) => {
      const name = d.title || title(d.game);
      return h(
        "div",
        { class: "row" },
        h("button", { class: "grow", onclick: () => open(d.draft) }, `Go on: ${name} (${d.steps} steps)`),
        h("button", { class: "danger", "aria-label": `Forget ${name}`, onclick: (e) => sure(e.target, () => does("/api/map/forget", { draft: d.draft })) }, "Forget"),
      );
    }),
    all.boards.length > 0 && h("h2", {}, "Boards of this house"),
    ...all.boards.map((b) =>
      h(
        "div",
        { class: "own" },
        h("p", {}, h("b", {}, b.title), ` ${title(b.game)}, ${b.spaces} spaces`),
        h(
          "div",
          { class: "row" },
          draftOf(b) && h("button", { class: "grow", "aria-label": `Change ${b.title}`, onclick: () => open(draftOf(b).draft) }, "Change"),
          h("a", { class: "button grow", "aria-label": `Share ${b.title}`, href: `/api/map/board/${b.name}.json`, download: `${b.name}.json` }, "Share"),
          h("button", { class: "danger grow", "aria-label": `Delete ${b.title}`, onclick: (e) => sure(e.target, () => does("/api/map/delete", { name: b.name })) }, "Delete"),
        ),
      ),
    ),
    h("label", { class: "field" }, h("span", {}, "A board file that somebody sent"), file),
  ];
  $("begin").replaceChildren(...parts.filter(Boolean));
}

export async function open(id) {
  const answer = await ask(`/api/map/draft/${id}`);
  if (!answer.ok) return drawBegin();
  const { picture, measured, shape, missing } = wizard.draft;
  return wizard.go(!picture ? "picture" : !measured ? "corners" : !shape.kind ? "lines" : missing.length ? "names" : "save");
}

async function begin(game) {
  if ((await ask("/api/map/new", { game })).ok) wizard.go("picture");
}

async function does(path, body) {
  const answer = await ask(path, body);
  if (answer.ok) await drawBegin();
}

/** A second tap, on the same button, does it. */
function sure(button, act) {
  if (button.dataset.sure) return act();
  button.dataset.sure = "yes";
  button.textContent = "Really?";
  button.removeAttribute("aria-label");
  return undefined;
}

async function bringIn(field) {
  const file = field.files[0];
  if (!file) return;
  if (file.size > LARGEST_FILE) return tell("This file is too large for a board file.");
  const answer = await ask("/api/map/import", { file: await file.text() });
  if (!answer.ok) return;
  await drawBegin();
  announce("The board was brought in.");
}
