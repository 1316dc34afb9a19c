// A move put together by tapping or picking, legal or not: whether it is, is the question.
import { standing } from "./board.js";
import { pad } from "./dice.js";
import { announce, capital, h, show, spoken } from "./dom.js";

const FIELDS = { piece: "Piece", from: "From", to: "To", detail: "With" };

export class Attempt {
  /** `onAsk` gets the move or roll that is to be judged. */
  constructor(box, board, onAsk) {
    this.box = box;
    this.board = board;
    this.onAsk = onAsk;
    this.begun = 0;
  }

  /** From this position on; what was being put together is forgotten. */
  begin(here) {
    this.here = here;
    this.begun += 1;
    this.#become({});
  }

  #become(move, from = "") {
    this.move = move;
    this.from = from;
    this.#mark();
    this.#draw();
  }

  get #seat() {
    const { move, here } = this;
    return move.seat ?? here.due.find((d) => d.what === "move")?.seat ?? here.due[0]?.seat ?? here.seats[0];
  }

  #mark() {
    const { here, board, from, move } = this;
    const legal = here.legal.filter((m) => m.seat === this.#seat);
    const targets = from ? legal.filter((m) => m.from === from) : legal.filter((m) => !board.has(m.from));
    board.mark(
      {
        from: from ? [] : [...new Set(here.layout.map((p) => p.space))],
        to: [...new Set(targets.map((m) => m.to).filter(Boolean))],
        picked: from,
        goal: move.to ?? "",
      },
      standing(here.layout),
    );
  }

  /** First tap: the piece. Second tap: where it is to go. Then a piece begins another one. */
  tapped(space) {
    const { here, move } = this;
    const stands = here.layout.filter((p) => p.space === space);
    if ((!this.from || move.to) && stands.length && here.forms.some((f) => f.from.includes(space))) {
      const legal = here.legal.find((m) => m.from === space);
      this.from = space;
      this.move = { seat: move.seat, piece: legal?.piece ?? stands.at(-1).piece, from: space };
      announce(`${spoken(this.move.piece)} on ${space} chosen. Now the target.`);
    } else if (this.from === space) {
      this.from = "";
      this.move = { seat: move.seat };
    } else {
      this.move = { ...move, to: space, ...(this.from ? {} : { from: undefined }) };
    }
    this.#settle();
    this.#become(this.move, this.from);
    if (this.move.to) this.box.querySelector("[data-key=ask]")?.focus({ preventScroll: false });
  }

  /** The kind of act that fits what was tapped: a legal one if there is, else any that takes such fields. */
  #settle() {
    const { here, move } = this;
    const fits = here.legal.filter(
      (m) => (!move.from || m.from === move.from) && (!move.to || m.to === move.to) && m.seat === this.#seat,
    );
    const like =
      fits[0] ??
      here.legal.find((m) => m.from === move.from) ??
      here.legal.find((m) => Boolean(m.from) === Boolean(move.from) && m.to);
    const form =
      here.forms.find((f) => f.do === like?.do) ??
      here.forms.find((f) => Boolean(f.from.length) === Boolean(move.from) && f.to.length);
    if (!form) return;
    move.do = form.do;
    const fit = (name, wanted) => (form[name].length ? (form[name].includes(wanted) ? wanted : undefined) : undefined);
    move.piece = fit("piece", move.piece ?? like?.piece) ?? (form.piece.length === 1 ? form.piece[0] : fit("piece", like?.piece));
    move.detail = fit("detail", fits[0]?.detail) ?? (form.detail.includes("") ? undefined : form.detail[0]);
  }

  #draw() {
    const { here, move } = this;
    const form = here.forms.find((f) => f.do === move.do);
    const due = here.due.find((d) => d.what === "roll");
    const kinds = here.forms.filter((f) => f.to.length || f.from.length || f.piece.length || !f.detail.length).map((f) => f.do);
    show(this.box, [move, due, here.due, this.begun, here.outcome], () => [
      h("h2", {}, "Try it"),
      due &&
        h(
          "details",
          { open: true, "data-key": "roll" },
          h("summary", {}, `Roll first: ${due.dice.length} ${due.dice.length > 1 ? "dice" : "die"}`),
          pad(due.dice.length, (faces) => this.onAsk({ seat: due.seat, roll: faces })),
        ),
      h("p", { class: "soft" }, "Tap a piece and then any space, or choose here."),
      h("div", { class: "row" }, this.#pick("Who", "seat", here.seats, this.#seat), this.#pick("What", "do", kinds, move.do)),
      form &&
        h(
          "div",
          { class: "row" },
          Object.entries(FIELDS)
            .filter(([name]) => form[name].length)
            .map(([name, label]) => this.#pick(label, name, form[name], move[name])),
        ),
      h(
        "button",
        { class: "main big wide", "data-key": "ask", disabled: !form, onclick: () => this.onAsk(asked({ ...move, seat: this.#seat })) },
        "May I do this?",
      ),
      here.legal.length > 0 && this.#legal(),
    ]);
  }

  #pick(label, name, values, value) {
    const picked = (event) => {
      const { move } = this;
      const chosen = event.target.value;
      this.#become(
        name === "do" ? { seat: move.seat, do: chosen } : { ...move, [name]: chosen || undefined },
        name === "from" ? chosen : this.from,
      );
    };
    return h(
      "label",
      { class: "grow" },
      h("span", {}, label),
      h(
        "select",
        { "data-key": name, onchange: picked },
        !values.includes(value ?? "") && h("option", { value: "" }, "choose…"),
        values.map((v) =>
          h("option", { value: v, selected: v === value }, v === "" ? "nothing" : name === "from" || name === "to" ? v : spoken(v)),
        ),
      ),
    );
  }

  #legal() {
    const { legal } = this.here;
    return h(
      "details",
      { "data-key": "legal" },
      h("summary", {}, `Legal moves here (${legal.length})`),
      h(
        "ul",
        { class: "choices" },
        legal.slice(0, 200).map((m) => h("li", {}, h("button", { onclick: () => this.onAsk(asked(m)) }, capital(m.text)))),
      ),
    );
  }
}

/** The fields of a move that are not empty. */
const asked = ({ seat, do: what, piece, from, to, detail }) =>
  Object.fromEntries(Object.entries({ seat, do: what, piece, from, to, detail }).filter(([, value]) => value));
