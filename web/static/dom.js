// Making elements, and redrawing a part of the page only when what it shows has changed.
// Everything from outside goes in as text, never as markup.
// Why no morphing library: see README.md. It would keep an old button with the act of the position before.
const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

/** h("button", {class: "main", onclick: f}, "Roll"): an element. Empty children are left out. */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

export function s(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

/** A picture that the server drew, as an element; null if it is none. */
export function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return parsed.nodeName === "svg" ? document.importNode(parsed, true) : null;
}

/** Redraw `box` if `facts` differ from what it shows. Open details and the focused control (by `data-key`), and what is being typed
 *  (by `data-keep`), stay as they were. */
export function show(box, facts, draw) {
  const key = JSON.stringify(facts);
  if (box.shown === key) return false;
  box.shown = key;
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const open = new Set([...box.querySelectorAll("details[open][data-key]")].map((d) => d.dataset.key));
  const typed = new Map([...box.querySelectorAll("[data-keep]")].map((field) => [field.dataset.keep, field.value]));
  const parts = [draw(facts)].flat(3).filter(Boolean);
  box.replaceChildren(...parts);
  box.hidden = parts.length === 0;
  for (const details of box.querySelectorAll("details[data-key]")) if (open.has(details.dataset.key)) details.open = true;
  for (const field of box.querySelectorAll("[data-keep]")) field.value = typed.get(field.dataset.keep) ?? field.value;
  if (focused) box.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  return true;
}

export function again(box) {
  box.shown = undefined;
}

/** Told by a screen reader; urgent things at once. */
export function announce(text, urgent = false) {
  const box = $(urgent ? "said-now" : "said");
  box.replaceChildren(h("p", {}, text));
}

export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
export const spoken = (id) => capital(id.replaceAll(/[-_]/g, " "));

const COLOURS = {
  red: "#c62f2f",
  blue: "#2c62b8",
  yellow: "#e2b714",
  green: "#2f8a4a",
  black: "#2b2b2b",
  white: "#f4f1e8",
  purple: "#6b3fa0",
};
const SHAPES = {
  red: "M12 2 22 12 12 22 2 12Z",
  blue: "M3 3H21V21H3Z",
  yellow: "M12 1.5 23 21H1Z",
  green: "M12 2A10 10 0 1 0 12 22 10 10 0 1 0 12 2Z",
  black: "M7.5 2H16.500L22 7.500V16.500L16.5 22H7.500L2 16.500V7.500Z",
};

/** A seat as a badge (colour, shape and letter) and a name. */
export function seatBadge(seat, name) {
  const fill = COLOURS[seat] || "#6d5d46";
  const dark = !["yellow", "white"].includes(seat);
  const letter = COLOURS[seat] ? (name || seat).slice(0, 1).toUpperCase() : inShort(name || seat);
  return s(
    "svg",
    { class: "badge", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: SHAPES[seat] || SHAPES.green, fill, stroke: "#1b1b1b", "stroke-width": "1.2" }),
    s(
      "text",
      {
        x: 12,
        y: seat === "yellow" ? 18.5 : 16.3,
        "font-size": letter.length > 1 ? 9.5 : 11.5,
        "font-weight": 700,
        "text-anchor": "middle",
        fill: dark ? "#fff" : "#1b1b1b",
      },
      letter,
    ),
  );
}

/** Seats without a colour of their own need more than a letter: New York is NY, Boston is Bo, Baltimore is Ba. */
function inShort(name) {
  const [first, second] = name.split(/[ _-]/);
  return capital(second ? first[0] + second[0].toUpperCase() : first.slice(0, 2));
}

export function seatName(snapshot, seat) {
  return snapshot.game?.seat_names?.[seat] ?? spoken(seat);
}

export function store(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    /* private browsing: the choice lasts for this page only */
  }
  return value ?? null;
}
