// Counts a hold down: <p data-hold data-left="581"> with a <time> inside. The page carries the seconds that were left, not
// only the instant, because the visitor's clock may be wrong. It speaks twice, at two minutes and at thirty seconds,
// through the page's one status region, and never moves the visitor away when the hold ends.
// The words are the page's, in its language.
const spoken: [number, string][] = [
  [30, "seconds"],
  [120, "minutes"],
];

export function countdown(): void {
  const say = document.querySelector<HTMLElement>("[data-hold-say]");
  document.querySelectorAll<HTMLElement>("[data-hold]").forEach((el, i) => run(el, i === 0 ? say : null));
}

function run(el: HTMLElement, say: HTMLElement | null): void {
  const shown = el.querySelector("time");
  const end = Date.now() + Number(el.dataset.left) * 1000;
  let last = Infinity;

  const tick = (): void => {
    const ms = end - Date.now();
    const left = Math.max(0, Math.ceil(ms / 1000));
    if (shown) shown.textContent = clock(left);
    const due = spoken.find(([at]) => left <= at && last > at);
    if (due && left > 0 && last !== Infinity && say) say.textContent = say.dataset[due[1]] ?? "";
    last = left;
    if (left > 0) setTimeout(tick, ms % 1000 || 1000);
    else over(el, say);
  };
  tick();
}

function over(el: HTMLElement, say: Element | null): void {
  const words = el.dataset.over ?? "";
  el.textContent = words;
  if (say) say.textContent = words;
}

export function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
