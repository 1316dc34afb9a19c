// The kinds of board: what each is made of, and the controls with which it is adjusted.
import { h } from "./dom.js";

export const KINDS = {
  grid: "Grid: squares in columns and rows",
  ring: "Ring and turning platform",
  path: "Path: strips of spaces and circles",
  cross: "Cross: four arms, three lanes wide",
};
export const even = (low, high, count) => Array.from({ length: count + 1 }, (_, i) => low + ((high - low) * i) / count);
const BESIDE = 0.13; // of the board's width
const ends = (lines) => [lines[0], lines.at(-1)];

/** Where to begin if the picture suggests nothing. */
export function usual(kind) {
  if (kind === "grid") return { kind, columns: even(0.05, 0.95, 8), rows: even(0.05, 0.95, 8), extra: [], without: [] };
  if (kind === "ring")
    return { kind, centre: [0.5, 0.5], radii: [0.42, 0.33, 0.32, 0.23], first: 180, clockwise: true, count: 44, arrow: 44, discs: [] };
  if (kind === "cross") return { kind, columns: even(0.02, 0.98, 19), rows: even(0.02, 0.98, 19), arm: 8, discs: [] };
  return { kind, centre: [0.5, 0.5], repeat: 6, clockwise: false, parts: [] };
}

/** A number with a minus and a plus that a thumb can hit. */
export function counter(label, value, low, high, set, step = 1) {
  const id = `count-${label.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  const field = h("input", { id, type: "number", inputmode: "decimal", min: low, max: high, step, value, onchange: () => put(Number(field.value)) });
  const put = (wanted) => set(Math.min(high, Math.max(low, Number.isFinite(wanted) ? wanted : value)));
  const round = (n) => Math.round(n * 1000) / 1000;
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    h(
      "div",
      { class: "counter" },
      h("button", { type: "button", "aria-label": `${label}: less`, onclick: () => put(round(value - step)) }, "−"),
      field,
      h("button", { type: "button", "aria-label": `${label}: more`, onclick: () => put(round(value + step)) }, "+"),
    ),
  );
}

/** Handles of a shape on the sheet: their points, names, and the shape that follows when they are moved (`as` makes of it what is kept). */
export function handles(shape, ratio, part, as = (moved) => moved) {
  if (shape.kind === "grid" || shape.kind === "cross") {
    const [left, right] = ends(shape.columns);
    const [top, bottom] = ends(shape.rows);
    return {
      points: [[left, top], [right, bottom]],
      names: ["Top left corner of the squares", "Bottom right corner of the squares"],
      moved: ([[l, t], [r, b]]) => ({ ...shape, columns: even(l, r, shape.columns.length - 1), rows: even(t, b, shape.rows.length - 1) }),
    };
  }
  if (shape.kind === "ring") {
    const [x, y] = shape.centre;
    const angle = ((shape.first - 90) * Math.PI) / 180;
    const on = (radius) => [x + radius * Math.cos(angle), y + (radius * Math.sin(angle)) / ratio];
    const names = ["The ring's outer edge, where space 1 begins", "The ring's inner edge", "The platform's outer edge", "The platform's inner edge"];
    return {
      points: [[x, y], ...shape.radii.map(on)],
      names: ["The middle", ...names],
      moved: (points) => {
        const [[cx, cy], ...rest] = points;
        if (cx !== x || cy !== y) return { ...shape, centre: [cx, cy] };
        const radii = rest.map(([px, py]) => Math.hypot(px - cx, (py - cy) * ratio));
        const [ox, oy] = rest[0];
        const first = (Math.atan2((oy - cy) * ratio, ox - cx) * 180) / Math.PI + 90;
        return { ...shape, radii, first: ((first % 360) + 360) % 360 };
      },
    };
  }
  const chosen = shape.parts[part];
  if (!chosen) return { points: [shape.centre], names: ["The middle of the board"], moved: ([centre]) => ({ ...shape, centre }) };
  const put = (changed) => as({ ...shape, parts: shape.parts.map((p, i) => (i === part ? { ...p, ...changed } : p)) });
  if (chosen.corners)
    return {
      points: chosen.corners.map((p) => [...p]),
      names: ["Start, left corner", "Start, right corner", "End, right corner", "End, left corner"],
      moved: (corners) => put({ corners }),
    };
  const [x, y] = chosen.at;
  const side = x > 0.6 ? -1 : 1; // the handle of its size lies beside it, so that a thumb hits either
  return {
    points: [[x, y], [x + side * (chosen.radius + BESIDE), y]],
    names: ["The middle of the circle", "Its size: drag away to make it larger"],
    moved: ([at, edge]) =>
      at[0] !== x || at[1] !== y ? put({ at }) : put({ radius: Math.min(0.4, Math.max(0.006, side * (edge[0] - at[0]) - BESIDE)) }),
  };
}

/** The numbers of a shape, as controls; `set` takes the changed shape. */
export function numbers(shape, set) {
  const lines = (key, label) =>
    counter(label, shape[key].length - 1, 1, 60, (n) => set({ ...shape, [key]: even(...ends(shape[key]), n) }));
  if (shape.kind === "grid") return [lines("columns", "Columns"), lines("rows", "Rows")];
  if (shape.kind === "cross")
    return [
      counter("Spaces along an arm", shape.arm, 2, 20, (arm) =>
        set({ ...shape, arm, columns: even(...ends(shape.columns), 2 * arm + 3), rows: even(...ends(shape.rows), 2 * arm + 3) }),
      ),
    ];
  if (shape.kind === "ring")
    return [
      counter("Spaces round the ring", shape.count, 4, 100, (count) => set({ ...shape, count, arrow: Math.min(shape.arrow, count) })),
      counter("The arrow points at", shape.arrow, 1, shape.count, (arrow) => set({ ...shape, arrow })),
      ...["Ring: outer edge", "Ring: inner edge", "Platform: outer edge", "Platform: inner edge"].map((label, i) =>
        counter(`${label} (% of the width)`, Math.round(2000 * shape.radii[i]) / 10, 2, 100, (percent) => set({ ...shape, radii: shape.radii.map((r, k) => (k === i ? percent / 200 : r)) }), 0.2),
      ),
      counter("Space 1 begins at (degrees)", shape.first, -360, 360, (first) => set({ ...shape, first }), 0.5),
      h(
        "label",
        { class: "choice" },
        h("input", { type: "checkbox", checked: shape.clockwise, onchange: (e) => set({ ...shape, clockwise: e.target.checked }) }),
        "Numbers run clockwise",
      ),
    ];
  return [
    h(
      "label",
      { class: "field" },
      h("span", {}, "What you map comes round"),
      h(
        "select",
        { id: "repeat", onchange: (e) => set({ ...shape, repeat: Number(e.target.value) }) },
        [[1, "once: I map all of it"], [2, "twice: a half"], [3, "three times: a third"], [4, "four times: a quarter"], [6, "six times: a sixth"]].map(
          ([value, text]) => h("option", { value, selected: value === shape.repeat }, text),
        ),
      ),
    ),
  ];
}
