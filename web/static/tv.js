// The table on a TV: board, turn, dice, announcements, and the way in.
import { get } from "./api.js";
import { BoardPicture } from "./board.js";
import { $, h, show } from "./dom.js";
import { live } from "./live.js";
import { drawTable, lately } from "./table.js";

const board = new BoardPicture($("board"), () => {});
let now = null;
const INVITATION_EVERY = 10_000; // a kick or a new host makes another code

live(
  (snapshot) => {
    const before = now;
    now = snapshot;
    drawTable(now, before);
    drawBoard();
    drawNews();
    if (!before) drawInvitation();
  },
  { evenHidden: true },
);

function drawBoard() {
  $("board").hidden = !now.game;
  const key = now.game && JSON.stringify([now.game.number, now.layout, now.platform]);
  if (!key || key === board.key) return;
  board.key = key;
  board.load(`/api/board.svg?version=${now.version}`).then((worked) => {
    if (!worked) board.key = null;
  });
}

function drawNews() {
  const facts = lately(now, 5);
  show($("news"), facts, () => facts.map((text) => h("li", {}, text)));
}

async function drawInvitation() {
  setTimeout(drawInvitation, INVITATION_EVERY);
  const pairing = await get("/api/pairing");
  if (!pairing.ok) return;
  show($("invite"), [pairing.join, pairing.code], () => [
    h("div", { class: "qr" }, h("img", { src: `/api/join.svg?${now.serial}`, alt: "QR code with which a phone joins" })),
    h(
      "div",
      {},
      h("p", {}, h("b", {}, "Join with your phone")),
      h(
        "p",
        {},
        "Scan the code, or open ",
        h("span", { class: "address" }, short(pairing.address)),
        pairing.name && pairing.name !== pairing.address && [" or ", h("span", { class: "address" }, short(pairing.name))],
      ),
      pairing.code && h("p", {}, "Host code: ", h("b", { class: "address" }, pairing.code.replace(/(\d{4})(?=\d)/g, "$1 "))),
    ),
  ]);
}

const short = (url) => url.replace(/^https?:\/\//, "");
