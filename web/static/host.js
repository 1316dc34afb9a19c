// The host's page: begin a game, guests, and everything that only the host may do.
import { get, post } from "./api.js";
import { Arranger } from "./arrange.js";
import { CameraCard } from "./calibrate.js";
import { $, h, seatBadge, seatName, show, spoken } from "./dom.js";
import { arrived, live } from "./live.js";
import { drawDevices, drawNewGame } from "./new_game.js";
import { drawSetUp } from "./set_up.js";
import { verdict } from "./verdict.js";

let now = null;
let stands = new URLSearchParams(location.search).get("stand"); // a refused move that is to be let stand

const camera = new CameraCard($("camera"), () => now, (path, body) => ask(path, body));

live(async (snapshot) => {
  now = snapshot;
  const isHost = now.you.role === "host";
  show($("door"), isHost, () => !isHost && door());
  for (const id of ["setup", "running", "camera", "new", "guests", "voice", "health"]) if (!isHost) $(id).hidden = true;
  if (!isHost) return;
  drawSetUp($("setup"), now, { onRight: () => ask("/api/set_up", { right: true }) });
  drawRunning();
  camera.draw();
  const runs = Boolean(now.game && !now.outcome);
  if ($("new").runs !== runs) drawNewGame($("new"), () => now, ask);
  else drawDevices(now);
  $("new").runs = runs;
  drawGuests();
  drawVoice();
  drawHealth();
  if (stands && now.game) letStand();
});

/** Ask the table, show what it says. */
async function ask(path, body) {
  const answer = arrived(await post(path, body));
  $("answer").replaceChildren(
    ...[answer.ok ? null : verdict({ ...answer, status: answer.status ?? "refused" }, { quiet: true })].filter(Boolean),
  );
  if (!answer.ok) $("answer").scrollIntoView({ block: "nearest" });
  return answer;
}

const act = (kind, fields = {}) => ask("/api/act", { kind, ...fields, seen: now.version });

function door() {
  return [
    h("p", {}, "This page is for the host of the table."),
    h("a", { class: "button main wide", href: "/join" }, "I am the host: type the code"),
  ];
}

// --- the running game ---

function drawRunning() {
  const last = now.record.at(-1)?.number ?? 0;
  const facts = [now.game, now.paused, now.outcome, last, now.due.map((d) => d.seat), now.card];
  show(
    $("running"),
    facts,
    () =>
      now.game && [
        h("h2", {}, `${now.game.title}${now.outcome ? ": over" : now.paused ? ": paused" : ""}`),
        h(
          "div",
          { class: "row" },
          !now.outcome &&
            h(
              "button",
              {
                class: now.paused ? "main grow" : "grow",
                "data-key": "pause",
                onclick: () => act("paused", { on: !now.paused }),
              },
              now.paused ? "Go on" : "Pause",
            ),
          last > 0 &&
            h(
              "button",
              { class: "grow", "data-key": "back", onclick: () => act("took_back", { to: last }) },
              "Take back the last",
            ),
          h("a", { class: "button grow", href: "/play" }, "To the board"),
        ),
        h("details", { "data-key": "back to" }, h("summary", {}, "Take back to any point"), backTo()),
        h(
          "details",
          { "data-key": "seats" },
          h("summary", {}, "Pass over or let leave"),
          now.game.seats
            .filter((s) => !now.game.gone.includes(s))
            .map((seat) =>
              h(
                "div",
                { class: "row" },
                h("span", { class: "seat grow" }, seatBadge(seat, seatName(now, seat)), seatName(now, seat)),
                h(
                  "button",
                  { "aria-label": `Pass over ${seatName(now, seat)}`, onclick: () => act("skipped", { seat }) },
                  "Pass over",
                ),
                sure("Leaves", `${seatName(now, seat)}, for good`, () => act("left", { seat })),
              ),
            ),
        ),
        h(
          "details",
          { "data-key": "readings" },
          h("summary", {}, "Decide an unclear rule"),
          now.card.filter((r) => r.decided_by !== "table" || r.value).map(casting),
        ),
        h("button", { class: "wide", "data-key": "arrange", onclick: putRight }, "Put the position right"),
        h("details", { "data-key": "correct" }, h("summary", {}, "For experts: the position as JSON"), correction()),
        h(
          "div",
          { class: "row" },
          sure("End the game", "without a winner", () => ask("/api/abandon", { why: "ended by the host" })),
        ),
      ],
  );
}

/** A button that asks once more. `about` tells those who hear the page what it is about. */
function sure(label, about, then) {
  const visible = h("span", {}, label);
  const button = h(
    "button",
    {
      class: "danger",
      onclick: () => {
        if (button.dataset.armed) return then();
        button.dataset.armed = "yes";
        button.style.minWidth = `${button.offsetWidth}px`; // it stays where it is under the finger
        visible.textContent = "Sure?";
        setTimeout(() => {
          delete button.dataset.armed;
          visible.textContent = label;
        }, 5000);
        return null;
      },
    },
    visible,
    h("span", { class: "unseen" }, ` (${about})`),
  );
  return button;
}

function backTo() {
  return now.record.length === 0
    ? h("p", {}, "Nothing has happened yet.")
    : h(
        "ol",
        { class: "log" },
        [...now.record].reverse().map((line) =>
          h(
            "li",
            {},
            h("span", {}, `${line.number}.`),
            h(
              "span",
              {},
              `${line.text} `,
              sure("Back to before this", `number ${line.number} and everything after it goes`, () =>
                act("took_back", { to: line.number }),
              ),
            ),
          ),
        ),
      );
}

function casting(reading) {
  return h(
    "label",
    { class: "field" },
    h("span", {}, reading.question),
    h(
      "select",
      { "data-key": reading.name, onchange: (event) => act("decided", { reading: reading.name, value: event.target.value }) },
      reading.value === "ask" && h("option", { value: "" }, "not decided"),
      Object.entries(reading.values).map(([value, meaning]) =>
        h("option", { value, selected: value === reading.value }, meaning),
      ),
    ),
  );
}

// --- the position put right by hand, or a refused move let stand ---

const why = h("input", { maxlength: 200, id: "why" });
const arranger = new Arranger($("arrange"), {
  use: "This is how it stands",
  onUse: (fields) => useArranged(fields),
  onClose: () => arranger.close(),
  extra: [h("label", { class: "field" }, h("span", {}, "Why, for the record (may be empty)"), why)],
});
let arranged = { seen: 0, event: null };

const putRight = () => arrange(null, "Put the position right", (layout) => layout);

/** The board as it would stand after the move, to be put right where the move did more than that. */
function letStand() {
  let event = null;
  try {
    event = JSON.parse(stands);
  } catch {
    /* somebody else's address: there is nothing to let stand */
  }
  stands = null;
  history.replaceState(null, "", "/host");
  if (!event || typeof event !== "object") return;
  const move = [event.do, event.piece, event.from, event.to && "to", event.to].filter(Boolean).join(" ");
  arrange(event, `Let it stand: ${seatName(now, `${event.seat}`)}, ${spoken(move).toLowerCase()}`, (layout) => {
    const at = layout.findIndex((p) => p.space === event.from && (!event.piece || p.piece === event.piece));
    return at < 0 || !event.to ? layout : layout.map((p, index) => (index === at ? { ...p, space: event.to } : p));
  });
}

async function arrange(event, title, moved) {
  const { game, variant, seats, board, readings, options, position, why: trouble } = await get("/api/position");
  if (!position) return $("answer").replaceChildren(verdict({ status: "refused", why: trouble }, { quiet: true }));
  arranged = { seen: now.version, event };
  $("answer").replaceChildren();
  await arranger.open({ game, variant, seats, board, readings, options, position }, title, moved);
  $("arrange").scrollIntoView({ block: "start" });
  return null;
}

async function useArranged(fields) {
  const { seen, event } = arranged;
  const act = event ? { kind: "let_stand", event } : { kind: "corrected", why: why.value };
  const answer = await ask("/api/act", { ...act, ...fields, seen });
  if (answer.ok) why.value = "";
  if (answer.ok || answer.status === "stale") arranger.close();
}

/** The position as text: complete for every game. A refused move is let stand with the position that then stands on the board. */
function correction() {
  const box = h("textarea", { "aria-label": "Position as JSON", spellcheck: "false", "data-keep": "position" });
  const reason = h("input", { maxlength: 200, "aria-label": "Why", "data-keep": "why" });
  const standing = h("input", {
    maxlength: 200,
    "aria-label": "Move to let stand",
    "data-keep": "move",
    placeholder: '{"seat": …, "do": …}',
  });
  const load = async () => {
    box.value = JSON.stringify((await get("/api/position")).position ?? {}, null, 1);
  };
  const read = (text, then) => {
    try {
      return then(JSON.parse(text));
    } catch (error) {
      return $("answer").replaceChildren(
        verdict({ status: "refused", why: [`This is not JSON: ${error.message}`] }, { quiet: true }),
      );
    }
  };
  return h(
    "div",
    {},
    h("p", { class: "soft" }, "Load the position, change it, and put it in force. Everybody is told, and the record keeps it."),
    h("div", { class: "row" }, h("button", { onclick: load }, "Load the present position")),
    box,
    h("label", { class: "field" }, h("span", {}, "Why"), reason),
    h(
      "button",
      { class: "wide", onclick: () => read(box.value, (position) => act("corrected", { position, why: reason.value })) },
      "Put this position in force",
    ),
    h("label", { class: "field" }, h("span", {}, "Or let a refused move stand, with the position above"), standing),
    h(
      "button",
      {
        class: "wide",
        onclick: () => read(box.value, (position) => read(standing.value, (event) => act("let_stand", { event, position }))),
      },
      "Let it stand",
    ),
  );
}

// --- guests, voice, health ---

function drawGuests() {
  const guests = now.host?.guests ?? [];
  show($("guests"), [guests, now.game?.seats, now.you.guest], () => [
    h("h2", {}, "Guests"),
    guests.map((g) =>
      h(
        "div",
        { class: "row" },
        h(
          "b",
          { class: "name" },
          `${g.name}${g.guest === now.you.guest ? " (you)" : ""}${g.online || g.guest === now.you.guest ? "" : ", away"}`,
        ),
        now.game &&
          h(
            "select",
            {
              "aria-label": `Seat of ${g.name}`,
              "data-key": `seat ${g.guest}`,
              onchange: (event) => ask("/api/seat", { guest: g.guest, seat: event.target.value }),
            },
            h("option", { value: "" }, "watches"),
            now.game.seats.map((seat) => h("option", { value: seat, selected: seat === g.seat }, seatName(now, seat))),
          ),
        g.guest !== now.you.guest && sure("Send away", g.name, () => ask("/api/kick", { guest: g.guest })),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button grow", href: "/join" }, "Show the QR code"),
      h("button", { class: "grow", onclick: () => ask("/api/renew", {}) }, "New QR code"),
    ),
    h("p", {}, "Another host's code: ", h("b", { class: "address" }, now.host?.code ?? "")),
  ]);
}

function drawVoice() {
  const level = now.host?.verbosity;
  show($("voice"), level ?? "none", () => [
    h("h2", {}, "Voice of the table"),
    level
      ? h(
          "label",
          { class: "field" },
          h("span", {}, "How much it says"),
          h(
            "select",
            { "data-key": "verbosity", onchange: (event) => ask("/api/settings", { verbosity: event.target.value }) },
            Object.entries({
              full: "Everything, with the rules",
              normal: "What happens",
              rolls: "Only rolls",
              silent: "Nothing",
            }).map(([value, text]) => h("option", { value, selected: value === level }, text)),
          ),
        )
      : h(
          "p",
          { class: "soft" },
          "The table has no voice of its own now. Each phone can speak: see “This phone” on the play page.",
        ),
  ]);
}

function drawHealth() {
  show($("health"), [now.trouble, now.devices, now.host?.notice], () => [
    h("h2", {}, "Health"),
    h(
      "ul",
      { class: "plainlist" },
      h("li", {}, now.trouble ? `✖ Not saved: ${now.trouble}` : "✔ Everything is saved."),
      now.devices.length === 0 &&
        h("li", {}, "– No electronic die is connected. Rolls can be typed, or thrown by the companion."),
      now.devices.map((d) => h("li", {}, `• ${d.state || spoken(d.source)}`)),
      now.host?.notice && h("li", {}, `✖ ${now.host.notice}`),
    ),
    h("button", { class: "wide", "data-key": "examine", onclick: examine }, "Examine everything"),
    h("div", { id: "findings", role: "status" }),
  ]);
}

/** What the companion stands on, part by part, with what to do. */
async function examine() {
  const answer = await get("/api/health");
  $("findings").replaceChildren(
    answer.ok
      ? h(
          "dl",
          { class: "facts" },
          answer.list.map((f) => [
            h("dt", {}, `${spoken(f.part)}: ${f.state}`),
            h("dd", {}, f.found, f.advice && h("p", {}, h("b", {}, f.advice))),
          ]),
        )
      : verdict({ ...answer, status: "refused" }, { quiet: true }),
  );
}
