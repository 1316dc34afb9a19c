// Light or dark, normal or large type: this phone's own choice, before the first paint.
(() => {
  const root = document.documentElement;
  const night = matchMedia("(prefers-color-scheme: dark)");
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const apply = () => {
    root.dataset.theme = kept("theme") || (night.matches ? "dark" : "light");
    root.dataset.type = kept("type") || "normal";
  };
  apply();
  night.addEventListener?.("change", apply);
  addEventListener("storage", apply);
  addEventListener("look", apply);
})();
