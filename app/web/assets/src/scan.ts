// Receiving and counting stock: a code that is scanned or typed adds one to the row of its variant. The row of another code comes
// from the page that the form leads to without script. A hand scanner types its code and presses Enter.
import { Camera } from "./console/camera";

let camera: Camera | null = null;

document.addEventListener("submit", (e) => {
  const form = (e.target as Element).closest<HTMLFormElement>("[data-scan-form]");
  const field = form?.querySelector<HTMLInputElement>("[name=code]");
  if (!form || !field) return;
  e.preventDefault();
  e.stopPropagation(); // Turbo would load the page
  const code = field.value;
  field.value = "";
  field.focus();
  void add(form, code);
}, true);

document.addEventListener("click", (e) => {
  const button = (e.target as Element).closest?.<HTMLButtonElement>("[data-scan-camera]");
  const box = button?.closest<HTMLElement>("[data-scan]");
  if (button && box) void toggle(box, button);
});

async function toggle(box: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const video = box.querySelector("video")!;
  if (camera) {
    stop();
    return;
  }
  camera = new Camera(video, box.dataset.zxing ?? "", (code) => {
    navigator.vibrate?.(50);
    void add(box.querySelector<HTMLFormElement>("[data-scan-form]")!, code);
  });
  button.setAttribute("aria-pressed", "true");
  video.hidden = false;
  try {
    await camera.start();
  } catch {
    stop();
    say(box, box.dataset.cameraFailed ?? "");
  }
}

function stop(): void {
  camera?.stop();
  camera = null;
  for (const button of document.querySelectorAll("[data-scan-camera]")) button.setAttribute("aria-pressed", "false");
  for (const video of document.querySelectorAll<HTMLElement>("[data-scan] video")) video.hidden = true;
}

// One code after the other: of two equal ones the first gets the row.
let last: Promise<void> = Promise.resolve();

function add(form: HTMLFormElement, code: string): Promise<void> {
  last = last.then(() => addNow(form, code));
  return last;
}

async function addNow(form: HTMLFormElement, code: string): Promise<void> {
  const box = form.closest<HTMLElement>("[data-scan]");
  const rows = box?.querySelector("tbody");
  if (!box || !rows || !code.trim()) return;
  const known = [...rows.rows].find((row) => codes(row).has(normal(code)));
  if (known) {
    more(known);
    return jump(box, known);
  }
  const there = await lookUp(form, code);
  if (!there) return say(box, box.dataset.failed ?? "");
  const row = there.querySelector<HTMLTableRowElement>("[data-scan] tbody tr");
  if (!row) return say(box, there.querySelector("[data-scan-said]")?.textContent ?? "");
  const same = [...rows.rows].find((r) => field(r)?.name === field(row)?.name);
  if (same) { // by its other code
    more(same);
    return jump(box, same);
  }
  rows.prepend(document.importNode(row, true));
  jump(box, rows.rows[0]!);
}

async function lookUp(form: HTMLFormElement, code: string): Promise<Document | null> {
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value));
  address.searchParams.set("code", code);
  try {
    const answer = await fetch(address);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null; // offline: the rows stay
  }
}

// normal is a code as it is compared: scanners read the twelve digits of a UPC-A also as thirteen that begin with 0.
function normal(code: string): string {
  const text = code.trim().toLowerCase();
  return /^\d{12}$/.test(text) ? "0" + text : text;
}

function codes(row: HTMLElement): Set<string> {
  return new Set((row.dataset.codes ?? "").split("\n").filter(Boolean).map(normal));
}

function field(row: HTMLElement): HTMLInputElement | null {
  return row.querySelector("input[inputmode]");
}

function more(row: HTMLElement): void {
  const input = field(row);
  if (!input) return;
  input.value = String((parseInt(input.value, 10) || 0) + 1);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function jump(box: HTMLElement, row: HTMLTableRowElement): void {
  for (const other of box.querySelectorAll("tr.now")) other.classList.remove("now");
  row.classList.add("now");
  row.scrollIntoView({ block: "nearest" });
  say(box, `${row.dataset.name}: ${field(row)?.value}`);
}

function say(box: HTMLElement, text: string): void {
  const said = box.querySelector("[data-scan-said]");
  if (said) said.textContent = text;
}

function show(): void {
  if (!navigator.mediaDevices?.getUserMedia) return;
  for (const button of document.querySelectorAll<HTMLElement>("[data-scan-camera]")) button.hidden = false;
}
show();
document.addEventListener("turbo:render", show);
document.addEventListener("turbo:before-render", stop);
addEventListener("pagehide", stop);
