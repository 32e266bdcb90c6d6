// Single keys, for whoever has not switched them off (the page of keys): g and a letter goes to a screen, / searches, and what is marked
// with data-key is pressed by its key. They rest while somebody types.
export function keys(): void {
  let going = 0;
  document.addEventListener("keydown", (e) => {
    if (e.metaKey || e.ctrlKey || e.altKey || e.defaultPrevented || typing(e.target as Element)) return;
    if (document.body.dataset.keys === "off" || document.querySelector("dialog[open]")) return;
    if (going && e.timeStamp - going < 1500) {
      going = 0;
      press(`[data-go="${CSS.escape(e.key)}"]`, e);
      return;
    }
    going = e.key === "g" ? e.timeStamp : 0;
    if (e.key === "/") {
      e.preventDefault();
      document.dispatchEvent(new Event("console:search"));
    } else if (e.key === "?") press('a[href$="/keys"]', e);
    else if (e.key === "j" || e.key === "k") row(e.key === "j" ? 1 : -1);
    else if (!going) press(`[data-key="${CSS.escape(e.key)}"]`, e);
  });
}

function typing(target: Element): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function press(selector: string, e: KeyboardEvent): void {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) return;
  e.preventDefault();
  found.click();
}

function row(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("a.whole")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
}
