// The line to the table: full snapshots by server-sent events. It closes while the page is hidden, returns by itself, and says so.
import { get } from "./api.js";
import { $, announce, h } from "./dom.js";
import { sayAloud } from "./aloud.js";

const RETRY = [500, 1000, 2000, 4000, 8000];
let source = null;
let tries = 0;
let timer = 0;
let newest = null;
let heard = null;
let listener = () => {};
let always = false;

/** Call `onSnapshot` with every new snapshot. `evenHidden`: a TV never closes its line. */
export function live(onSnapshot, { evenHidden = false } = {}) {
  listener = onSnapshot;
  always = evenHidden;
  open();
  document.addEventListener("visibilitychange", () => (document.hidden && !always ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  addEventListener("online", again);
  addEventListener("offline", lost);
}

/** Every answer of the table carries the state that it led to: shown at once, without waiting for the stream. */
export function arrived(answer) {
  if (answer.state) take(answer.state);
  return answer;
}

function open() {
  if (source) return;
  clearTimeout(timer);
  source = new EventSource("/events");
  const opened = (event) => take(JSON.parse(event.data));
  source.addEventListener("snapshot", opened);
  source.addEventListener("message", opened);
  source.addEventListener("bye", (event) => sentAway(JSON.parse(event.data).why));
  source.onerror = lost;
}

function close() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

/** A new line, as whoever this phone is now. */
export function again() {
  close();
  open();
}

async function lost() {
  close();
  if (!newest && (await isStranger())) return notPaired();
  state("lost", "No connection");
  banner("The connection to the table is lost. Trying again… Nothing you did is lost.");
  const wait = RETRY[Math.min(tries++, RETRY.length - 1)];
  timer = setTimeout(open, wait + Math.random() * 300);
  if (tries > 1 && (await isStranger())) notPaired();
}

const isStranger = async () => [401, 403].includes((await get("/api/state")).http);

function sentAway(why) {
  close();
  state("lost", "Signed off");
  banner(
    why ? `The table has ended this page's connection: ${why}.` : "The table has ended this page's connection.",
    h("a", { href: "/join" }, "Join again"),
  );
}

function notPaired() {
  clearTimeout(timer);
  close();
  state("off", "Not at the table");
  banner(
    "This phone does not belong to the table yet. Scan the QR code that the table shows.",
    h("a", { href: "/join" }, "Join"),
    true,
  );
}

function take(snapshot) {
  tries = 0;
  const same = newest && newest.boot === snapshot.boot;
  if (same && snapshot.serial < newest.serial) return;
  newest = snapshot;
  banner(snapshot.trouble ? `Not saved! ${snapshot.trouble}` : "");
  const who = snapshot.you?.name || { host: "Host", spectator: "Watching" }[snapshot.you?.role] || "Connected";
  state("on", who);
  listener(snapshot);
  tell(snapshot);
}

/** What was said since the last snapshot; on the first one nothing is repeated. */
function tell(snapshot) {
  const news = snapshot.news ?? [];
  const last = news.at(-1)?.id ?? 0;
  if (heard && heard.boot === snapshot.boot && last > heard.last) {
    const fresh = news.filter((item) => item.id > heard.last && item.text && item.kind !== "rule");
    const now = fresh.filter((item) => item.urgency === 0);
    if (fresh.length) announce(fresh.map((item) => item.text).join(" "), now.length > 0);
    sayAloud(fresh.map((item) => item.text));
  }
  heard = { boot: snapshot.boot, last };
}

function state(name, text) {
  const line = $("line");
  if (!line) return;
  line.dataset.state = name;
  line.firstElementChild.textContent = text;
}

function banner(text, link, isMild = false) {
  const box = $("banner");
  box.classList.toggle("mild", isMild);
  if ((box.dataset.text ?? "") === text) return;
  box.dataset.text = text;
  box.hidden = !text;
  box.replaceChildren(...(text ? [text, " ", link].filter(Boolean) : []));
}
