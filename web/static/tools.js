// Below the board: take back, take a seat, and the choices of this phone.
import { phoneChoices } from "./aloud.js";
import { post } from "./api.js";
import { $, again, h, show, store } from "./dom.js";
import { isHost } from "./mine.js";

/** Taking back, sitting down, and the choices of this phone. `redraw`: one of them changes what may be done here. */
export function drawTools(now, act, redraw) {
  const last = now.record.at(-1);
  const own = last && last.kind === "played" && !last.roll.length && (last.seat === now.you.seat || isHost(now));
  show($("tools"), [now.game?.number, own && last.number, own && last.text, isHost(now), now.you.seat, now.you.role], () => [
    now.game &&
      !now.you.seat &&
      !isHost(now) &&
      h("p", { class: "note ask" }, "You are watching. ", h("a", { href: "/join" }, "Take a seat")),
    own && h("button", { class: "wide", "data-key": "back", onclick: () => takeBack(now, act) }, `Take back: ${last.text}`),
    h(
      "details",
      { class: "card", "data-key": "choices" },
      h("summary", {}, "This phone: colours, type, speech"),
      isHost(now) &&
        now.you.seat &&
        h(
          "label",
          { class: "choice" },
          h("input", {
            type: "checkbox",
            checked: store("plays_all") === "on",
            onchange: (event) => {
              store("plays_all", event.target.checked ? "on" : null);
              again($("tools"));
              redraw();
            },
          }),
          "I move for every seat",
        ),
      phoneChoices(),
    ),
  ]);
}

const takeBack = (now, act) => act(() => post("/api/act", { kind: "took_back", to: now.record.at(-1).number, seen: now.version }));
