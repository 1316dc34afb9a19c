// The legal moves as a list of buttons: the board in words.
import { $, h, seatName, show, spoken } from "./dom.js";
import { myMoves, playsAll } from "./mine.js";

/** All that is legal for whoever holds this phone; `moveButton` makes the button that chooses one. */
export function drawMoves(now, moveButton) {
  const moves = myMoves(now);
  show($("moves"), [moves, playsAll(now)], () => {
    if (!moves.length) return [];
    const loose = moves.filter((m) => !m.to && !m.from);
    const groups = Map.groupBy
      ? Map.groupBy(
          moves.filter((m) => m.to || m.from),
          (move) => group(now, move),
        )
      : grouped(now, moves.filter((m) => m.to || m.from));
    const few = moves.length <= 8;
    const list = (some) =>
      h(
        "ul",
        { class: "choices" },
        some.map((m) => h("li", {}, moveButton(m))),
      );
    return h(
      "div",
      { class: "card" },
      h("h2", {}, moves.length === 1 ? "One legal move" : `${moves.length} legal moves`),
      loose.length > 0 && list(loose),
      few
        ? list(moves.filter((m) => m.to || m.from))
        : [...groups].map(([name, some]) =>
            h("details", { "data-key": name }, h("summary", {}, `${name} (${some.length})`), list(some)),
          ),
    );
  });
}

const group = (now, move) =>
  `${playsAll(now) ? `${seatName(now, move.seat)}: ` : ""}${move.piece ? spoken(move.piece) : spoken(move.do)}${move.from ? ` on ${move.from}` : ""}`;

function grouped(now, moves) {
  const out = new Map();
  for (const move of moves) out.set(group(now, move), [...(out.get(group(now, move)) ?? []), move]);
  return out;
}
