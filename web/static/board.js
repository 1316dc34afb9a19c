// The live board: the server draws it (one drawing for phone, paper and camera); here it is made to be tapped and marked.
import { text } from "./api.js";
import { capital, h, picture, s } from "./dom.js";

const READABLE_PX = 8.5; // labels that would be smaller are left out: a tap tells the name of a space, and zooming shows them
const EDGE_PX = 11; // letters and numbers along the edges of a board of squares, in their place

export class BoardPicture {
  /** `onTap` gets the id of a space, by finger, mouse or keyboard. */
  constructor(box, onTap) {
    this.box = box;
    this.wanted = 0;
    this.marks = { from: [], to: [], picked: "", goal: "", last: [] };
    this.labels = {};
    this.where = h("p", { class: "where", hidden: true, "aria-hidden": "true" });
    box.after(this.where);
    this.size = new ResizeObserver(() => this.#fit());
    box.addEventListener("click", (event) => this.#tapped(event, onTap));
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.#tapped(event, onTap);
    });
  }

  #tapped(event, onTap) {
    const space = event.target.closest("[data-space]")?.dataset.space;
    if (!space) return;
    event.preventDefault();
    this.#tell(space);
    onTap(space);
  }

  /** The tapped space by its name, large: many are too small for a printed one. */
  #tell(id) {
    const stands = this.labels[id];
    this.where.hidden = false;
    this.where.replaceChildren(h("b", {}, this.name(id)), stands ? ` ${capital(stands)}` : "");
  }

  name(id) {
    return this.space(id)?.dataset.name || id;
  }

  #fit() {
    const { width, height } = this.svg.getBoundingClientRect();
    const whole = this.svg.viewBox.baseVal;
    const scale = Math.min(width / whole.width, height / whole.height);
    if (!scale) return;
    let tiny = false;
    for (const label of this.svg.querySelectorAll(".label"))
      if (label.classList.toggle("tiny", label.getAttribute("font-size") * scale < READABLE_PX)) tiny = true;
    this.svg.querySelectorAll(".edge").forEach((text) => text.remove());
    if (tiny) this.#nameEdges(EDGE_PX / scale, whole);
  }

  /** As on a chessboard: letters below, numbers at the left. */
  #nameEdges(size, whole) {
    const spaces = [...this.svg.querySelectorAll("[data-space]")].map((space) => [space, space.dataset.space.match(/^([a-z])(\d+)$/)]);
    if (!spaces.every(([, parts]) => parts)) return;
    const named = new Set();
    const name = (text, x, y) => {
      if (named.has(text)) return;
      named.add(text);
      this.svg.append(s("text", { class: "edge", x, y, "font-size": size * (text.length > 1 ? 0.82 : 1), "text-anchor": "middle", "aria-hidden": "true" }, text));
    };
    for (const [space, [, column, row]] of spaces) {
      const box = space.querySelector("polygon").getBBox();
      name(column, box.x + box.width / 2, whole.height - size * 0.3);
      name(row, size * 0.65, box.y + box.height / 2 + size * 0.35);
    }
  }

  /** Fetch a picture; only the newest that was asked for is shown, and the old one stands until then. */
  async load(path) {
    const turn = ++this.wanted;
    const svg = await text(path);
    if (svg && turn === this.wanted) this.show(svg);
    return Boolean(svg);
  }

  show(svg) {
    const node = picture(svg);
    if (!node) return;
    const focused = this.#focused();
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", node.querySelector("title")?.textContent ?? "Board");
    node.querySelector(":scope > title")?.remove();
    this.svg = node;
    this.box.replaceChildren(node);
    this.size.disconnect();
    this.size.observe(node);
    this.marked = null;
    this.mark(this.marks, this.labels, focused);
  }

  /** The space that has the focus. */
  #focused() {
    return this.box.contains(document.activeElement) ? document.activeElement.dataset.space : null;
  }

  space(id) {
    return this.svg?.querySelector(`[data-space="${CSS.escape(id)}"]`);
  }

  has(id) {
    return Boolean(this.space(id));
  }

  /** Outline spaces: `from` may move, `to` is a target, `picked` is chosen, `goal` is the chosen target, `any` may be tapped,
   *  `last` is what changed last.  `labels` says what stands on a space, for those who hear the page. */
  mark(marks, labels = this.labels, focused = this.#focused()) {
    const key = JSON.stringify([marks, labels]);
    this.marks = marks;
    this.labels = labels;
    if (!this.svg || key === this.marked) return;
    this.marked = key;
    this.svg.querySelectorAll(".ring, .dot, .last").forEach((ring) => ring.remove());
    this.svg.querySelectorAll("[tabindex]").forEach((space) => {
      for (const name of ["tabindex", "role", "aria-label", "class"]) space.removeAttribute(name);
    });
    const firstPiece = this.svg.querySelector("[data-piece]");
    for (const id of marks.last ?? []) this.#outline(id, "last", firstPiece);
    for (const id of marks.any ?? []) this.#control(id, "any", "put it here");
    for (const id of marks.from ?? []) this.#control(id, "from", "can be moved");
    for (const id of marks.to ?? []) this.#control(id, "to", "is a legal target");
    if (marks.picked) this.#control(marks.picked, "picked", "is chosen");
    if (marks.goal) this.#control(marks.goal, "goal", "is the chosen target");
    if (focused) this.space(focused)?.focus(); // a space that stops being a control, if only for a moment, loses it
  }

  #outline(id, kind, before = null) {
    const space = this.space(id);
    if (!space) return null;
    const outline = space.querySelector("polygon").getAttribute("points");
    this.svg.insertBefore(s("polygon", { points: outline, class: kind === "last" ? "last" : `ring ${kind}` }), before);
    return space;
  }

  #control(id, kind, words) {
    const space = kind === "any" ? this.space(id) : this.#outline(id, kind);
    if (!space) return;
    space.setAttribute("class", "can");
    space.setAttribute("tabindex", "0");
    space.setAttribute("role", "button");
    space.setAttribute("aria-label", capital(`${this.name(id)}${this.labels[id] ? `, ${this.labels[id]}` : ""}, ${words}`));
    if (kind === "to") {
      const box = space.querySelector("polygon").getBBox();
      const r = Math.min(box.width, box.height) * 0.12;
      this.svg.append(s("circle", { class: "dot", cx: box.x + box.width - r * 1.8, cy: box.y + r * 1.8, r }));
    }
  }
}

/** What stands where, in words: space → "knight", for screen readers. */
export function standing(layout, names = {}) {
  const out = {};
  for (const piece of layout) {
    const name = (names[piece.piece] ?? piece.piece.replaceAll("-", " ")) + (piece.face ? ` (${piece.face})` : "");
    out[piece.space] = out[piece.space] ? `${out[piece.space]} and ${name}` : name;
  }
  return out;
}
