// The JSON API. An answer is always an object with `ok` and `http` (the status), and with `why` in words when it is not.
const PATIENCE = 12_000;

async function ask(method, path, body, patience) {
  const options = { method, headers: { Accept: "application/json" }, cache: "no-store", signal: AbortSignal.timeout?.(patience) };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response, said;
  try {
    response = await fetch(path, options);
    said = await response.text(); // the line may also drop in the middle of an answer
  } catch {
    return { ok: false, http: 0, why: ["The table does not answer. Is this phone still in its Wi-Fi?"] };
  }
  const answer = parsed(said);
  const why = [answer.why ?? answer.error ?? (response.ok ? [] : `The table answered with error ${response.status}.`)].flat();
  const data = Array.isArray(answer) ? { list: answer } : answer;
  if (response.status === 409) data.status = "stale";
  return { ...data, ok: response.ok && !["refused", "silent", "stale"].includes(data.status), http: response.status, why };
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return body.length < 300 ? { error: body.trim() } : {};
  }
}

export const get = (path, patience = PATIENCE) => ask("GET", path, undefined, patience);
export const post = (path, body = {}, patience = PATIENCE) => ask("POST", path, body, patience);

/** Text such as an SVG picture; null if it cannot be had. */
export async function text(path) {
  try {
    const response = await fetch(path, { cache: "no-store" });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}
