// Begin a game: which, how many, whose seats, and how the unclear rules are read at this table.
import { get } from "./api.js";
import { $, h, show, spoken } from "./dom.js";

export async function drawNewGame(box, now, ask) {
  box.hidden = false;
  const [games, history] = await Promise.all([get("/api/games"), get("/api/history")]);
  const list = games.list ?? [];
  if (!list.length) return;
  const running = now().game;
  const form = h("form", {
    onsubmit: (event) => {
      event.preventDefault();
      begin(form, list, now, ask);
    },
  });
  const parts = h("div", { id: "parts" });
  const which = h(
    "select",
    {
      id: "new-game",
      name: "game",
      onchange: () =>
        drawParts(
          parts,
          list.find((g) => g.name === which.value),
        ),
    },
    list.map((g) => h("option", { value: g.name }, g.title)),
  );
  form.append(
    h("label", { class: "field" }, h("span", {}, "Game"), which),
    parts,
    h("fieldset", { id: "devices" }),
    h("button", { class: "main big wide" }, "Begin"),
  );
  const unfinished = (history.list ?? []).filter((g) => g.state === "running" && g.number !== running?.number);
  const whole = [
    form,
    ...(unfinished.length
      ? [
          h("h3", {}, "Or go on with an earlier one"),
          h(
            "ul",
            { class: "choices" },
            unfinished
              .reverse()
              .slice(0, 6)
              .map((g) =>
                h(
                  "li",
                  {},
                  h(
                    "button",
                    { onclick: () => ask("/api/resume", { game: g.number }) },
                    `${g.number}. ${spoken(g.game)}${g.begun ? `, ${g.begun.slice(0, 16)}` : ""}`,
                  ),
                ),
              ),
          ),
        ]
      : []),
  ];
  box.replaceChildren(
    ...(running && !now().outcome
      ? [h("details", {}, h("summary", {}, "Begin another game"), whole)]
      : [h("h2", {}, "New game"), ...whole]),
  );
  drawParts(parts, list[0]);
  drawDevices(now());
}

/** What plays along, and whether the camera is to: with every snapshot, for a die may be plugged in while the host chooses. */
export function drawDevices(now) {
  const box = $("devices");
  const camera = now.host?.camera ?? null;
  if (!box) return;
  show(box, [now.devices, camera, now.host?.verbosity], () => [
    h("legend", {}, "Devices"),
    h("p", {}, now.devices.map((d) => d.state || spoken(d.source)).join(" ") || "No electronic die: rolls are typed, or thrown by the companion."),
    camera === null
      ? h("p", {}, "No camera: moves are tapped.")
      : h("label", { class: "choice" }, h("input", { type: "checkbox", name: "camera", checked: camera, "data-key": "with camera" }), "The camera watches the board"),
    h("p", {}, now.host?.verbosity ? "The table's voice speaks; how much is set below." : "The table has no voice: each phone can speak."),
  ]);
}

function drawParts(box, game) {
  const choose = (id, label, values, onchange) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, label),
      h(
        "select",
        { id, onchange },
        values.map(([value, text]) => h("option", { value }, text)),
      ),
    );
  const seatings = h("div");
  const variants = choose(
    "new-variant",
    "Variant",
    game.variants.map((v) => [v.name, v.title]),
    () => drawPlayers(),
  );
  const drawPlayers = () => {
    const variant = game.variants.find((v) => v.name === variants.querySelector("select").value);
    seatings.replaceChildren(
      choose(
        "new-players",
        "Players",
        variant.players.map((n) => [n, `${n}`]),
        () => drawSeats(),
      ),
      h("div", { id: "seat-choice" }),
    );
    const drawSeats = () => {
      const count = Number($("new-players").value);
      const usual = variant.seats.find((s) => s.length === count) ?? [];
      const possible = game.seats.filter((seat) => variant.seats.some((s) => s.includes(seat)));
      $("seat-choice").replaceChildren(
        ...(count === possible.length
          ? []
          : [
              h(
                "fieldset",
                {},
                h("legend", {}, `Seats (${count})`),
                possible.map((seat) =>
                  h(
                    "label",
                    { class: "choice" },
                    h("input", { type: "checkbox", name: "seat", value: seat, checked: usual.includes(seat) }),
                    game.seat_names[seat],
                  ),
                ),
              ),
            ]),
      );
    };
    requestAnimationFrame(drawSeats);
  };
  const option = (o) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, o.question),
      h("input", { "data-option": o.name, value: o.default, maxlength: 200 }),
    );
  const boards =
    game.boards.length > 1
      ? [
          choose(
            "new-board",
            "Board",
            game.boards.map((b) => [b, game.board_titles?.[b] ?? spoken(b)]),
          ),
        ]
      : [];
  const reading = (r) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, r.question),
      h(
        "select",
        { "data-reading": r.name },
        Object.entries({ ...r.values, ask: "Ask us when it matters" }).map(([value, text]) =>
          h(
            "option",
            { value, selected: value === (game.house_rules[r.name] ?? r.default) },
            `${text}${value === r.default ? " (usual)" : ""}`,
          ),
        ),
      ),
    );
  const high = game.readings.filter((r) => r.impact === "high");
  const rest = game.readings.filter((r) => r.impact !== "high");
  box.replaceChildren(
    ...(game.variants.length > 1 ? [variants] : []),
    seatings,
    ...boards,
    ...game.options.map(option),
    h(
      "details",
      {},
      h("summary", {}, `House rules: ${game.readings.length} points on which the leaflet is unclear`),
      h(
        "p",
        { class: "soft" },
        "Leave them as they are if you do not mind. Everybody sees the card and agrees before the first move.",
      ),
      high.length > 0 && h("h3", {}, "These decide games"),
      high.map(reading),
      rest.length > 0 && h("h3", {}, "The rest"),
      rest.map(reading),
    ),
  );
  drawPlayers();
}

async function begin(form, list, now, ask) {
  const game = list.find((g) => g.name === $("new-game").value);
  const seats = [...form.querySelectorAll("[name=seat]:checked")].map((box) => box.value);
  const count = Number($("new-players").value);
  const chosen = (attribute) =>
    Object.fromEntries([...form.querySelectorAll(`[data-${attribute}]`)].map((field) => [field.dataset[attribute], field.value]));
  const terms = {
    game: game.name,
    variant: $("new-variant")?.value ?? game.variants[0].name,
    seats: form.querySelector("[name=seat]") ? seats : count,
    readings: chosen("reading"),
    options: chosen("option"),
    ...($("new-board") ? { board: $("new-board").value } : {}),
    instead: Boolean(now().game && !now().outcome && form.dataset.sure),
  };
  const button = form.querySelector("button.main");
  if (now().game && !now().outcome && !form.dataset.sure) {
    form.dataset.sure = "yes";
    button.textContent = "A game is running. End it and begin this one?";
    return;
  }
  const camera = form.querySelector("[name=camera]");
  if (camera && camera.checked !== now().host.camera) await ask("/api/camera", { on: camera.checked });
  const answer = await ask("/api/start", terms);
  delete form.dataset.sure;
  button.textContent = "Begin";
  if (answer.ok) location.assign("/play");
}
