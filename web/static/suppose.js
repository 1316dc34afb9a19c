// A question to the referee about the running game.
import { get, post } from "./api.js";

/** What would the referee say to that? Nobody else hears of it. */
export async function suppose(event) {
  const { game, variant, seats, board: name, readings, options, position, ...rest } = await get("/api/position");
  if (!position) return { status: "refused", why: rest.why };
  const checked = await post("/api/check", { game, variant, seats, board: name, readings, options, position, move: event });
  return checked.rulings?.at(-1) ?? { status: "refused", why: checked.why };
}
