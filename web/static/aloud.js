// Speech and vibration of this phone: off until its owner taps the switch (iOS speaks only after a tap).
import { h, store } from "./dom.js";

const can = { speech: "speechSynthesis" in window, vibration: "vibrate" in navigator };

export function sayAloud(sentences) {
  if (can.speech && store("speech") === "on") {
    for (const sentence of sentences) {
      const words = new SpeechSynthesisUtterance(sentence);
      words.lang = document.documentElement.lang;
      speechSynthesis.speak(words);
    }
  }
}

export function nudge() {
  if (can.vibration && store("vibration") === "on") navigator.vibrate([80, 60, 80]);
}

function toggle(name, label, works, tried) {
  if (!works) return null;
  const box = h("input", {
    type: "checkbox",
    checked: store(name) === "on",
    onchange: () => {
      store(name, box.checked ? "on" : null);
      if (box.checked) tried();
    },
  });
  return h("label", { class: "choice" }, box, label);
}

function pick(name, label, values) {
  const box = h(
    "select",
    {
      onchange: () => {
        store(name, box.value || null);
        dispatchEvent(new Event("look"));
      },
    },
    Object.entries(values).map(([value, text]) => h("option", { value, selected: (store(name) ?? "") === value }, text)),
  );
  return h("label", { class: "field" }, h("span", {}, label), box);
}

/** The switches of this phone, for a settings corner of a page. */
export function phoneChoices() {
  return [
    pick("theme", "Colours", { "": "As this phone", light: "Light", dark: "Dark" }),
    pick("type", "Type", { "": "Normal", large: "Large" }),
    toggle("speech", "Speak announcements on this phone", can.speech, () => sayAloud(["I speak here from now on."])),
    toggle("vibration", "Vibrate when it is my turn", can.vibration, nudge),
  ];
}
