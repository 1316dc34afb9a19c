// Pieces set by hand: tap a piece and then where it goes, or drag it, or use the keyboard. The table says at once whether it can stand so.
import { post } from "./api.js";
import { BoardPicture, standing } from "./board.js";
import { announce, capital, h, picture, show } from "./dom.js";

const DRAG_PX = 8; // a finger that stays within is a tap
const MANY_SPACES = 60;

export class Arranger {
  /** `use` is what the last button says; `onUse` gets the arranged pieces and the table's answer; `extra` are fields of the page's own. */
  constructor(box, { use, onUse, onClose, extra = [] }) {
    this.box = box;
    this.use = use;
    this.onUse = onUse;
    this.onClose = onClose;
    this.extra = extra;
    this.asked = 0;
    box.classList.add("arrange");
    box.addEventListener("pointerdown", (event) => this.#grasp(event));
  }

  /** `start` is what POST /api/position takes: a game, its terms and a position. `moved` changes its pieces at once, `platform` where
   *  its platform points. */
  open(start, title, moved = (layout) => layout, platform = null) {
    this.start = start;
    this.layout = this.platform = this.picked = this.answer = this.known = null;
    this.pieces = [];
    this.landed = "";
    this.turn = "";
    this.parts = Object.fromEntries(
      ["hint", "picked", "tray", "rest", "note", "done"].map((name) => [name, h("div", { class: `arrange-${name}` })]),
    );
    this.parts.hint.setAttribute("role", "status");
    this.parts.note.setAttribute("role", "alert");
    const board = h("div", { class: "board" });
    const { hint, picked, tray, rest, note, done } = this.parts;
    this.zoom = h("button", { type: "button", hidden: true, "aria-pressed": "false", onclick: () => this.#zoom() }, "Zoom");
    this.box.replaceChildren(
      h("h2", {}, title),
      h("div", { class: "arrange-board" }, hint, board, this.zoom, note),
      h("div", {}, picked, tray, rest, ...this.extra, done),
    );
    this.box.hidden = false;
    this.board = new BoardPicture(board, (space) => this.#tapped(space));
    return this.#look((layout) => {
      if (platform !== null && this.platform !== null) this.platform = platform;
      return moved(layout);
    });
  }

  close() {
    this.asked += 1;
    this.box.hidden = true;
    this.box.replaceChildren();
  }

  #zoom() {
    const near = this.board.box.classList.toggle("near");
    this.zoom.setAttribute("aria-pressed", near);
    this.zoom.textContent = near ? "Whole board" : "Zoom";
  }

  /** What was arranged, as the table takes it. */
  get fields() {
    return {
      layout: this.layout,
      ...(this.platform === null ? {} : { platform: this.platform }),
      ...(this.turn ? { turn: this.turn } : {}),
    };
  }

  /** Ask the table what it thinks of this; only the answer to the latest question counts. */
  async #look(moved = null) {
    const question = ++this.asked;
    const answer = await post("/api/position?picture=1", { ...this.start, ...(this.layout ? this.fields : {}) });
    if (question !== this.asked) return;
    if (answer.layout) {
      this.layout = answer.layout.map(({ piece, space, face }) => ({ piece, space, face }));
      this.platform = answer.platform;
      this.board.show(answer.svg);
      this.zoom.hidden = this.board.svg.querySelectorAll("[data-space]").length < MANY_SPACES;
    }
    if (answer.ok) this.known = answer;
    this.pieces = answer.pieces ?? this.pieces;
    this.answer = answer;
    this.#draw();
    if (this.landed && document.activeElement === document.body) this.board.space(this.landed)?.focus({ preventScroll: true });
    this.landed = "";
    if (!moved) return;
    const layout = this.layout && moved(this.layout);
    if (layout && layout !== this.layout) this.#change(layout);
  }

  #change(layout, picked = null) {
    this.layout = layout;
    this.picked = picked;
    this.#look();
  }

  // --- choosing and putting ---

  #tapped(space) {
    const there = this.layout.filter((p) => p.space === space);
    if (this.picked?.space === space) this.#pick(there[there.findIndex((p) => same(p, this.picked)) - 1] ?? null);
    else if (this.picked) this.#put(space);
    else if (there.length) this.#pick(there.at(-1));
    else announce(`Nothing stands on ${this.board.name(space)}.`);
  }

  #pick(piece) {
    this.picked = piece && { ...piece };
    this.#draw();
    if (piece) announce(`${this.#name(piece)} chosen. Now where it goes.`);
  }

  #put(space) {
    if (!space) return;
    announce(`${this.#name(this.picked)} put on ${this.board.name(space)}.`);
    this.landed = space; // whoever uses the keyboard goes on from there
    this.#change([...this.#without(this.picked), { ...this.picked, space }]);
  }

  #takeOff() {
    announce(`${this.#name(this.picked)} taken off.`);
    this.#change(this.#without(this.picked));
  }

  #turnOver() {
    const { faces } = this.#supply(this.picked.piece);
    const turned = { ...this.picked, face: faces[(faces.indexOf(this.picked.face) + 1) % faces.length] };
    if (!this.picked.space) this.#pick(turned);
    else this.#change([...this.#without(this.picked), turned], turned);
  }

  #without(piece) {
    const at = this.layout.findIndex((p) => same(p, piece));
    return this.layout.filter((_, index) => index !== at);
  }

  #supply = (piece) => this.pieces.find((supply) => supply.piece === piece);
  #name = (piece) => `${capital(this.#supply(piece.piece).name)}${piece.face ? ` (${piece.face})` : ""}`;

  // --- dragging ---

  /** A press on a piece may become a drag. While the board is zoomed, a finger scrolls it instead. */
  #grasp(event) {
    const space = event.target.closest(".board [data-space]")?.dataset.space;
    const beside = event.target.closest("[data-tray]")?.dataset.tray;
    const isNear = event.pointerType === "touch" && this.board?.box.classList.contains("near");
    const piece = beside ? this.#fresh(beside) : this.layout?.filter((p) => p.space === space).at(-1);
    if (!piece || isNear || event.button) return;
    const from = { x: event.clientX, y: event.clientY };
    let ghost = null;
    const move = (at) => {
      if (at.pointerId !== event.pointerId) return;
      if (!ghost && Math.hypot(at.clientX - from.x, at.clientY - from.y) < DRAG_PX) return;
      if (!ghost) {
        ghost = h("div", { class: "ghost", "aria-hidden": "true" }, picture(this.#supply(piece.piece).svg));
        document.body.append(ghost);
        this.#pick(piece);
      }
      at.preventDefault();
      ghost.style.left = `${at.clientX}px`;
      ghost.style.top = `${at.clientY}px`;
    };
    const end = (at) => {
      if (at.pointerId !== event.pointerId) return;
      for (const [name, what] of listeners) removeEventListener(name, what);
      if (!ghost) return;
      ghost.remove();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
      if (at.type === "pointerup") this.#drop(document.elementFromPoint(at.clientX, at.clientY));
      else this.#pick(null);
    };
    const listeners = [
      ["pointermove", move],
      ["pointerup", end],
      ["pointercancel", end],
    ];
    for (const [name, what] of listeners) addEventListener(name, what);
  }

  /** On a space: put there. Beside the board: taken off. */
  #drop(target) {
    const space = this.board.box.contains(target) && target.closest("[data-space]")?.dataset.space;
    if (space && space !== this.picked.space) this.#put(space);
    else if (space || !this.picked.space || this.board.box.contains(target)) this.#pick(null);
    else this.#takeOff();
  }

  #fresh = (piece) => ({ piece, space: "", face: this.#supply(piece).faces[0] ?? "" });

  // --- drawing ---

  #draw() {
    const { answer, picked, parts } = this;
    const spaces = [...this.board.box.querySelectorAll("[data-space]")].map((space) => space.dataset.space);
    const held = this.layout ? [...new Set(this.layout.map((p) => p.space))] : [];
    this.board.mark(
      picked ? { any: spaces, picked: picked.space } : { from: held },
      standing(this.layout ?? [], Object.fromEntries(this.pieces.map((s) => [s.piece, s.name]))),
    );
    show(parts.hint, [picked], () =>
      h("p", {}, picked ? `${this.#name(picked)}: tap where it goes.` : "Tap a piece, then where it goes; or drag it."),
    );
    show(parts.picked, [picked, spaces.length], () => picked && this.#pickedBar(spaces));
    this.#drawTray();
    this.#drawRest();
    show(parts.note, [answer.ok, answer.why], () => !answer.ok && this.#problem());
    show(parts.done, [answer.ok, this.known?.due, this.known?.outcome], () => this.#done());
  }

  #pickedBar(spaces) {
    const { picked } = this;
    return [
      h(
        "div",
        { class: "row" },
        picked.space && h("button", { type: "button", "data-key": "off", onclick: () => this.#takeOff() }, "Take it off the board"),
        this.#supply(picked.piece).faces.length > 0 &&
          h("button", { type: "button", "data-key": "over", onclick: () => this.#turnOver() }, "Turn it over"),
        h("button", { type: "button", "data-key": "drop", onclick: () => this.#pick(null) }, "Not this"),
      ),
      h(
        "label",
        { class: "field" },
        h("span", {}, "Or choose where it goes"),
        h(
          "select",
          { "data-key": "where", onchange: (event) => this.#put(event.target.value) },
          h("option", { value: "" }, "choose…"),
          spaces.map((id) => h("option", { value: id }, this.board.name(id) === id ? id : `${this.board.name(id)} (${id})`)),
        ),
      ),
    ];
  }

  #drawTray() {
    const { picked } = this;
    const beside = this.pieces
      .map((s) => [s, s.number - this.layout.filter((p) => p.piece === s.piece).length])
      .filter(([, left]) => left > 0);
    const chosen = picked && !picked.space ? picked.piece : "";
    show(this.parts.tray, [beside, chosen], () => [
      h("h3", {}, "Beside the board"),
      beside.length === 0 && h("p", { class: "soft" }, "Every piece is on the board."),
      h(
        "div",
        { class: "tray" },
        beside.map(([supply, left]) =>
          h(
            "button",
            {
              type: "button",
              "data-tray": supply.piece,
              "data-key": `tray ${supply.piece}`,
              "aria-pressed": `${chosen === supply.piece}`,
              onclick: () => this.#pick(chosen === supply.piece ? null : this.#fresh(supply.piece)),
            },
            picture(supply.svg),
            `${capital(supply.name)}${left > 1 ? ` ×${left}` : ""}`,
          ),
        ),
      ),
    ]);
  }

  #drawRest() {
    const { known, platform, turn } = this;
    const due = turn || known?.due?.find((d) => !d.optional)?.seat || "";
    show(this.parts.rest, [platform, due, known?.seats], () => [
      platform !== null && this.#platform(),
      known?.seats &&
        h(
          "label",
          { class: "field" },
          h("span", {}, "Whose turn it is"),
          h(
            "select",
            {
              "data-key": "turn",
              onchange: (event) => {
                this.turn = event.target.value;
                this.#look();
              },
            },
            !due && h("option", { value: "" }, "nobody's"),
            known.seats.map((seat) => h("option", { value: seat, selected: seat === due }, capital(known.seat_names[seat]))),
          ),
        ),
    ]);
  }

  #platform() {
    const to = (number) => {
      if (!number) return;
      this.platform = number;
      this.#look();
    };
    return h(
      "div",
      { class: "row" },
      h(
        "label",
        { class: "grow" },
        h("span", {}, "The platform's arrow points at"),
        h("input", {
          type: "number",
          inputmode: "numeric",
          min: 1,
          "data-key": "platform",
          value: this.platform,
          onchange: (event) => to(Number(event.target.value)),
        }),
      ),
      h("button", { type: "button", "data-key": "less", "aria-label": "One less", onclick: () => to(this.platform - 1) }, "−"),
      h("button", { type: "button", "data-key": "more", "aria-label": "One more", onclick: () => to(this.platform + 1) }, "+"),
    );
  }

  #problem() {
    const why = this.answer.why.map((reason) => h("p", {}, capital(reason.replace(/^\w[\w ]*: /, ""))));
    return h("section", { class: "note bad", "data-status": "refused" }, h("h2", {}, "It cannot stand so"), why);
  }

  #done() {
    const next = this.answer.ok && (this.known.outcome?.text ?? this.known.due[0]?.text);
    return [
      next && h("p", { class: "soft" }, `Then: ${next}`),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            class: "main grow",
            "data-key": "use",
            disabled: !this.answer.ok,
            onclick: () => this.onUse(this.fields, this.known),
          },
          this.use,
        ),
        h("button", { type: "button", "data-key": "close", onclick: () => this.onClose() }, "Cancel"),
      ),
    ];
  }
}

const same = (a, b) => a.piece === b.piece && a.space === b.space && a.face === b.face;

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
