// Four corners over a picture, dragged by a finger or moved with the arrow keys. Places are parts of the picture's width and height.
import { h } from "./dom.js";

const NAMES = ["Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner"];
const USUAL = [
  [0.15, 0.15],
  [0.85, 0.15],
  [0.85, 0.85],
  [0.15, 0.85],
];
const STEP = 0.004;
const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

export class Corners {
  constructor(picture) {
    this.picture = picture;
    this.places = USUAL.map((place) => [...place]);
    this.handles = NAMES.map((name, index) => this.#handle(name, index));
  }

  show(places = null) {
    if (places?.length === 4) this.places = places.map((place) => [...place]);
    this.picture.frame.append(...this.handles);
    this.places.forEach((_, index) => this.#put(index));
  }

  hide() {
    for (const handle of this.handles) handle.remove();
  }

  #handle(name, index) {
    const handle = h("button", { type: "button", class: "corner", "aria-label": `${name} of the board: drag it, or use the arrow keys` }, `${index + 1}`);
    handle.addEventListener("keydown", (event) => {
      if (!KEYS[event.key]) return;
      event.preventDefault();
      const [x, y] = this.places[index];
      this.#move(index, x + KEYS[event.key][0], y + KEYS[event.key][1]);
    });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
      const box = this.picture.frame.getBoundingClientRect();
      const [x, y] = this.places[index];
      const off = [event.clientX - box.left - x * box.width, event.clientY - box.top - y * box.height];
      const drag = (at) => this.#move(index, (at.clientX - box.left - off[0]) / box.width, (at.clientY - box.top - off[1]) / box.height);
      handle.addEventListener("pointermove", drag);
      for (const end of ["pointerup", "pointercancel"])
        handle.addEventListener(end, () => handle.removeEventListener("pointermove", drag), { once: true });
    });
    return handle;
  }

  #move(index, x, y) {
    this.places[index] = [x, y].map((value) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000);
    this.#put(index);
  }

  #put(index) {
    const [x, y] = this.places[index];
    this.handles[index].style.left = `${x * 100}%`;
    this.handles[index].style.top = `${y * 100}%`;
    this.picture.draw([[this.places, "board-edge"]]);
  }
}
