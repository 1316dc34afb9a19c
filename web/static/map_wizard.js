// What every step of mapping shares: the draft as the server has it, talking to the server, and which step is open.
import { get, post } from "./api.js";
import { $, h } from "./dom.js";
import { Sheet } from "./map_sheet.js";

const LOOKING = 60_000; // milliseconds that reading a picture may take on a small computer
const WAIT_SHOWN = 500;

export const wizard = {
  draft: null,
  stage: "picture",
  onSheet: null, // draws on the sheet once it has a size
  draw: () => {},
  go: () => {},
};

/** Ask the server; what it says is shown. A draft that comes back is the one we go on with. */
export async function ask(path, body) {
  document.body.ariaBusy = "true";
  const wait = setTimeout(() => tell("One moment: the companion is looking …", "ask"), WAIT_SHOWN);
  const answer = body === undefined ? await get(path, LOOKING) : await post(path, body, LOOKING);
  clearTimeout(wait);
  document.body.ariaBusy = null;
  tell(answer.ok ? [] : answer.why.map((why) => why.replace(/^\w+: /, "").replace(/^./, (c) => c.toUpperCase())));
  if (answer.ok && answer.draft) {
    wizard.draft = answer;
    if (location.hash.slice(1) !== answer.draft) history.replaceState(null, "", `#${answer.draft}`);
  }
  return answer;
}

export async function say(steps, more = {}) {
  const answer = await ask("/api/map/steps", { draft: wizard.draft.draft, steps: [steps].flat(), ...more });
  wizard.draw();
  return answer;
}

export function tell(lines, how = "bad") {
  $("answer").replaceChildren(...[lines].flat().map((line) => h("p", { class: `note ${how}` }, line)));
  if (how === "bad" && $("answer").firstChild) $("answer").scrollIntoView({ block: "nearest" });
}

/** The board laid flat, to be drawn on. */
export function flat(label) {
  const { draft, corners, size_mm: size } = wizard.draft;
  return new Sheet(`/api/map/draft/${draft}/flat.jpg?${corners.flat().join()}${size}`, size[1] / size[0], label);
}
