// What waits for an answer on the play page: the camera's question, the house rules, votes, a pause, and how it ended.
import { post } from "./api.js";
import { rulingPictures } from "./camera.js";
import { $, h, seatName, show } from "./dom.js";
import { houseRules } from "./house_rules.js";
import { ended } from "./in_words.js";
import { isHost, isMine, playsAll } from "./mine.js";

// What the camera says or asks; whoever sits at the table may answer.
function observed(now, act, { text, choices, pictures, citations }) {
  const mayAnswer = Boolean(now.you.seat) || isHost(now);
  return h(
    "section",
    { class: "note ask" },
    h("h2", {}, "The camera"),
    h("p", {}, text, citations.length > 0 && ` (${citations.join(", ")})`),
    choices.length > 0 &&
      h(
        "ul",
        { class: "choices" },
        choices.map((choice, number) =>
          h(
            "li",
            {},
            mayAnswer
              ? h("button", { "data-key": `choose ${number}`, onclick: () => act(() => post("/api/choose", { choice: number, text })) }, choice)
              : choice,
          ),
        ),
      ),
    mayAnswer && rulingPictures(pictures),
  );
}

/** Everything that waits for an answer: the camera, the house rules, votes, the end, a pause. `act` asks the table. */
export function drawAsked(now, act) {
  const seat = now.you.seat;
  const open = now.card.filter((r) => now.votes.some((v) => v.reading === r.name));
  const must = now.must_agree.filter((s) => isMine(now, s));
  show($("camera"), now.observed && now.observed.kind !== "set_up" && [now.observed, Boolean(seat) || isHost(now)], (facts) => facts && observed(now, act, now.observed));
  show($("ask"), [must, now.must_agree.length ? now.card : [], open, now.votes, now.outcome, now.paused, isHost(now)], () => [
    now.outcome && ended(now),
    now.must_agree.length > 0 &&
      h(
        "section",
        { class: "card" },
        h("h2", {}, "House rules of this table"),
        houseRules(now.card),
        must.length > 0 &&
          h(
            "div",
            { class: "confirm" },
            must.map((s) =>
              h(
                "button",
                {
                  class: "main big wide",
                  "data-key": `agree ${s}`,
                  onclick: () => act(() => post("/api/act", { kind: "agreed", seat: s, seen: now.version })),
                },
                playsAll(now) ? `${seatName(now, s)} agrees` : "I agree",
              ),
            ),
          ),
      ),
    open.map((reading) =>
      h(
        "section",
        { class: "note ask" },
        h("h2", {}, "A vote"),
        h("p", {}, reading.question),
        h(
          "ul",
          { class: "choices" },
          Object.entries(reading.values).map(([value, meaning]) =>
            h(
              "li",
              {},
              seat || isHost(now)
                ? h("button", { "data-key": `vote ${value}`, onclick: () => vote(now, act, reading.name, value) }, meaning)
                : meaning,
            ),
          ),
        ),
        h(
          "p",
          {},
          "Voted: ",
          now.votes
            .filter((v) => v.reading === reading.name)
            .map((v) => `${seatName(now, v.seat)} for “${reading.values[v.value]}”`)
            .join("; "),
        ),
      ),
    ),
    now.paused &&
      isHost(now) &&
      h(
        "button",
        { class: "main big wide", onclick: () => act(() => post("/api/act", { kind: "paused", on: false, seen: now.version })) },
        "Go on",
      ),
  ]);
}

const vote = (now, act, reading, value) =>
  act(() =>
    post("/api/act", {
      ...(now.you.seat ? { kind: "voted", seat: now.you.seat } : { kind: "decided" }),
      reading,
      value,
      seen: now.version,
    }),
  );
