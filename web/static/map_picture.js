// The first two steps: a picture of the empty board, and where its corners are in it.
import { $, announce, h, s } from "./dom.js";
import { Sheet } from "./map_sheet.js";
import { usual } from "./map_shapes.js";
import { ask, say, tell, wizard } from "./map_wizard.js";

const LARGEST = 2400; // pixels: more shows no more of a board
const LARGEST_FILE = 60_000_000;
const CORNERS = ["Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner"];

export function pictureStage() {
  const { draft } = wizard;
  const field = (id, label, more) =>
    h("label", { class: "field", for: id }, h("span", {}, label), h("input", { type: "file", id, accept: "image/*", ...more, onchange: (e) => sendPicture(e.target.files[0]) }));
  return [
    h("h2", {}, draft.game_title),
    h("p", {}, "Lay the empty board on a plain table and take it from straight above, with all four corners and a little of the table in view. No flash, no lamp that shines back."),
    ...draft.about.map((line) => h("p", { class: "soft" }, line)),
    field("camera", "Take a picture", { capture: "environment" }),
    field("upload", "Or choose one"),
    draft.camera && h("button", { class: "wide", id: "above", onclick: () => taken({}) }, "Or take it with the camera above the table"),
    draft.picture && h("button", { class: "main wide", onclick: () => wizard.go("corners") }, "On with the picture that is here"),
  ];
}

async function sendPicture(file) {
  if (!file) return;
  if (file.size > LARGEST_FILE) return tell("This picture is too large: set the camera to 12 megapixels.");
  await taken({ picture: await inBase64(await smaller(file)) });
}

/** With no picture of the phone's, the camera above the table takes one. */
async function taken(how) {
  const answer = await ask("/api/map/picture", { draft: wizard.draft.draft, ...how });
  if (answer.ok) wizard.go("corners");
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

// --- corners and size ---

let snaps = true;
let typed = {}; // a size that is not said yet, by draft

export function cornersStage() {
  const { draft } = wizard;
  const holder = h("div");
  const corners = draft.corners.length ? draft.corners.map((c) => [...c]) : [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];
  const image = new Image();
  image.onload = () => {
    const sheet = new Sheet(image.src, image.naturalHeight / image.naturalWidth, "The picture: drag the corners of the board");
    holder.replaceChildren(sheet.box);
    const rim = () => sheet.layer.replaceChildren(s("polygon", { class: "rim", points: sheet.points(corners), "stroke-width": 1.5 * sheet.unit }));
    requestAnimationFrame(() => {
      rim();
      sheet.handles(corners, CORNERS, rim, (points) => say({ do: "corners", corners: points }, { snap: snaps }));
    });
  };
  image.src = `/api/map/draft/${draft.draft}/photo.jpg?${draft.steps}`;
  const size = typed.draft === draft.draft ? typed.size : draft.measured ? draft.size_mm : ["", ""];
  const keep = () => (typed = { draft: draft.draft, size: [$("wide").value, $("high").value] });
  const number = (id, label, value) =>
    h("label", { class: "field" }, h("span", {}, label), h("input", { id, type: "number", inputmode: "decimal", min: 50, max: 2000, step: "any", value, oninput: keep }));
  return [
    ...draft.notes.map((note) => h("p", { class: "note ask" }, note)),
    h("p", {}, "Drag each circle until its dot lies on the corner of the board."),
    holder,
    h("label", { class: "choice" }, h("input", { type: "checkbox", id: "snap", checked: snaps, onchange: (e) => (snaps = e.target.checked) }), "Move them onto the edges that are seen"),
    h("h3", {}, "How large is the board?"),
    h("p", { class: "soft" }, "With a ruler, in millimetres. Pieces and camera need it."),
    h("div", { class: "numbers" }, number("wide", "Width (mm)", size[0]), number("high", "Height (mm)", size[1])),
    h("button", { class: "main big wide", onclick: () => measured(corners) }, "These are corners and size"),
  ];
}

async function measured(corners) {
  const steps = [{ do: "size", size_mm: [Number($("wide").value), Number($("high").value)] }];
  if (!wizard.draft.corners.length) steps.unshift({ do: "corners", corners });
  if (!(await say(steps)).ok) return;
  if (!wizard.draft.shape.kind) await suggest(wizard.draft.usual_shape);
  wizard.go("lines");
}

/** What the picture shows of this kind of board, or where to begin by hand. */
export async function suggest(kind) {
  const answer = await ask("/api/map/suggest", { draft: wizard.draft.draft, what: "shape", kind });
  if (!answer.ok) return;
  await say(answer.steps.length ? answer.steps : { do: "shape", shape: usual(kind) });
  announce(answer.steps.length ? "Lines were found." : "No lines were found: set them by hand.");
}
