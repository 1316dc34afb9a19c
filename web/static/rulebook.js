// The rulebook is served whole; here another game is chosen without a button, and the found word is marked.
import { $, h } from "./dom.js";
import { live } from "./live.js";

$("game").addEventListener("change", () => $("search").requestSubmit());
live(() => {});

const word = new URLSearchParams(location.search).get("q")?.trim().toLowerCase();
if (word) {
  const walker = document.createTreeWalker($("main"), NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest("dl") ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
  );
  const nodes = [];
  while (walker.nextNode()) if (walker.currentNode.data.toLowerCase().includes(word)) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const at = node.data.toLowerCase().indexOf(word);
    const found = node.splitText(at);
    found.splitText(word.length);
    found.replaceWith(h("mark", {}, found.data));
  }
}
