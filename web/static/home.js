import { phoneChoices } from "./aloud.js";
import { $, h } from "./dom.js";
import { live } from "./live.js";
import { turnWords } from "./table.js";

$("choices").append(...phoneChoices().filter(Boolean));
live((now) => {
  $("now").hidden = !now.game;
  if (now.game) $("now").replaceChildren(`${now.game.title}. ${turnWords(now)[0]} `, h("a", { href: "/play" }, "To the game"));
});
