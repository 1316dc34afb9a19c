// Mapping one's own board: picture, corners, lines, names of the spaces, and it can be played on. The server keeps every step, so a reload
// goes on where it was, and every step can be taken back.
import { get, post } from "./api.js";
import { $, announce, h } from "./dom.js";
import { live } from "./live.js";
import { KINDS, handles, numbers, usual } from "./map_shapes.js";
import { Sheet } from "./map_sheet.js";

const STAGES = [["picture", "Picture"], ["corners", "Corners"], ["lines", "Lines"], ["names", "Names"], ["save", "Save"]];
const LARGEST = 2400; // pixels: more shows no more of a board
let draft = null;
let stage = "picture";
let mark = ""; // of the palette
let sender = ""; // a Go square that waits for the tap on where it sends
let mode = ""; // what a tap on the sheet adds: "extra", "disc"
let part = 0; // of a path
let begun = false;

live((snapshot) => {
  const isHost = snapshot.you.role === "host";
  if (!isHost) {
    $("begin").hidden = false;
    $("begin").replaceChildren(h("p", {}, "Only the host maps boards."), h("a", { class: "button main wide", href: "/join" }, "I am the host: type the code"));
  } else if (!begun) {
    begun = true;
    const id = location.hash.slice(1);
    if (/^[0-9a-f]{8}$/.test(id)) open(id);
    else drawBegin();
  }
});

/** Ask the server; what it says is shown. A draft that comes back is the one we go on with. */
async function ask(path, body) {
  document.body.ariaBusy = "true";
  const answer = body === undefined ? await get(path) : await post(path, body);
  document.body.ariaBusy = null;
  $("answer").replaceChildren(...(answer.ok ? [] : answer.why.map((why) => h("p", { class: "note bad" }, why.replace(/^\w+: /, "").replace(/^./, (c) => c.toUpperCase())))));
  if (!answer.ok) $("answer").scrollIntoView({ block: "nearest" });
  if (answer.ok && answer.draft) {
    draft = answer;
    if (location.hash.slice(1) !== draft.draft) history.replaceState(null, "", `#${draft.draft}`);
  }
  return answer;
}

const say = async (steps, more = {}) => {
  const answer = await ask("/api/map/steps", { draft: draft.draft, steps: [steps].flat(), ...more });
  draw();
  return answer;
};

async function open(id) {
  const answer = await ask(`/api/map/draft/${id}`);
  if (!answer.ok) return drawBegin();
  stage = !draft.picture ? "picture" : !draft.measured ? "corners" : !draft.shape.kind ? "lines" : draft.missing.length ? "names" : "save";
  draw();
}

// --- the beginning ---

async function drawBegin() {
  draft = null;
  history.replaceState(null, "", location.pathname);
  $("stages").hidden = $("stage").hidden = true;
  const all = await ask("/api/map");
  if (!all.ok) return;
  const title = (name) => all.games.find((g) => g.name === name)?.title ?? name;
  const which = h("select", { id: "map-game" }, all.games.map((g) => h("option", { value: g.name }, g.title)));
  const file = h("input", { type: "file", id: "import", accept: ".json,application/json", onchange: () => bringIn(file) });
  $("begin").hidden = false;
  $("begin").replaceChildren(
    h("p", {}, "Photograph the board that you own, tap what is on it, and play on it: about ten minutes."),
    h("label", { class: "field" }, h("span", {}, "Game"), which),
    h("button", { class: "main big wide", onclick: () => begin(which.value) }, "Map a board"),
    ...(all.drafts.length
      ? [
          h("h2", {}, "Unfinished"),
          ...all.drafts.map((d) =>
            h(
              "div",
              { class: "row" },
              h("button", { class: "grow", onclick: () => open(d.draft) }, `Go on: ${d.title || title(d.game)} (${d.steps} steps)`),
              h("button", { class: "danger", "aria-label": `Forget ${d.title || title(d.game)}`, onclick: (e) => sure(e.target, () => drop(d.draft)) }, "Forget"),
            ),
          ),
        ]
      : []),
    ...(all.boards.length
      ? [
          h("h2", {}, "Boards of this house"),
          ...all.boards.map((b) =>
            h(
              "div",
              { class: "row" },
              h("span", { class: "name grow" }, h("b", {}, b.title), ` ${title(b.game)}, ${b.spaces} spaces`),
              h("a", { class: "button", href: `/api/map/board/${b.name}.json`, download: `${b.name}.json` }, "Share"),
              h("button", { class: "danger", "aria-label": `Delete ${b.title}`, onclick: (e) => sure(e.target, () => remove(b.name)) }, "Delete"),
            ),
          ),
        ]
      : []),
    h("label", { class: "field" }, h("span", {}, "A board file that somebody sent"), file),
  );
}

/** A second tap, on the same button, does it. */
function sure(button, act) {
  if (button.dataset.sure) return act();
  button.dataset.sure = "yes";
  button.textContent = "Really?";
  return undefined;
}

async function begin(game) {
  if (!(await ask("/api/map/new", { game })).ok) return;
  stage = "picture";
  draw();
}

async function drop(id) {
  await ask("/api/map/forget", { draft: id });
  drawBegin();
}

async function remove(name) {
  await ask("/api/map/delete", { name });
  drawBegin();
}

async function bringIn(field) {
  const file = field.files[0];
  if (!file) return;
  if (file.size > 3_000_000) return tell("This file is too large for a board file.");
  const answer = await ask("/api/map/import", { file: await file.text() });
  if (!answer.ok) return;
  await drawBegin();
  announce("The board was brought in.");
}

function tell(text) {
  $("answer").replaceChildren(h("p", { class: "note bad" }, text));
}

// --- the stages ---

function draw() {
  if (!draft) return;
  $("begin").hidden = true;
  $("stages").hidden = $("stage").hidden = false;
  const reached = { picture: true, corners: draft.picture, lines: draft.corners.length > 0, names: Boolean(draft.shape.kind), save: Boolean(draft.shape.kind) };
  $("stages").replaceChildren(
    ...STAGES.map(([name, label]) =>
      h("button", { disabled: !reached[name], "aria-current": name === stage ? "step" : false, onclick: () => go(name) }, label),
    ),
  );
  const scrolled = window.scrollY;
  $("stage").replaceChildren(
    ...[{ picture: pictureStage, corners: cornersStage, lines: linesStage, names: namesStage, save: saveStage }[stage]()].flat().filter(Boolean),
    h(
      "div",
      { class: "row" },
      h("button", { class: "grow", disabled: !draft.steps, onclick: undo }, "Undo"),
      h("button", { class: "grow", onclick: drawBegin }, "Later"),
    ),
  );
  for (const swatch of $("stage").querySelectorAll("[data-colour]")) swatch.style.background = swatch.dataset.colour;
  requestAnimationFrame(() => {
    onSheet?.();
    window.scrollTo(0, scrolled);
  });
}

let onSheet = null; // draws on the sheet once it has a size

function go(name) {
  stage = name;
  mode = sender = "";
  onSheet = null;
  draw();
  $("stages").scrollIntoView({ block: "start" });
}

async function undo() {
  await ask("/api/map/undo", { draft: draft.draft });
  draw();
}

function pictureStage() {
  onSheet = null;
  const field = (id, label, more) =>
    h("label", { class: "field", for: id }, h("span", {}, label), h("input", { type: "file", id, accept: "image/*", ...more, onchange: (e) => sendPicture(e.target.files[0]) }));
  return [
    h("h2", {}, draft.game_title),
    h("p", {}, "Lay the empty board on a plain table and take it from straight above, with all four corners and a little of the table in view. No flash, no lamp that shines back."),
    ...draft.about.map((line) => h("p", { class: "soft" }, line)),
    field("camera", "Take a picture", { capture: "environment" }),
    field("upload", "Or choose one"),
    draft.picture && h("button", { class: "main wide", onclick: () => go("corners") }, "On with the picture that is here"),
  ];
}

async function sendPicture(file) {
  if (!file) return;
  if (file.size > 60_000_000) return tell("This picture is too large: set the camera to 12 megapixels.");
  const answer = await ask("/api/map/picture", { draft: draft.draft, picture: await inBase64(await smaller(file)) });
  if (!answer.ok) return;
  go("corners");
}

/** The picture at the size that is needed; the file itself if this browser cannot read it: the server says what is wrong with it. */
async function smaller(file) {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, LARGEST / Math.max(picture.width, picture.height));
    if (scale === 1 && file.size < 3_000_000) return file;
    const canvas = h("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return (await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9))) ?? file;
  } catch {
    return file;
  }
}

async function inBase64(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

const CORNERS = ["Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner"];

function cornersStage() {
  const holder = h("div");
  const corners = draft.corners.length ? draft.corners.map((c) => [...c]) : [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];
  const source = `/api/map/draft/${draft.draft}/photo.jpg?${draft.steps}`;
  const image = new Image();
  image.onload = () => {
    const sheet = new Sheet(source, image.naturalHeight / image.naturalWidth, "The picture: drag the corners of the board");
    holder.replaceChildren(sheet.box);
    const rim = () => {
      sheet.layer.replaceChildren(polygon(sheet, corners));
    };
    requestAnimationFrame(() => {
      rim();
      sheet.handles(corners, CORNERS, rim, (points) => say({ do: "corners", corners: points }, { snap: $("snap").checked }));
    });
  };
  image.src = source;
  onSheet = null;
  const number = (id, label, value) => h("label", { class: "field" }, h("span", {}, label), h("input", { id, type: "number", inputmode: "numeric", min: 50, max: 2000, value }));
  return [
    ...draft.notes.map((note) => h("p", { class: "note ask" }, note)),
    h("p", {}, "Drag each circle until its dot lies on the corner of the board."),
    holder,
    h("label", { class: "choice" }, h("input", { type: "checkbox", id: "snap", checked: true }), "Move them onto the edges that are seen"),
    h("h3", {}, "How large is the board?"),
    h("p", { class: "soft" }, "With a ruler, in millimetres. Pieces and camera need it."),
    h("div", { class: "numbers" }, number("wide", "Width (mm)", draft.size_mm[0]), number("high", "Height (mm)", draft.size_mm[1])),
    h("button", { class: "main big wide", onclick: () => measured(corners) }, "These are corners and size"),
  ];
}

function polygon(sheet, corners) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  shape.setAttribute("class", "rim");
  shape.setAttribute("points", sheet.points(corners));
  shape.setAttribute("stroke-width", 1.5 * sheet.unit);
  return shape;
}

async function measured(corners) {
  const steps = [{ do: "size", size_mm: [Number($("wide").value), Number($("high").value)] }];
  if (!draft.corners.length) steps.unshift({ do: "corners", corners });
  if (!(await say(steps)).ok) return;
  if (!draft.shape.kind) await suggest(draft.usual_shape);
  go("lines");
}

async function suggest(kind) {
  const answer = await ask("/api/map/suggest", { draft: draft.draft, what: "shape", kind });
  if (!answer.ok) return;
  await say(answer.steps.length ? answer.steps : { do: "shape", shape: usual(kind) });
  announce(answer.steps.length ? "Lines were found." : "No lines were found: set them by hand.");
}

const flat = (label) => new Sheet(`/api/map/draft/${draft.draft}/flat.jpg?${draft.corners.flat().join()}${draft.size_mm}`, draft.size_mm[1] / draft.size_mm[0], label);

function linesStage() {
  const sheet = flat("The board laid flat, with the lines of its spaces");
  let shape = draft.shape;
  const set = (changed) => say({ do: "shape", shape: changed });
  onSheet = () => {
    sheet.draw(draft.spaces);
    if (mode) return addOnTap(sheet, shape, set);
    const grips = handles(shape, draft.size_mm[1] / draft.size_mm[0], part);
    sheet.handles(grips.points, grips.names, (points) => (shape = grips.moved(points)), () => set(shape));
  };
  const modes = [["", "Move the lines"]];
  if (shape.kind === "grid") modes.push(["extra", "Squares beside the grid, or none"]);
  if (shape.kind === "ring" || shape.kind === "cross") modes.push(["disc", "Circles: tap each"]);
  return [
    h(
      "label",
      { class: "field" },
      h("span", {}, "Kind of board"),
      h("select", { id: "kind", onchange: (e) => suggest(e.target.value) }, Object.entries(KINDS).map(([value, text]) => h("option", { value, selected: value === shape.kind }, text))),
    ),
    sheet.box,
    modes.length > 1 &&
      h(
        "div",
        { class: "palette", role: "group", "aria-label": "What a tap does" },
        modes.map(([value, text]) => h("button", { "aria-pressed": `${mode === value}`, onclick: () => ((mode = value), draw()) }, text)),
      ),
    h("div", { class: "numbers" }, numbers(shape, set)),
    mode === "disc" && shape.discs.length > 0 && h("div", { class: "numbers" }, radius(shape, set)),
    shape.kind === "path" && pathParts(shape, set),
    h("button", { onclick: () => suggest(shape.kind) }, "Look for the lines again"),
    h("button", { class: "main big wide", onclick: named }, "The lines are right"),
  ];
}

/** All circles alike: old boards have one stamp for them. */
function radius(shape, set) {
  return h(
    "label",
    { class: "field" },
    h("span", {}, "Size of the circles"),
    h("input", {
      type: "range", id: "radius", min: 0.01, max: 0.2, step: 0.0005, value: shape.discs[0].radius,
      onchange: (e) => set({ ...shape, discs: shape.discs.map((d) => ({ ...d, radius: Number(e.target.value) })) }),
    }),
  );
}

function addOnTap(sheet, shape, set) {
  sheet.box.classList.add("free");
  const ratio = sheet.height / sheet.width;
  if (mode === "extra") {
    const wide = shape.columns[1] - shape.columns[0];
    const high = shape.rows[1] - shape.rows[0];
    sheet.svg.onclick = (event) => {
      const [x, y] = sheet.at(event);
      const find = (lines, step, value) => {
        if (value < lines[0]) return Math.floor((value - lines[0]) / step) + 1;
        if (value >= lines.at(-1)) return lines.length + Math.floor((value - lines.at(-1)) / step);
        return lines.findLastIndex((line) => line <= value) + 1;
      };
      const column = find(shape.columns, wide, x);
      const row = shape.rows.length - find(shape.rows, high, y);
      const inside = column >= 1 && column < shape.columns.length && row >= 1 && row < shape.rows.length;
      const list = inside ? "without" : "extra";
      const had = shape[list].some(([c, r]) => c === column && r === row);
      set({ ...shape, [list]: had ? shape[list].filter(([c, r]) => c !== column || r !== row) : [...shape[list], [column, row]] });
    };
    return;
  }
  sheet.svg.onclick = (event) => {
    const [x, y] = sheet.at(event);
    const hit = shape.discs.findIndex((d) => Math.hypot(d.at[0] - x, (d.at[1] - y) * ratio) < d.radius);
    const size = shape.discs[0]?.radius ?? (shape.kind === "cross" ? 0.12 : 0.03);
    set({ ...shape, discs: hit >= 0 ? shape.discs.filter((_, i) => i !== hit) : [...shape.discs, { at: [x, y], radius: size }] });
  };
}

function pathParts(shape, set) {
  const facts = draft.shape_facts;
  const kinds = ["loop", "gate", "way", "goal"].map((role) => facts[role] ?? role);
  const add = (kind, round) => {
    part = shape.parts.length;
    const once = kind === kinds[3];
    const made = round
      ? { mark: kind, at: [0.5, once ? 0.5 : 0.2], radius: 0.05, once }
      : { mark: kind, corners: [[0.4, 0.2], [0.4, 0.28], [0.6, 0.28], [0.6, 0.2]], count: 5, once };
    set({ ...shape, parts: [...shape.parts, made] });
  };
  const chosen = shape.parts[part];
  return [
    h("p", { class: "soft" }, "Strips begin at the port; a strip's circles 1 and 2 are its start. Add what is missing:"),
    h(
      "div",
      { class: "palette" },
      kinds.flatMap((kind) => [
        h("button", { onclick: () => add(kind, false) }, `+ strip: ${kind}`),
        h("button", { onclick: () => add(kind, true) }, `+ circle: ${kind}`),
      ]),
    ),
    shape.parts.length > 0 &&
      h(
        "div",
        { class: "palette", role: "group", "aria-label": "Parts" },
        shape.parts.map((p, i) => h("button", { "aria-pressed": `${i === part}`, onclick: () => ((part = i), draw()) }, `${i + 1}. ${p.mark}${p.corners ? ` × ${p.count}` : " ○"}`)),
        h("button", { "aria-pressed": `${part < 0}`, onclick: () => ((part = -1), draw()) }, "The middle"),
      ),
    chosen?.corners &&
      h(
        "label",
        { class: "field" },
        h("span", {}, "Spaces in this strip"),
        h("input", {
          type: "number", id: "strip-count", inputmode: "numeric", min: 1, max: 60, value: chosen.count,
          onchange: (e) => set({ ...shape, parts: shape.parts.map((p, i) => (i === part ? { ...p, count: Math.max(1, Number(e.target.value) || 1) } : p)) }),
        }),
      ),
    chosen && h("button", { class: "danger", onclick: () => set({ ...shape, parts: shape.parts.filter((_, i) => i !== part) }) }, "Remove this part"),
  ];
}

async function named() {
  if (!draft.spaces.some((space) => space.marks.length > draft.palette.filter((m) => m.usual).length)) await colours();
  go("names");
}

async function colours() {
  const answer = await ask("/api/map/suggest", { draft: draft.draft, what: "colours" });
  if (answer.ok && answer.steps.length) await say(answer.steps);
}

function namesStage() {
  const sheet = flat("The board: tap the spaces that are what you chose below");
  mark = draft.palette.some((m) => m.name === mark) ? mark : (draft.palette[0]?.name ?? "");
  const by = Object.fromEntries(draft.palette.map((m) => [m.name, m]));
  onSheet = () => {
    sheet.draw(draft.spaces, colourOf(by), (space) => sign(space, by), true);
    if (sender) sheet.layer.querySelector(`[data-space="${CSS.escape(sender)}"]`)?.classList.add("picked");
    sheet.paint(painted);
  };
  return [
    h("p", {}, sender ? `Now tap where ${sender} sends.` : "Choose what it is, then tap the spaces, or draw a finger across them. A second tap takes it away."),
    sheet.box,
    h(
      "div",
      { class: "palette", role: "group", "aria-label": "What it is" },
      draft.palette.map((m) =>
        h(
          "button",
          { "aria-pressed": `${m.name === mark}`, "data-mark": m.name, onclick: () => ((mark = m.name), (sender = ""), draw()) },
          h("span", { class: "swatch", "data-colour": tint(m), "aria-hidden": "true" }),
          `${m.label} (${draft.spaces.filter((s) => s.marks.includes(m.name)).length})`,
        ),
      ),
    ),
    h("button", { onclick: colours }, "Guess from the colours again"),
    missing(),
    h("button", { class: "main big wide", onclick: () => go("save") }, "On"),
  ];
}

const HUES = ["#e0571b", "#14508f", "#2f8a4a", "#6b3fa0", "#c39a1f", "#c62f2f", "#3b77b0", "#8a6416", "#22573f", "#a33b2e", "#d97f30", "#4f7a3a"];
const tint = (m) => m.colour || HUES[draft.palette.indexOf(m) % HUES.length];
const colourOf = (by) => (space) => {
  const told = space.marks.map((name) => by[name]).filter(Boolean);
  return told.length ? tint(told.at(-1)) : "";
};
const sign = (space, by) =>
  space.marks
    .map((name) => by[name])
    .filter((m) => m && !m.usual)
    .map((m) => (m.link && space.links[m.link] ? `➜${space.links[m.link]}` : m.label.match(/[^\w\s'…]/u)?.[0] ?? m.label.slice(0, 2)))
    .slice(-1)[0] ?? "";

async function painted(spaces) {
  const chosen = draft.palette.find((m) => m.name === mark);
  if (!chosen) return draw();
  if (chosen.link) {
    if (sender) {
      const from = sender;
      sender = "";
      if (from !== spaces[0]) return say({ do: "link", mark, space: from, to: spaces[0] });
      return draw();
    }
    if (draft.spaces.find((s) => s.id === spaces[0])?.links[chosen.link]) return say({ do: "mark", mark, spaces, off: true });
    sender = spaces[0];
    return draw();
  }
  const had = spaces.length === 1 && draft.spaces.find((s) => s.id === spaces[0])?.marks.includes(mark) && !chosen.usual;
  return say({ do: "mark", mark, spaces, ...(had ? { off: true } : {}) });
}

function missing() {
  return draft.missing.length
    ? h("div", { class: "note ask", id: "missing" }, h("h3", {}, "Still missing"), h("ul", { class: "missing" }, draft.missing.slice(0, 8).map((text) => h("li", {}, text))), draft.missing.length > 8 && h("p", {}, `and ${draft.missing.length - 8} more`))
    : h("p", { class: "note good", id: "missing" }, `Nothing is missing: ${draft.game_title} can be played on it.`);
}

function saveStage() {
  onSheet = null;
  const title = h("input", { id: "title", maxlength: 80, value: draft.title || `Our ${draft.game_title}`, "data-keep": "title" });
  return [
    h("label", { class: "field" }, h("span", {}, "Name of this board"), title),
    missing(),
    draft.differs.length > 0 &&
      h("div", { class: "note ask" }, h("h3", {}, "Not as the leaflet has it"), h("ul", {}, draft.differs.map((text) => h("li", {}, text))), h("p", {}, "You may play on it all the same; the house-rule card will say so.")),
    h("button", { class: "main big wide", disabled: draft.missing.length > 0, onclick: () => save(title.value) }, draft.differs.length ? "Play on it all the same: save" : "Save the board"),
    draft.saved && h("div", { class: "note good" }, h("p", {}, "It is saved and can be chosen for a new game."), h("a", { class: "button main", href: "/host" }, "To a new game"), " ", h("a", { class: "button", href: `/api/map/board/${draft.saved}.json`, download: `${draft.saved}.json` }, "Share it")),
  ];
}

async function save(title) {
  if (title.trim() && title.trim() !== draft.title && !(await say({ do: "title", title })).ok) return;
  const answer = await ask("/api/map/save", { draft: draft.draft, agreed: draft.differs.length > 0 });
  if (!answer.ok) return;
  if (answer.saved) announce("The board is saved.");
  await ask(`/api/map/draft/${draft.draft}`);
  draw();
}
