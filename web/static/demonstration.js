// The demonstration evening: one tap begins it; while it runs, what the rendered camera sees, and the seats that may be taken over.
import { get, post } from "./api.js";
import { LivePicture } from "./camera.js";
import { $, h, show } from "./dom.js";

const EVERY = 1500; // milliseconds between two looks at how it stands
const box = $("demonstration");
const isPlay = document.body.querySelector("main.play, #board") !== null;
const live = new LivePicture({
  alt: "What the rendered camera sees now: the board, the pieces, and a hand that moves them",
  every: 350,
  busy: "The board is being laid on the table, and the eye learns it. A moment…",
});
live.frame.id = "live";
let timer = 0;
let facts = null;

async function look() {
  clearTimeout(timer);
  if (!document.hidden) take(await get("/api/demonstration"));
  timer = setTimeout(look, EVERY);
}

function take(answer) {
  if (!answer.ok) return;
  facts = answer;
  show(box, [answer.offered, answer.on, answer.free, answer.seats, answer.mine], () => answer.offered && (answer.on ? running() : offer()));
  if (answer.on && isPlay) live.start();
  if ($("seen")) $("seen").textContent = answer.seen;
}

function offer() {
  if (!facts.free) return null;
  const games = h(
    "select",
    { "aria-label": "Game of the demonstration", "data-keep": "game" },
    facts.games.map(({ name, title }) => h("option", { value: name }, title)),
  );
  return [
    h("h2", {}, "See how it works"),
    h("p", {}, "Computer players throw the die and move pieces on a rendered table, the camera looks on, the referee rules. You may take over a seat in the middle."),
    h("div", { class: "row" }, h("span", { class: "grow" }, games)),
    h("button", { class: "main wide", "data-key": "demonstration", onclick: () => begin(games.value) }, "Watch a demonstration"),
    h("div", { id: "demonstration-answer", role: "alert" }),
  ];
}

async function begin(game) {
  const answer = await post("/api/demonstration", { on: true, game });
  if (!answer.ok) return $("demonstration-answer").replaceChildren(h("p", {}, answer.why?.[0] ?? answer.error ?? "It did not begin."));
  if (isPlay) return take(answer);
  return location.assign("/play");
}

function running() {
  return [
    isPlay &&
      h(
        "figure",
        { class: "seen" },
        live.box,
        h("figcaption", {}, "Synthetic: a rendered table, seen by the real eye."),
      ),
    isPlay && h("p", { id: "seen", class: "turn" }),
    h("p", {}, !facts.seats.length ? "All seats are yours; the hands put the pieces as you tap." : facts.mine ? "You play this seat, computer players the others." : "Computer players play. You may take over a seat:"),
    h(
      "div",
      { class: "row" },
      facts.mine && h("button", { class: "grow", "data-key": "stand", onclick: () => sit("") }, `Let the computer play ${facts.names[facts.mine]}`),
      !facts.mine && facts.seats.map((seat) => h("button", { class: "grow", "data-key": seat, onclick: () => sit(seat) }, `Play ${facts.names[seat]}`)),
      !isPlay && h("a", { class: "button grow", href: "/play" }, "To the game"),
      h("button", { class: "danger", "data-key": "end", onclick: end }, "End the demonstration"),
    ),
  ];
}

const sit = async (seat) => {
  await post("/api/seat", { seat });
  look();
};
const end = async () => take(await post("/api/demonstration", { on: false }));

document.addEventListener("visibilitychange", () => !document.hidden && look());
look();
