// The calendar's own script: dates and bookings are dragged to another time, in steps of a quarter of an hour, and the key m moves
// the one that has the focus. Either opens the screen that says what the move would do; nothing is moved before that is confirmed.
const quarter = 15;
const slack = 6; // pixels that a hand trembles

let drag: { card: HTMLElement; x: number; y: number; grip: number; moved: boolean } | undefined;

document.addEventListener("pointerdown", (e) => {
  const card = (e.target as Element).closest<HTMLElement>(".ev[data-drag]");
  if (!card || e.button !== 0 || e.pointerType === "touch") return; // a finger scrolls
  drag = { card, x: e.clientX, y: e.clientY, grip: e.clientY - card.getBoundingClientRect().top, moved: false };
});

document.addEventListener("pointermove", (e) => {
  if (!drag) return;
  const dx = e.clientX - drag.x;
  const dy = e.clientY - drag.y;
  if (!drag.moved && Math.hypot(dx, dy) < slack) return;
  drag.moved = true;
  drag.card.classList.add("dragging");
  drag.card.style.transform = `translate(${dx}px, ${dy}px)`;
});

document.addEventListener("pointerup", (e) => {
  const was = drag;
  drop();
  if (!was?.moved) return;
  document.addEventListener("click", stop, { capture: true, once: true }); // the one that a drop ends with
  setTimeout(() => document.removeEventListener("click", stop, true), 50);
  const column = document.elementsFromPoint(e.clientX, e.clientY).map((el) => el.closest<HTMLElement>(".cal-col")).find(Boolean);
  const body = column?.querySelector<HTMLElement>(".cal-body");
  if (!column || !body) return;
  const at = minutes(body, e.clientY - was.grip);
  open(was.card.dataset.move!, was.card.dataset.drag === "booking" ? { date: column.dataset.day!, time: clock(at) } : { startsAt: `${column.dataset.day}T${clock(at)}` });
});

document.addEventListener("pointercancel", drop);
document.addEventListener("dragstart", (e) => {
  if ((e.target as Element).closest?.(".ev[data-drag]")) e.preventDefault(); // the link itself is not dragged
});

document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && drag) drop();
  if (e.key !== "m" || e.metaKey || e.ctrlKey || e.altKey || document.body.dataset.keys === "off") return;
  const to = (e.target as HTMLElement).dataset?.move;
  if (to) open(to);
});

function drop(): void {
  if (!drag) return;
  drag.card.classList.remove("dragging");
  drag.card.style.transform = "";
  drag = undefined;
}

function stop(e: Event): void {
  e.preventDefault();
  e.stopImmediatePropagation();
}

// minutes is the time of day at a height of the screen.
function minutes(body: HTMLElement, y: number): number {
  const grid = body.closest<HTMLElement>("[data-calendar]")!;
  const box = body.getBoundingClientRect();
  const hours = parseFloat(getComputedStyle(body).getPropertyValue("--t")) - Number(grid.dataset.from);
  const at = Number(grid.dataset.from) * 60 + ((y - box.top) / box.height) * hours * 60;
  return Math.max(0, Math.min(24 * 60 - quarter, Math.round(at / quarter) * quarter));
}

function clock(at: number): string {
  return `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
}

function open(address: string, when: Record<string, string> = {}): void {
  const to = new URL(address, location.href);
  for (const [name, value] of Object.entries(when)) to.searchParams.set(name, value);
  const frame = document.querySelector<HTMLElement & { src: string }>("turbo-frame#sheet");
  if (frame) frame.src = to.href;
}

// The line of now goes on while the page stands: the clock is the server's as it was printed (data-now, minutes of the day), and the
// time since.
const began = Date.now();
setInterval(() => {
  for (const line of document.querySelectorAll<HTMLElement>("[data-now]")) {
    const at = Number(line.dataset.now) + Math.floor((Date.now() - began) / 60000);
    line.className = `cal-now h${Math.floor(at / 60) % 24} m${(at % 60) - (at % 5)}`;
  }
}, 30000);

export {}; // a module: its names are its own
