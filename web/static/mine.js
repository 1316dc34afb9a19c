// Who may do what on the play page: pure questions about a snapshot.
import { store } from "./dom.js";

export const isHost = (now) => now.you.role === "host";
/** The host may move for every seat, and does so when he has none of his own. */
export const playsAll = (now) => isHost(now) && (!now.you.seat || store("plays_all") === "on");
export const isMine = (now, seat) => seat === now.you.seat || playsAll(now);
const isStopped = (now) => now.paused || now.must_agree.length > 0;
export const myMoves = (now) => (isStopped(now) || now.outcome ? [] : now.legal.filter((move) => isMine(now, move.seat)));
export const myRolls = (now) => (isStopped(now) ? [] : now.due.filter((due) => due.what === "roll" && isMine(now, due.seat)));
