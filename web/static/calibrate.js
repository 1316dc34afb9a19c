// The camera's card on the host page: the off switch, its live picture, and teaching it a board step by step.
import { get, post } from "./api.js";
import { LivePicture } from "./camera.js";
import { Corners } from "./corners.js";
import { h, show } from "./dom.js";

const POLL = 1000; // milliseconds between two questions how far it is
const STEPS = ["empty", "board", "pieces", "done"];
const TITLES = { empty: "The empty board", board: "Where is the board?", pieces: "Show the pieces", done: "Done" };

export class CameraCard {
  /** `ask` posts and tells what goes wrong; `now` gives the snapshot. */
  constructor(box, now, ask) {
    this.box = box;
    this.now = now;
    this.ask = ask;
    this.mode = ""; // "", "look" or "teach"
    this.state = null;
    this.trouble = "";
    this.parts = Object.fromEntries(["top", "middle", "below"].map((name) => [name, h("div")]));
    this.parts.below.setAttribute("aria-live", "polite");
    box.replaceChildren(h("h2", {}, "The camera"), ...Object.values(this.parts));
  }

  draw() {
    const isOn = this.now().host?.camera ?? null;
    if (!isOn && this.mode) this.#leave(false);
    this.box.hidden = false;
    show(this.parts.top, [isOn, this.mode, this.now().game?.number], () => [isOn === null ? none() : this.#switch(isOn), isOn && !this.mode && this.#doors()]);
    this.#drawStep();
  }

  #switch = (isOn) =>
    h(
      "button",
      { class: "wide", "data-key": "camera", "aria-pressed": String(isOn), onclick: () => this.ask("/api/camera", { on: !isOn }) },
      isOn ? "The camera watches. Switch it off" : "The camera is off. Switch it on",
    );

  #doors = () =>
    h(
      "div",
      { class: "row" },
      h("button", { class: "grow", "data-key": "look", onclick: () => this.#look() }, "Look through it"),
      h("button", { class: "grow", "data-key": "teach", onclick: () => this.#teach() }, "Teach it a board"),
    );

  // --- looking ---

  #look() {
    this.mode = "look";
    this.picture = new LivePicture({ overlay: true }).start();
    this.parts.middle.replaceChildren(this.picture.box);
    this.draw();
  }

  #leave(tell = true) {
    if (tell && this.mode === "teach") post("/api/calibration", { step: "close" });
    clearTimeout(this.timer);
    this.picture?.stop();
    this.mode = "";
    this.state = this.picture = this.corners = null;
    this.trouble = "";
    this.parts.middle.replaceChildren();
    this.draw();
  }

  // --- teaching ---

  async #teach() {
    this.mode = "teach";
    this.picture = new LivePicture().start();
    this.corners = new Corners(this.picture);
    this.parts.middle.replaceChildren(this.picture.box);
    this.draw();
    if (this.now().game) {
      const { game, variant, seats, board, options } = await get("/api/position");
      this.terms = { game, variant, seats, board, options };
    } else {
      this.games = (await get("/api/games")).list ?? [];
      this.terms = { game: this.games[0]?.name };
    }
    await this.#step({ step: "begin", ...this.terms });
    this.box.scrollIntoView({ block: "start" });
  }

  async #step(body) {
    this.#take(await post("/api/calibration", body));
    this.#poll();
  }

  #poll() {
    clearTimeout(this.timer);
    if (this.mode !== "teach" || this.state?.step === "done") return;
    this.timer = setTimeout(async () => {
      if (!document.hidden) this.#take(await get("/api/calibration"));
      this.#poll();
    }, POLL);
  }

  #take(answer) {
    if (this.mode !== "teach") return;
    this.trouble = answer.ok ? "" : answer.why[0];
    if (answer.ok) this.state = { ...this.state, trouble: "", ...answer, ok: undefined, http: undefined, why: undefined };
    if (answer.ok && answer.step === "") this.trouble = "The calibration was left alone for too long. Begin again.";
    this.#drawStep();
  }

  #drawStep() {
    const { state, trouble, mode } = this;
    show(this.parts.below, [mode, state && { ...state, outlines: state.outlines?.length }, trouble], () => {
      if (!mode) return [];
      const close = h("button", { class: "wide", "data-key": "close", onclick: () => this.#leave() }, "Close");
      if (mode === "look") return [legend(), close];
      const wrong = trouble || state?.trouble;
      return [
        state?.step && this.#steps(),
        this.games && this.#which(),
        wrong && h("p", { class: "note bad", role: "alert" }, wrong),
        state?.working ? h("p", { class: "note ask" }, "Looking… keep hands away from the board.") : state?.step && this.#todo(),
        close,
      ];
    });
    if (mode === "teach" && state?.step) this.#drawOver();
  }

  /** What was found, or the four corners to be put on the board by hand. */
  #drawOver() {
    const byHand = this.state.step === "board" && !this.state.working;
    if (byHand && !this.handling) this.corners.show();
    else if (!byHand) {
      this.corners.hide();
      this.picture.draw([...(this.state.outlines ?? []).map((o) => [o, "free"]), ...(this.state.corners?.length ? [[this.state.corners, "board-edge"]] : [])]);
    }
    this.handling = byHand;
  }

  #steps() {
    const at = STEPS.indexOf(this.state.step);
    return h(
      "ol",
      { class: "stages", "aria-label": "Steps" },
      STEPS.filter((step) => step !== "board" || this.state.step === "board").map((step) =>
        h("li", { class: STEPS.indexOf(step) < at ? "past" : step === this.state.step ? "now" : "", "aria-current": step === this.state.step && "step" }, TITLES[step]),
      ),
    );
  }

  #which = () =>
    h(
      "label",
      { class: "field" },
      h("span", {}, "Board"),
      h(
        "select",
        {
          "data-key": "board",
          onchange: (event) => {
            this.terms = { game: event.target.value };
            this.#step({ step: "begin", ...this.terms });
          },
        },
        this.games.map((g) => h("option", { value: g.name, selected: g.name === this.terms.game }, g.title)),
      ),
    );

  #todo() {
    const { state } = this;
    const act = (label, body, main = true) =>
      h("button", { class: main ? "main big wide" : "wide", "data-key": label, onclick: () => this.#step(body) }, label);
    if (state.step === "empty")
      return [
        h("p", {}, `Take everything off ${state.title}. The whole board must be in the picture; keep hands away.`),
        act("The board is empty", { step: "empty" }),
      ];
    if (state.step === "board")
      return [
        h("p", {}, "Drag the four corners onto the corners of the board: 1 is its own top left, then clockwise."),
        h("button", { class: "main big wide", "data-key": "corners", onclick: () => this.#step({ step: "corners", corners: this.corners.places }) }, "The corners are right"),
        act("Look again at the empty board", { step: "empty" }, false),
      ];
    if (state.step === "pieces")
      return [
        h("p", {}, "Found: the lines drawn over the picture must lie on the lines of the board. Now show the pieces, and keep hands away."),
        state.ways.map((way, index) =>
          h(
            "details",
            { "data-key": way.way, open: index === 0 },
            h("summary", {}, way.title),
            h("ul", {}, way.put.map((text) => h("li", {}, text))),
            act(`${way.title}: it stands there`, { step: "pieces", way: way.way }, index === 0),
          ),
        ),
        act("The lines do not fit: begin again", { step: "again" }, false),
      ];
    return [
      h("p", { class: "note good" }, "Saved, and in use at once. The camera knows this board."),
      h("h3", {}, "The lamp"),
      state.advice.map((line) => h("p", {}, line)),
      h("details", { "data-key": "learned" }, h("summary", {}, "What it has learned"), h("ul", {}, state.learned.map((line) => h("li", {}, line)))),
    ];
  }
}

const none = () =>
  h(
    "p",
    { class: "soft" },
    "No camera is connected. Everything can be played without one. To use one, plug it in and start the companion with ",
    h("code", {}, "--camera 0"),
    ", or set it in the settings file.",
  );

const legend = () =>
  h("p", { class: "soft" }, "Thin lines: empty. Green: a piece. Yellow: not sure. Red: cannot be seen. No lines: no game runs, or the camera does not know its board yet.");
