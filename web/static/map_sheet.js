// A picture with things on it that a thumb can drag, tap and paint. Points are parts of the picture, from 0 to 1.
import { h, s } from "./dom.js";

const GRIP = 22; // pixels on the screen that a thumb hits; the dot in its middle is where it counts
const ZOOM = 5;

export class Sheet {
  /** `ratio` is height by width. */
  constructor(source, ratio, label) {
    this.source = source;
    this.width = 1000;
    this.height = 1000 * ratio;
    this.svg = s("svg", { viewBox: `0 0 ${this.width} ${this.height}`, role: "group", "aria-label": label });
    this.svg.append(s("image", { href: source, width: this.width, height: this.height, preserveAspectRatio: "none" }));
    this.layer = s("g");
    this.grips = s("g");
    this.svg.append(this.layer, this.grips);
    this.box = h("div", { class: "sheet" }, this.svg);
  }

  /** Screen pixels in units of this drawing. */
  get unit() {
    return this.width / (this.svg.getBoundingClientRect().width || 360);
  }

  at(event) {
    const box = this.svg.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  points(outline) {
    return outline.map(([x, y]) => `${(x * this.width).toFixed(2)},${(y * this.height).toFixed(2)}`).join(" ");
  }

  clear() {
    this.layer.replaceChildren();
    this.grips.replaceChildren();
  }

  /** A tap that is no drag of a handle, as parts of the picture. */
  onTap(tapped) {
    this.svg.addEventListener("click", (event) => event.target.dataset.grip === undefined && tapped(this.at(event)));
  }

  /** Handles that can be dragged, and moved with the arrow keys; `moved(points)` while, `done(points)` after. */
  handles(points, names, moved, done) {
    const unit = this.unit;
    this.grips.replaceChildren();
    points.forEach((point, i) => {
      const place = (x, y) => {
        for (const part of [grip, dot]) {
          part.setAttribute("cx", x * this.width);
          part.setAttribute("cy", y * this.height);
        }
      };
      const dot = s("circle", { class: "grip-dot", r: 2.5 * unit, "stroke-width": unit });
      const grip = s("circle", {
        class: "grip", r: GRIP * unit, "stroke-width": 1.5 * unit, tabindex: 0, role: "slider", "aria-label": names[i],
        "aria-valuetext": "drag, or use the arrow keys", "aria-valuenow": 0, "data-grip": i, "data-key": `grip ${i}`,
      });
      place(...point);
      const shift = (x, y) => {
        points[i] = [Math.min(1.02, Math.max(-0.02, x)), Math.min(1.02, Math.max(-0.02, y))];
        place(...points[i]);
        moved(points);
      };
      grip.addEventListener("pointerdown", (down) => {
        down.preventDefault();
        grip.setPointerCapture(down.pointerId);
        const start = this.at(down);
        const from = points[i];
        const drag = (move) => {
          const [x, y] = this.at(move);
          shift(from[0] + x - start[0], from[1] + y - start[1]);
          this.#magnify(points[i]);
        };
        grip.addEventListener("pointermove", drag);
        grip.addEventListener(
          "pointerup",
          () => {
            grip.removeEventListener("pointermove", drag);
            this.#magnify(null);
            done(points);
          },
          { once: true },
        );
      });
      grip.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!step) return;
        event.preventDefault();
        shift(points[i][0] + step[0] / this.width, points[i][1] + step[1] / this.height);
        clearTimeout(this.later);
        this.later = setTimeout(() => done(points), 500);
      });
      this.grips.append(grip, dot);
    });
    this.#focusAgain();
  }

  /** Whoever moves about by keyboard goes on where he was before the sheet was drawn anew. */
  #focusAgain() {
    const key = document.body.dataset.focused;
    const again = key && this.svg.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!again) return;
    delete document.body.dataset.focused;
    again.focus({ preventScroll: true });
  }

  /** What lies under the thumb, large, in a corner away from it. */
  #magnify(point) {
    this.lens?.remove();
    if (!point) return;
    const [x, y] = [point[0] * this.width, point[1] * this.height];
    const reach = (60 * this.unit) / ZOOM;
    this.lens = h(
      "div",
      { class: point[0] < 0.5 && point[1] < 0.5 ? "lens right" : "lens", "aria-hidden": "true" },
      s(
        "svg",
        { viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}` },
        s("image", { href: this.source, width: this.width, height: this.height, preserveAspectRatio: "none" }),
        s("path", { d: `M${x - reach} ${y}H${x + reach}M${x} ${y - reach}V${y + reach}`, stroke: "#e0571b", "stroke-width": reach / 40 }),
      ),
    );
    this.box.append(this.lens);
  }

  /** Tap or drag across spaces; `painted(ids)` when the finger leaves. */
  paint(painted) {
    this.svg.addEventListener("pointerdown", (down) => {
      const touched = new Set();
      const visit = (event) => {
        const space = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.space;
        if (!space || touched.has(space) || !this.svg.contains(document.elementFromPoint(event.clientX, event.clientY))) return;
        touched.add(space);
        this.layer.querySelector(`[data-space="${CSS.escape(space)}"]`)?.classList.add("picked");
      };
      visit(down);
      const end = () => {
        this.svg.removeEventListener("pointermove", visit);
        if (touched.size) painted([...touched]);
      };
      this.svg.addEventListener("pointermove", visit);
      this.svg.addEventListener("pointerup", end, { once: true });
    });
    this.svg.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      const space = event.target.dataset?.space;
      if (!space) return;
      event.preventDefault();
      painted([space]);
    });
  }

  /** Every space as an outline; `fill(space)` gives its colour or nothing, `text(space)` what is written on it. */
  draw(spaces, fill = () => "", text = () => "", canFocus = false) {
    const unit = this.unit;
    this.layer.replaceChildren();
    for (const space of spaces) {
      const colour = fill(space);
      const shape = s("polygon", {
        class: colour ? "space marked" : "space", points: this.points(space.outline), "stroke-width": 1.1 * unit, "data-space": space.id,
        ...(canFocus ? { tabindex: 0, role: "button", "data-key": `space ${space.id}`, "aria-label": `${space.id}: ${text(space) || "nothing"}` } : {}),
      });
      if (colour) shape.setAttribute("fill", colour);
      if (colour) shape.style.fill = colour;
      this.layer.append(shape);
      const words = text(space);
      if (words) {
        const x = space.outline.reduce((sum, p) => sum + p[0], 0) / space.outline.length;
        const y = space.outline.reduce((sum, p) => sum + p[1], 0) / space.outline.length;
        this.layer.append(
          s("text", { x: x * this.width, y: y * this.height + 3 * unit, "font-size": 8.5 * unit, "stroke-width": 2 * unit }, words),
        );
      }
    }
    this.#focusAgain();
  }
}
