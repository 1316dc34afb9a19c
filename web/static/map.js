// Mapping one's own board: picture, corners, lines, names of the spaces, and it can be played on. The server keeps every step, so a reload
// goes on where it was, and every step can be taken back. Each step has a file of its own.
import { $, h } from "./dom.js";
import { live } from "./live.js";
import { drawBegin, open } from "./map_begin.js";
import { linesStage } from "./map_lines.js";
import { namesStage } from "./map_names.js";
import { cornersStage, pictureStage } from "./map_picture.js";
import { saveStage } from "./map_save.js";
import { ask, wizard } from "./map_wizard.js";

const STAGES = {
  picture: ["Picture", () => true, pictureStage],
  corners: ["Corners", (draft) => draft.picture, cornersStage],
  lines: ["Lines", (draft) => draft.corners.length > 0 && draft.measured && draft.shape.kind, linesStage],
  names: ["Names", (draft) => draft.shape.kind, namesStage],
  save: ["Save", (draft) => draft.shape.kind, saveStage],
};
let begun = false;
let drawn = ""; // the stage that is shown

wizard.draw = draw;
wizard.go = go;

live((snapshot) => {
  if (snapshot.you.role !== "host") {
    $("begin").hidden = false;
    $("begin").replaceChildren(h("p", {}, "Only the host maps boards."), h("a", { class: "button main wide", href: "/join" }, "I am the host: type the code"));
  } else if (!begun) {
    begun = true;
    const id = location.hash.slice(1);
    if (/^[0-9a-f]{8}$/.test(id)) open(id);
    else drawBegin();
  }
});

function draw() {
  const { draft } = wizard;
  if (!draft) return;
  const names = Object.keys(STAGES);
  const reached = (name) => Boolean(STAGES[name][1](draft));
  while (!reached(wizard.stage)) wizard.stage = names[names.indexOf(wizard.stage) - 1]; // something was taken back
  $("begin").hidden = true;
  $("stages").hidden = $("stage").hidden = false;
  $("stages").replaceChildren(
    ...names.map((name) => h("button", { disabled: !reached(name), "aria-current": name === wizard.stage ? "step" : false, onclick: () => go(name) }, STAGES[name][0])),
  );
  const scrolled = window.scrollY;
  const focused = document.activeElement?.dataset.key;
  if (focused) document.body.dataset.focused = focused; // for the sheet, which is drawn later
  wizard.onSheet = null;
  const parts = STAGES[wizard.stage][2](wizard.stage !== drawn);
  drawn = wizard.stage;
  const foot = h(
    "div",
    { class: "row" },
    h("button", { class: "grow", "data-key": "undo", disabled: !draft.steps, onclick: undo }, "Undo"),
    h("button", { class: "grow", onclick: leave }, "Later"),
  );
  $("stage").replaceChildren(...[parts, foot].flat(2).filter(Boolean));
  for (const swatch of $("stage").querySelectorAll("[data-colour]")) swatch.style.background = swatch.dataset.colour;
  if (focused) $("stage").querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  requestAnimationFrame(() => {
    wizard.onSheet?.();
    window.scrollTo(0, scrolled);
  });
}

function go(name) {
  wizard.stage = name;
  drawn = "";
  draw();
  $("stages").scrollIntoView({ block: "start" });
}

async function undo() {
  await ask("/api/map/undo", { draft: wizard.draft.draft });
  draw();
}

function leave() {
  drawn = "";
  drawBegin();
}
