// A path is made of parts in their order: strips that are cut into spaces, and circles; what is mapped once may come round the board.
import { h } from "./dom.js";
import { counter } from "./map_shapes.js";
import { wizard } from "./map_wizard.js";

const STRIP = [[0.4, 0.2], [0.4, 0.28], [0.6, 0.28], [0.6, 0.2]];

export function pathParts(shape, set, part, mode, choose) {
  const facts = wizard.draft.shape_facts;
  const kinds = ["loop", "gate", "way", "goal"].map((role) => facts[role] ?? role);
  const goal = kinds[3];
  const add = (kind, round) => {
    const once = kind === goal;
    const made = round ? { mark: kind, at: [0.5, once ? 0.5 : 0.2], radius: once ? 0.08 : 0.04, once } : { mark: kind, corners: STRIP, count: 5, once };
    choose(shape.parts.length, "");
    set({ ...shape, parts: [...shape.parts, made] });
  };
  const chosen = mode ? null : shape.parts[part];
  const put = (changed) => set({ ...shape, parts: shape.parts.map((p, i) => (i === part ? { ...p, ...changed } : p)) });
  const remove = () => {
    choose(-1, "");
    set({ ...shape, parts: shape.parts.filter((_, i) => i !== part) });
  };
  return [
    shape.parts.length > 0 &&
      h(
        "div",
        { class: "palette", role: "group", "aria-label": "Parts" },
        shape.parts.map((p, i) => h("button", { "aria-pressed": `${!mode && i === part}`, "data-key": `part ${i}`, onclick: () => choose(i, "") }, `${i + 1}. ${p.mark}${p.corners ? ` × ${p.count}` : " ○"}`)),
        h("button", { "aria-pressed": `${!mode && part < 0}`, "data-key": "part -1", onclick: () => choose(-1, "") }, "The middle"),
      ),
    chosen?.corners && h("div", { class: "numbers" }, counter("Spaces in this strip", chosen.count, 1, 60, (count) => put({ count }))),
    chosen && h("button", { class: "danger wide", onclick: remove }, "Remove this part"),
    h("p", { class: "soft" }, "A strip begins at its circles 1 and 2 and ends at 3 and 4, the way the path runs. Add a strip, a circle, or tap single spaces one after the other:"),
    h(
      "div",
      { class: "palette thirds" },
      kinds.flatMap((kind) => [
        h("button", { onclick: () => add(kind, false) }, `+ strip: ${kind}`),
        h("button", { onclick: () => add(kind, true) }, `+ circle: ${kind}`),
        h("button", { "aria-pressed": `${mode === `row ${kind}`}`, onclick: () => choose(-1, mode === `row ${kind}` ? "" : `row ${kind}`) }, `tap each: ${kind}`),
      ]),
    ),
  ];
}

/** Each tap adds a space to the path, as large as the last of its kind. */
export function rowOnTap(sheet, shape, kind, set) {
  sheet.box.classList.add("free");
  sheet.onTap((at) => {
    const before = shape.parts.filter((p) => p.mark === kind && p.at).at(-1);
    set({ ...shape, parts: [...shape.parts, { mark: kind, at, radius: before?.radius ?? 0.03, once: before?.once ?? false }] });
  });
}
