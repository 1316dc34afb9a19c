// The lines of the spaces: which kind of board, its numbers, handles on the picture, and what a tap adds.
import { h } from "./dom.js";
import { colours } from "./map_names.js";
import { pathParts, rowOnTap } from "./map_path.js";
import { suggest } from "./map_picture.js";
import { KINDS, counter, handles, numbers } from "./map_shapes.js";
import { flat, say, wizard } from "./map_wizard.js";

let mode = ""; // what a tap on the sheet does: "" moves lines, "extra", "disc", or "row <kind>" of a path
let snaps = true;
let part = -1; // of a path, or which circle: the one that has handles

export function linesStage(isNew) {
  if (isNew) {
    mode = "";
    part = -1;
  }
  const sheet = flat("The board laid flat, with the lines of its spaces");
  let { shape } = wizard.draft;
  const ratio = sheet.height / sheet.width;
  const set = (changed, more = {}) => say({ do: "shape", shape: changed }, more);
  const snapped = (changed) => set(changed, { snap: snaps });
  const choose = (number, how = mode) => {
    part = number;
    mode = how;
    wizard.draw();
  };
  wizard.onSheet = () => {
    sheet.draw(wizard.draft.spaces);
    if (mode === "extra") return squaresOnTap(sheet, shape, set);
    if (mode === "disc") discsOnTap(sheet, shape, snapped, choose);
    if (mode.startsWith("row ")) return rowOnTap(sheet, shape, mode.slice(4), snapped);
    const grips = mode === "disc" ? discHandles(shape, ratio) : handles(shape, ratio, part);
    return sheet.handles(grips.points, grips.names, (points) => (shape = grips.moved(points)), () => snapped(shape));
  };
  const modes = [["", "Move the lines"]];
  if (shape.kind === "grid") modes.push(["extra", "Squares beside the grid, or none"]);
  if (shape.kind === "ring" || shape.kind === "cross") modes.push(["disc", "Circles: tap each"]);
  const change = async (kind) => {
    mode = "";
    part = -1;
    await suggest(kind);
  };
  return [
    h(
      "label",
      { class: "field" },
      h("span", {}, "Kind of board"),
      h("select", { id: "kind", onchange: (e) => change(e.target.value) }, Object.entries(KINDS).map(([value, text]) => h("option", { value, selected: value === shape.kind }, text))),
    ),
    h("p", { class: "soft", id: "how" }, told(shape)),
    sheet.box,
    h("label", { class: "choice" }, h("input", { type: "checkbox", id: "snap-lines", checked: snaps, onchange: (e) => (snaps = e.target.checked) }), "Move what I drag or tap onto what is seen"),
    modes.length > 1 &&
      h(
        "div",
        { class: "palette", role: "group", "aria-label": "What a tap does" },
        modes.map(([value, text]) => h("button", { "aria-pressed": `${mode === value}`, "data-key": `mode ${value}`, onclick: () => choose(-1, value) }, text)),
      ),
    mode !== "disc" && h("div", { class: "numbers" }, numbers(shape, set)),
    mode === "disc" && shape.discs.length > 0 && discControls(shape, set, choose),
    shape.kind === "path" && pathParts(shape, snapped, part, mode, choose),
    shape.kind !== "path" && h("button", { class: "wide", onclick: () => suggest(shape.kind) }, "Look for the lines again"),
    h("button", { class: "main big wide", onclick: named }, "The lines are right"),
  ];
}

function told(shape) {
  if (mode === "extra") return "Tap beside the grid to add a square there; tap a square of the grid that the board has not.";
  if (mode === "disc") return "Tap each circle in its middle; it is moved onto the edge that is seen. A tap on one that is there chooses it.";
  if (mode.startsWith("row ")) return "Tap the spaces in their order, each in its middle.";
  return shape.kind === "path" ? "Add the parts of the path below; drag the circles onto their corners." : "Lines where they should be? Else set the numbers and drag the circles.";
}

function squaresOnTap(sheet, shape, set) {
  sheet.box.classList.add("free");
  sheet.onTap(([x, y]) => {
    const find = (lines, value) => {
      const step = lines[1] - lines[0];
      if (value < lines[0]) return Math.floor((value - lines[0]) / step) + 1;
      if (value >= lines.at(-1)) return lines.length + Math.floor((value - lines.at(-1)) / step);
      return lines.findLastIndex((line) => line <= value) + 1;
    };
    const column = find(shape.columns, x);
    const row = shape.rows.length - find(shape.rows, y);
    const inside = column >= 1 && column < shape.columns.length && row >= 1 && row < shape.rows.length;
    const list = inside ? "without" : "extra";
    const had = shape[list].some(([c, r]) => c === column && r === row);
    set({ ...shape, [list]: had ? shape[list].filter(([c, r]) => c !== column || r !== row) : [...shape[list], [column, row]] });
  });
}

// --- circles ---

function discsOnTap(sheet, shape, snapped, choose) {
  sheet.onTap(([x, y]) => {
    const ratio = sheet.height / sheet.width;
    const hit = shape.discs.findIndex((d) => Math.hypot(d.at[0] - x, (d.at[1] - y) * ratio) < d.radius);
    if (hit >= 0) return choose(hit);
    const radius = shape.discs.at(-1)?.radius ?? (shape.kind === "cross" ? 0.12 : 0.03);
    return snapped({ ...shape, discs: [...shape.discs, { at: [x, y], radius }] });
  });
}

function discHandles(shape, ratio) {
  const chosen = shape.discs[part];
  if (!chosen) return { points: [], names: [], moved: () => shape };
  return handles({ kind: "path", parts: [chosen] }, ratio, 0, ({ parts: [moved] }) => ({ ...shape, discs: shape.discs.map((d, i) => (i === part ? moved : d)) }));
}

function discControls(shape, set, choose) {
  const chosen = shape.discs[part];
  const all = (radius) => set({ ...shape, discs: shape.discs.map((d) => ({ ...d, radius })) });
  const remove = () => {
    const kept = shape.discs.filter((_, i) => i !== part);
    part = -1;
    set({ ...shape, discs: kept });
  };
  return h(
    "div",
    {},
    h("div", { class: "numbers" }, counter("Size of all circles (% of the width)", Math.round(1000 * (chosen ?? shape.discs[0]).radius * 2) / 10, 1, 80, (percent) => all(percent / 200), 0.2)),
    chosen && h("div", { class: "row" }, h("button", { class: "danger grow", onclick: remove }, "Remove this circle"), h("button", { class: "grow", onclick: () => choose(-1) }, "It is right")),
  );
}

async function named() {
  const { draft } = wizard;
  const usual = draft.palette.filter((m) => m.usual).length;
  if (!draft.spaces.some((space) => space.marks.length > usual)) await colours();
  wizard.go("names");
}
