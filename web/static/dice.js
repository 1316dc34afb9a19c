// Dice as pictures, a pad to type what real dice showed, and the plot of counts.
import { h, s } from "./dom.js";

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** One die. Without a face: a blank one that waits. */
export function die(face) {
  const pips = (PIPS[face] ?? []).map((i) =>
    s("circle", { cx: 22 + (i % 3) * 28, cy: 22 + Math.floor(i / 3) * 28, r: 9.5, fill: face === 1 ? "#8c2b22" : "#241d15" }),
  );
  return s(
    "svg",
    { class: "die", viewBox: "0 0 100 100", role: "img", "aria-label": face ? `${face}` : "no die yet" },
    s("rect", {
      x: 3,
      y: 3,
      width: 94,
      height: 94,
      rx: 20,
      fill: "#fdf8ea",
      stroke: "#8a7b5e",
      "stroke-width": 3,
      "stroke-dasharray": face ? "none" : "8 7",
    }),
    pips,
  );
}

export const diceRow = (faces) => faces.map(die);

/** A pad for `count` dice: tap a face for each; `done` gets the faces. */
export function pad(count, done) {
  const box = h("div");
  let faces = [];
  const draw = () => {
    const asked = count > 1 ? `What does die ${faces.length + 1} of ${count} show?` : "What does the die show?";
    box.replaceChildren(
      h("p", {}, asked, faces.length ? ` So far: ${faces.join(", ")}.` : ""),
      h(
        "div",
        { class: "faces" },
        [1, 2, 3, 4, 5, 6].map((face) =>
          h(
            "button",
            { type: "button", "data-face": face, "aria-label": `The die shows ${face}`, onclick: () => tap(face) },
            die(face),
          ),
        ),
      ),
    );
  };
  const tap = (face) => {
    faces.push(face);
    if (faces.length < count) draw();
    else {
      const whole = faces;
      faces = [];
      draw();
      done(whole);
    }
  };
  draw();
  return box;
}

/** How often each face came, against what a fair die would show on average. */
export function plot(counts, label) {
  const total = counts.reduce((a, b) => a + b, 0);
  const expected = total / counts.length;
  const top = Math.max(...counts, expected, 1) * 1.15;
  const y = (count) => 120 - (100 * count) / top;
  const step = 300 / counts.length;
  const bars = counts.map((count, i) => [
    s("rect", { class: "bar", x: 20 + i * step + step * 0.15, y: y(count), width: step * 0.7, height: 120 - y(count), rx: 2 }),
    s("text", { x: 20 + i * step + step / 2, y: 136, "font-size": 13, "text-anchor": "middle" }, `${i + 1}`),
    s("text", { x: 20 + i * step + step / 2, y: y(count) - 4, "font-size": 11, "text-anchor": "middle" }, `${count}`),
  ]);
  const words = `${label}: ` + counts.map((count, i) => `${i + 1} came ${count} times`).join(", ");
  return s(
    "svg",
    { class: "plot", viewBox: "0 0 340 142", role: "img", "aria-label": words },
    bars,
    s("line", { class: "axis", x1: 20, x2: 320, y1: 120, y2: 120 }),
    total ? s("line", { class: "expected", x1: 20, x2: 320, y1: y(expected), y2: y(expected) }) : null,
  );
}
