// Asks every half minute what the door says, while somebody can see it, and at once when the tab is looked at again. What
// has not changed is left alone, so nothing is announced twice; a change is written into the same status region. An answer
// that does not come changes nothing.
const pause = 30_000;

export function live(): void {
  const address = document.body.dataset.live;
  if (!address) return;
  let timer = 0;

  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    if (document.hidden) return;
    timer = setTimeout(ask, pause);
    try {
      const answer = await fetch(address, { cache: "no-cache" });
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main"));
    } catch {
      // offline: the next try may do better
    }
  };

  timer = setTimeout(ask, pause);
  document.addEventListener("visibilitychange", () => void ask());
  addEventListener("pageshow", (event) => {
    if (event.persisted) void ask();
  });
}

function show(next: Element | null): void {
  const main = document.querySelector("main");
  if (!next || !main) {
    if (next || main) document.body.replaceChildren(...(next ? [next] : []));
    return;
  }
  if (main.className !== next.className) main.className = next.className;
  for (const part of ["[role=status]", "a"]) {
    const [now, then] = [main.querySelector(part)!, next.querySelector(part)!];
    if (now.isEqualNode(then)) continue;
    if (part === "a") now.replaceWith(then);
    else now.replaceChildren(...then.childNodes);
  }
}
