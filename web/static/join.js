// Join: a name, a seat, and the way in for the next phone. The QR code's token stands after the # and never leaves this phone but to join.
import { get, post } from "./api.js";
import { $, h, seatBadge, seatName, show, store } from "./dom.js";
import { again, arrived, live } from "./live.js";
import { verdict } from "./verdict.js";

let token = "";
let now = null;
$("name").value = store("name") ?? "";

/** Also when the code is scanned while this page is open: only what stands after the # is new then, and nothing is loaded again. */
function takeToken() {
  token = unescaped(location.hash.slice(1)) || token;
  if (location.hash) history.replaceState(null, "", location.pathname);
  $("token").value = token;
  $("token-field").hidden = Boolean(token);
  if (now) draw(now);
}

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // somebody else's address
  }
}

function tell(answer) {
  arrived(answer);
  $("answer").replaceChildren(...(answer.ok ? [] : [verdict({ ...answer, status: "refused" }, { quiet: true })]));
  return answer.ok;
}

$("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = $("name").value.trim();
  if (!tell(await post("/api/join", { name, ...($("token").value ? { token: $("token").value } : {}) }))) return;
  store("name", name);
  token = $("token").value = "";
  start();
});

$("host").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await post("/api/host", {
    code: $("code").value,
    ...($("name").value.trim() ? { name: $("name").value.trim() } : {}),
  });
  if (tell(answer)) location.assign("/host");
});

function draw(snapshot) {
  now = snapshot;
  const known = now.you.guest > 0;
  $("join").hidden = known && !token;
  $("host-door").hidden = now.you.role === "host";
  show($("seats"), [known, now.game?.seats, now.players, now.you], () => known && now.game && seats());
  show($("me"), [known, now.you], () => known && me());
}

function seats() {
  const taken = Object.fromEntries(now.players.map((p) => [p.seat, p.name]));
  return [
    h("h2", {}, `${now.game.title}: choose a seat`),
    h(
      "ul",
      { class: "choices" },
      now.game.seats.map((seat) => {
        const mine = seat === now.you.seat;
        const words = mine ? "yours" : taken[seat] ? taken[seat] : "free";
        return h(
          "li",
          {},
          h(
            "button",
            { "data-key": seat, class: mine ? "main" : "", disabled: Boolean(taken[seat]) && !mine, onclick: () => sit(seat) },
            seatBadge(seat, seatName(now, seat)),
            `${seatName(now, seat)}: ${words}`,
          ),
        );
      }),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "a",
        { class: `button grow${now.you.seat ? " main big" : ""}`, href: "/play" },
        now.you.seat ? "To the game" : "Only watch",
      ),
      now.you.seat && h("button", { onclick: () => sit("") }, "Stand up"),
    ),
  ];
}

const sit = async (seat) => tell(await post("/api/seat", { seat }));

function me() {
  const rename = h("input", { value: now.you.name, maxlength: 24, "aria-label": "Your name" });
  return [
    h("h2", {}, `You are ${now.you.name}`),
    !now.game && h("p", {}, "No game is running yet. The host begins one; you can choose a seat then."),
    h(
      "details",
      { "data-key": "more" },
      h("summary", {}, "Change name, hand over, leave"),
      h(
        "div",
        { class: "row" },
        h("span", { class: "grow" }, rename),
        h("button", { onclick: async () => tell(await post("/api/join", { name: rename.value })) }, "Change name"),
      ),
      now.you.seat &&
        h(
          "div",
          {},
          h("button", { class: "wide", onclick: handOver }, "Hand my seat over to another phone"),
          h("p", { id: "ticket" }),
        ),
      h("button", { class: "wide danger", onclick: leave }, "Leave the table"),
    ),
  ];
}

async function handOver() {
  const answer = await post("/api/hand_over");
  if (tell(answer))
    $("ticket").replaceChildren(
      "Open this on the other phone, within ten minutes: ",
      h("span", { class: "address" }, answer.url),
    );
}

async function leave() {
  if (tell(await post("/api/leave"))) location.assign("/");
}

async function start() {
  const pairing = await get("/api/pairing");
  if (!pairing.ok) return notYet();
  if (now) again(); // the table's own screen looked on before: from now on it is somebody's
  else live(draw);
  $("invite").hidden = false;
  $("invite").replaceChildren(h("h2", {}, "Let another phone in"), invitation(pairing));
}

function notYet() {
  $("line").firstElementChild.textContent = "Not at the table yet";
}

export function invitation(pairing) {
  return h(
    "div",
    {},
    h("div", { class: "qr" }, h("img", { src: `/api/join.svg?${Date.now()}`, alt: "QR code with which a phone joins" })),
    h("p", {}, "Scan it, or type ", h("span", { class: "address" }, (pairing.name || pairing.address).replace("http://", ""))),
  );
}

addEventListener("hashchange", takeToken);
takeToken();
start();
