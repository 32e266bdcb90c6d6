// A screen that is about now asks for itself anew every so many seconds (data-refresh), while somebody looks at it and does nothing
// else on it; the answer is morphed into it.
import { visit } from "../vendor/turbo.js";

export function refresh(): void {
  let since = Date.now();
  document.addEventListener("turbo:load", () => { since = Date.now(); });
  window.setInterval(() => {
    const every = Number(document.querySelector<HTMLElement>("[data-refresh]")?.dataset.refresh ?? 0) * 1000;
    const busy = document.querySelector("dialog[open], details.menu[open], [data-toast], form[data-waits]") || document.activeElement?.matches("input, textarea, select");
    if (!every || Date.now() - since < every || document.hidden || !navigator.onLine || busy) return;
    since = Date.now();
    visit(location.href, { action: "replace" });
  }, 1000);
}
