// The camera's live picture with what it sees drawn over it. Fetched again and again while it is shown, and never kept.
import { get } from "./api.js";
import { h, s } from "./dom.js";


export class LivePicture {
  /** `overlay`: draw what the watching camera thinks of every space. `every`: milliseconds between two pictures, unless the line is slow.
   * `busy`: what is said while the camera has no time for pictures. */
  constructor({ overlay = false, alt = "What the camera sees now", every = 1000, busy = "Waiting for the camera's picture…" } = {}) {
    Object.assign(this, { overlay, alt, every, busy });
    this.svg = s("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.note = h("p", { class: "note ask", role: "status" }, busy);
    this.frame = h("div", { class: "live" }, this.svg);
    this.box = h("div", {}, this.frame, this.note);
    this.frame.hidden = true;
  }

  start() {
    if (!this.timer) this.#next();
    return this;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  #next() {
    this.timer = setTimeout(() => this.#next(), this.every);
    if (document.hidden || !this.box.isConnected || this.waiting) return;
    this.waiting = true;
    const image = h("img", { alt: this.alt, onload: () => this.#show(image), onerror: () => this.#missing() });
    image.src = `/api/camera/picture?at=${Date.now()}`;
  }

  async #show(image) {
    this.waiting = false;
    if (this.image) this.image.replaceWith(image);
    else this.frame.prepend(image);
    this.image = image;
    this.frame.hidden = false;
    this.note.hidden = true;
    if (this.overlay) this.#outline((await get("/api/camera/overlay")).spaces ?? []);
  }

  /** Why there is no picture, in words instead of a broken one. */
  async #missing() {
    const { why, http } = await get("/api/camera/picture");
    this.waiting = false;
    if (http === 200) return; // it had no time just then
    this.note.textContent = http === 503 ? this.busy : why?.[0] ?? "No picture comes from the camera.";
    this.note.hidden = false;
  }

  #outline(spaces) {
    this.draw(spaces.map(({ points, seen }) => [points, seen]));
  }

  /** Outlines in parts of the picture: [[[x, y], …], kind]. */
  draw(outlines) {
    this.svg.replaceChildren(
      ...outlines.map(([points, kind]) => s("polygon", { points: points.map((p) => p.join(",")).join(" "), class: kind })),
    );
  }
}

/** Pictures of a ruling; one that was not kept leaves no hole. */
export function rulingPictures(names) {
  const image = (name) => {
    const when = name.includes("-after") ? "After" : "Before";
    const figure = h(
      "figure",
      { class: "seen" },
      h("img", { src: `/api/picture/${name.split("/").map(encodeURIComponent).join("/")}`, alt: `${when}, as the camera saw it`, onerror: () => figure.remove() }),
      h("figcaption", {}, when),
    );
    return figure;
  };
  return names?.length ? h("div", { class: "pair" }, names.map(image)) : null;
}
