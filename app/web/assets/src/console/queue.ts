// Taps at a door with a bad line. A form with data-queue that cannot be sent waits here for ten minutes, under the name of whom it is
// about, and is sent again when the line is back, with the key of its own form: nothing is done twice. The bar over the screen (#taps)
// says how many wait, what was refused because something has changed meanwhile, and what came too late.
import { visit } from "../vendor/turbo.js";

const name = "taps";
const keep = 10 * 60 * 1000;
const again = 10 * 1000; // a line can be back without the browser saying so

type Tap = { to: string; body: string; at: number; what: string };
type Words = "waiting" | "locked" | "refused" | "late";

let busy = false;
let told: string[] = []; // sentences that stay until somebody has read them

export function queue(): void {
  document.addEventListener("submit", (e) => {
    const form = e.target as HTMLFormElement;
    if (!form.matches("form[data-queue]") || (navigator.onLine && !form.dataset.waits)) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    put(form);
  }, true);
  document.addEventListener("turbo:fetch-request-error", (e) => { // the browser took the line for a good one
    const form = e.target as HTMLFormElement;
    if (form.matches?.("form[data-queue]")) put(form);
  });
  document.addEventListener("click", (e) => {
    if (!(e.target as Element).closest?.("#taps button")) return;
    told = [];
    tell();
  });
  window.addEventListener("online", () => void replay());
  window.setInterval(() => { if (read().length) void replay(); }, again);
  document.addEventListener("turbo:load", () => { tell(); void replay(); });
}

function put(form: HTMLFormElement): void {
  if (form.dataset.waits) return;
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString();
  write([...read(), { to: form.action, body, at: Date.now(), what: form.dataset.queue ?? "" }]);
  form.dataset.waits = "1";
  const button = form.querySelector("button");
  if (button) {
    button.disabled = true;
    (button.lastChild as Text).textContent = form.dataset.queued ?? "";
  }
  tell();
}

// read is what waits; what has waited for too long is told and let go.
function read(): Tap[] {
  const all = JSON.parse(localStorage.getItem(name) ?? "[]") as Tap[];
  const late = all.filter((t) => Date.now() - t.at >= keep);
  if (late.length) {
    write(all.filter((t) => Date.now() - t.at < keep));
    say("late", late.map((t) => t.what));
  }
  return all.filter((t) => Date.now() - t.at < keep);
}

function write(taps: Tap[]): void {
  if (taps.length) localStorage.setItem(name, JSON.stringify(taps));
  else localStorage.removeItem(name);
}

// replay sends what waits, in the order of the taps. An answer ends the wait of a tap, unless it asks who is there; no answer ends
// the replay. Then the page shows what is so now.
async function replay(): Promise<void> {
  if (busy || !navigator.onLine) return;
  busy = true;
  const refused: string[] = [];
  let sent = 0;
  for (let taps = read(); taps.length; taps = read()) {
    const tap = taps[0]!;
    const answer = await fetch(tap.to, {
      method: "POST", body: tap.body, redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "Foyer-Tap": "1" },
    }).catch(() => undefined);
    if (!answer || answer.status >= 500) break;
    if (answer.status === 401) {
      tell("locked");
      busy = false;
      return;
    }
    if (answer.status !== 204) refused.push([tap.what, await answer.text()].filter(Boolean).join(" – "));
    sent++;
    write(read().slice(1));
  }
  busy = false;
  if (refused.length) say("refused", refused);
  tell();
  if (sent) visit(location.href, { action: "replace" });
}

function text(words: Words, n: number, names = ""): string {
  return (document.getElementById("taps")?.dataset[words] ?? "").replace("{n}", String(n)).replace("{names}", names);
}

function say(words: Words, names: string[]): void {
  told.push(text(words, names.length, names.join("; ")));
  tell();
}

// tell fills the bar in.
function tell(words: Words = "waiting"): void {
  const box = document.getElementById("taps");
  const line = box?.querySelector("p");
  const button = box?.querySelector("button");
  if (!box || !line || !button) return;
  const n = (JSON.parse(localStorage.getItem(name) ?? "[]") as Tap[]).length;
  box.hidden = n === 0 && told.length === 0;
  line.textContent = [...told, n ? text(words, n) : ""].filter(Boolean).join(" ");
  button.hidden = told.length === 0;
}
