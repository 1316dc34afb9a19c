// Challenge a move of the record by its number: the referee's word on it, then and now.
import { get } from "./api.js";
import { BoardPicture } from "./board.js";
import { rulingPictures } from "./camera.js";
import { $, h, show } from "./dom.js";
import { verdict } from "./verdict.js";

/** The form with which a move of the running game is challenged. */
export function drawChallenge(now) {
  const last = now.record.at(-1)?.number;
  show($("challenge"), [last, now.game?.number], () => {
    if (!last) return [];
    const number = h("input", { type: "number", min: 1, max: last, value: last, inputmode: "numeric", id: "number" });
    return [
      h("h2", {}, "Was that legal?"),
      h(
        "form",
        {
          class: "row",
          onsubmit: (event) => {
            event.preventDefault();
            challenge(now, Number(number.value));
          },
        },
        h("label", { class: "grow" }, h("span", {}, "Number in the record"), number),
        h("button", {}, "Challenge it"),
      ),
    ];
  });
}

/** Was that legal? With the board before and after. */
export async function challenge(now, number, gameNumber) {
  const past = await get(`/api/was/${number}${gameNumber ? `?game=${gameNumber}` : ""}`);
  if (!past.ok) return $("verdict").replaceChildren(verdict({ status: "refused", why: past.why }, { quiet: true }));
  const picture = (side, title) => {
    const box = h("div", { class: "board" });
    new BoardPicture(box, () => {}).show(past[side].svg);
    return h("figure", {}, h("figcaption", {}, title), box);
  };
  $("verdict").replaceChildren(
    h("p", { class: "turn" }, `${past.line.number}. ${past.line.text}`),
    past.ruling ? verdict({ ...past.ruling, steps: [] }, { game: past.game }) : "",
    h("p", {}, past.remedy),
    rulingPictures(past.pictures) ?? "",
    h("details", {}, h("summary", {}, "The board before and after"), picture("before", "Before"), picture("after", "After")),
  );
  $("verdict").scrollIntoView({ block: "nearest" });
  return null;
}
