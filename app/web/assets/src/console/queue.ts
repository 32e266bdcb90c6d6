// Check-in at a door with a bad line: a tap that cannot be sent waits here for ten minutes and is sent again when the line is
// back, with the key of its own form, so nothing is done twice. What could not be done by then is told.
const name = "taps";
const keep = 10 * 60 * 1000;

type Tap = { to: string; body: string; at: number; what: string };

export function queue(): void {
  document.addEventListener("submit", (e) => {
    const form = e.target as HTMLFormElement;
    if (!form.matches("form[data-queue]") || navigator.onLine) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString();
    write([...read(), { to: form.action, body, at: Date.now(), what: form.dataset.queue ?? "" }]);
    form.querySelector("button")?.setAttribute("aria-busy", "true");
    tell();
  }, true);
  window.addEventListener("online", replay);
  document.addEventListener("turbo:load", () => {
    tell();
    if (navigator.onLine) void replay();
  });
}

function read(): Tap[] {
  const all = JSON.parse(localStorage.getItem(name) ?? "[]") as Tap[];
  return all.filter((t) => Date.now() - t.at < keep);
}

function write(taps: Tap[]): void {
  if (taps.length) localStorage.setItem(name, JSON.stringify(taps));
  else localStorage.removeItem(name);
}

// replay sends what waits, in the order of the taps. An answer of any kind ends the wait of a tap; no answer ends the replay.
async function replay(): Promise<void> {
  const refused: string[] = [];
  let sent = 0;
  for (let taps = read(); taps.length; taps = taps.slice(1)) {
    const tap = taps[0]!;
    try {
      const answer = await fetch(tap.to, {
        method: "POST", body: tap.body, redirect: "manual", headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
      });
      sent++;
      if (answer.type !== "opaqueredirect") refused.push(tap.what);
    } catch {
      write(taps);
      return;
    }
    write(taps.slice(1));
  }
  tell(refused);
  if (sent) document.dispatchEvent(new Event("console:replayed"));
}

// tell says how many taps wait, or which were refused.
function tell(refused: string[] = []): void {
  const box = document.querySelector<HTMLElement>("[data-waiting-taps]");
  if (!box) return;
  const n = read().length;
  box.hidden = n === 0 && refused.length === 0;
  if (refused.length) box.textContent = (box.dataset.refused ?? "").replace("{names}", refused.join(", "));
  else if (n) box.textContent = (box.dataset.waitingTaps ?? "").replace("{n}", String(n));
}
