// The record: a game move by move, with a scrubber over the board.
import { get } from "./api.js";
import { BoardPicture } from "./board.js";
import { rulingPictures } from "./camera.js";
import { diceRow, plot } from "./dice.js";
import { $, capital, h, seatBadge, show, spoken } from "./dom.js";
import { drawEvening } from "./evening.js";
import { live } from "./live.js";
import { WORD } from "./verdict.js";

const board = new BoardPicture($("board"), () => {});
let now = null;
let record = null;
let at = 0; // how many lines are shown as played
let follows = true; // the running game is shown up to its last move

live((snapshot) => {
  const before = now;
  now = snapshot;
  if (!before || before.version !== now.version) load();
});

const wanted = () => $("which").value;

async function load() {
  drawEvening($("evening"), (game) => {
    $("which").value = `${game}`;
    $("which").dispatchEvent(new Event("change"));
    scrollTo({ top: 0 });
  });
  const games = (await get("/api/history")).list ?? [];
  show(
    $("which"),
    games.map((g) => [g.number, g.state]),
    () =>
      games
        .toReversed()
        .map((g) =>
          h(
            "option",
            { value: `${g.number}`, selected: g.number === now.game?.number },
            `${g.number}. ${spoken(g.game)}, ${{ running: "running", finished: "finished", abandoned: "ended early" }[g.state] ?? g.state}${g.begun ? `, ${g.begun.slice(0, 10)}` : ""}`,
          ),
        ),
  );
  $("which").hidden = false;
  const answer = wanted() || now.game ? await get(`/api/record${wanted() ? `?game=${wanted()}` : ""}`) : { ok: false, why: [] };
  if (!answer.ok) {
    $("heading").textContent = "The record";
    $("log").replaceChildren(h("li", {}, "", h("span", {}, answer.why[0] ?? "No game has been played yet.")));
    return;
  }
  record = answer;
  if (follows || at > record.lines.length) at = record.lines.length;
  draw();
  drawStatistics();
}

function draw() {
  $("heading").textContent = record.title;
  $("result").hidden = !record.outcome;
  $("result").textContent = record.outcome?.text ?? "";
  $("scrub").hidden = $("board").hidden = false;
  $("slider").max = record.lines.length;
  $("slider").value = at;
  const line = record.lines[at - 1];
  $("at").textContent = line ? `${line.number}. ${line.text}` : "Before the first move";
  $("slider").setAttribute("aria-valuetext", $("at").textContent);
  $("back").disabled = at === 0;
  $("forth").disabled = at === record.lines.length;
  const game = wanted() ? `game=${wanted()}&` : "";
  board.load(`/api/board.svg?${game}at=${line ? line.number : 0}`);
  show($("log"), [record.lines, record.disputes, wanted(), at], () => [
    ...tried(-1),
    ...record.lines.flatMap((each, index) => [
      h(
        "li",
        { class: index + 1 === at ? "now" : "" },
        h("span", {}, `${each.number}.`),
        h(
          "div",
          {},
          h(
            "a",
            {
              href: `#${each.number}`,
              "data-key": `see ${each.number}`,
              "aria-current": index + 1 === at && "step",
              onclick: (event) => {
                event.preventDefault();
                go(index + 1);
              },
            },
            each.text,
          ),
          each.roll.length > 0 && h("span", { class: "rolls", "aria-hidden": "true" }, diceRow(each.roll)),
          each.said && h("div", { class: "soft" }, each.said),
          index + 1 === at && rulingPictures(each.pictures),
          index + 1 === at &&
            h(
              "a",
              { class: "button noprint", href: `/check?was=${each.number}${wanted() ? `&game_number=${wanted()}` : ""}` },
              "Was that legal?",
            ),
        ),
      ),
      ...tried(index),
    ]),
  ]);
  drawShare();
}

/** What was tried and not accepted after this line and before the next. */
function tried(index) {
  const from = record.lines[index]?.number ?? 0;
  const to = record.lines[index + 1]?.number ?? Infinity;
  return record.disputes
    .filter(({ after }) => after >= from && after < to)
    .map(({ text, status, why, citations }) =>
      h(
        "li",
        { class: "tried" },
        h("span", { "aria-hidden": "true" }, status === "silent" ? "?" : "✖"),
        h(
          "div",
          {},
          h("div", {}, text),
          h("div", { class: "soft" }, `${WORD[status] ?? WORD.refused}. ${why.join(" ")} `, citations.map((id) => [h("span", { class: "whole" }, id), " "])),
        ),
      ),
    );
}

function go(to) {
  at = Math.max(0, Math.min(record.lines.length, to));
  follows = at === record.lines.length;
  draw();
}

function drawShare() {
  const number = wanted() || now.game?.number;
  show(
    $("share"),
    number,
    () =>
      number && [
        h("a", { class: "button grow", href: `/api/export/${number}`, download: `game-${number}.json` }, "Save as a file"),
        h("button", { class: "grow", onclick: () => print() }, "Print"),
      ],
  );
}

/** What the evening came to: how long, who threw what. */
function drawStatistics() {
  const rolls = record.lines.filter((line) => line.roll.length);
  const moves = record.lines.filter((line) => line.kind === "played" && !line.roll.length);
  const host = record.lines.filter((line) => line.by === "host" && line.kind !== "played");
  const luck = record.seats.map((seat) => {
    const thrown = rolls.filter((line) => line.seat === seat).flatMap((line) => line.roll);
    return [
      seat,
      [1, 2, 3, 4, 5, 6].map((face) => thrown.filter((f) => f === face).length),
      thrown.length,
      thrown.reduce((a, b) => a + b, 0),
      moves.filter((m) => m.seat === seat).length,
    ];
  });
  show(
    $("statistics"),
    [record.lines.length, luck],
    () =>
      record.lines.length > 0 && [
        h("h2", {}, "Statistics"),
        h("p", {}, `${moves.length} moves, ${rolls.length} rolls${host.length ? `, ${host.length} acts of the host` : ""}.`),
        h(
          "div",
          { class: "scroll" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["Seat", "Moves", "Dice", "Average"].map((title) => h("th", { scope: "col" }, title)),
              ),
            ),
            h(
              "tbody",
              {},
              luck.map(([seat, , dice, total, moved]) =>
                h(
                  "tr",
                  {},
                  h("th", { scope: "row" }, capital(spoken(seat))),
                  h("td", {}, `${moved}`),
                  h("td", {}, `${dice}`),
                  h("td", {}, dice ? (total / dice).toFixed(2) : "–"),
                ),
              ),
            ),
          ),
        ),
        rolls.length > 0 &&
          h(
            "details",
            { "data-key": "luck" },
            h("summary", {}, "Luck ledger: who threw what"),
            luck.map(([seat, counts]) => [
              h("h3", { class: "seat" }, seatBadge(seat, spoken(seat)), spoken(seat)),
              plot(counts, spoken(seat)),
            ]),
          ),
      ],
  );
}

$("which").addEventListener("change", () => {
  follows = true;
  load();
});
$("slider").addEventListener("input", (event) => go(Number(event.target.value)));
$("back").addEventListener("click", () => go(at - 1));
$("forth").addEventListener("click", () => go(at + 1));
