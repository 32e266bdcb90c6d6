import { upload } from "./console/upload";

upload();

// Beside a form stands what customers see of it: words (#preview) and a page in a frame ([data-picture]). While somebody types, the
// server says both anew: data-preview and data-page are where.
let wait = 0;
document.addEventListener("input", (e) => {
  const box = (e.target as HTMLElement).closest<HTMLElement>("[data-preview], [data-page]");
  const form = (e.target as HTMLInputElement).form;
  if (!box || !form) return;
  clearTimeout(wait);
  wait = window.setTimeout(() => {
    if (box.dataset.preview) void words(box.dataset.preview, asked(form));
    if (box.dataset.page) void picture(box.dataset.page, asked(form));
  }, 250);
});

// asked is what is typed, as far as an address can carry it: of a long text the record's own stands.
function asked(form: HTMLFormElement): URLSearchParams {
  const out = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (!name.startsWith("_") && typeof value === "string" && value.length < 1500) out.append(name, value);
  }
  return out;
}

async function page(address: string, form: URLSearchParams): Promise<Document | null> {
  try {
    const answer = await fetch(`${address}?${form}`, { headers: { "Turbo-Frame": "sheet" } });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null; // half a number: what stood there stays
  } catch {
    return null; // offline: the page still saves
  }
}

async function words(address: string, form: URLSearchParams): Promise<void> {
  const now = (await page(address, form))?.querySelector("#preview");
  if (now) document.querySelector("#preview")?.replaceWith(now);
}

// picture changes what is in the frame without loading it: nothing blinks, and it stays where it is.
async function picture(address: string, form: URLSearchParams): Promise<void> {
  const frame = document.querySelector<HTMLIFrameElement>("[data-picture]");
  const next = await page(address, form);
  const old = frame?.contentDocument;
  if (!old || !next?.body) return;
  const sheets = old.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
  next.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]").forEach((sheet, i) => {
    const worn = sheets[i];
    if (!worn) old.head.append(old.importNode(sheet, true));
    else if (worn.getAttribute("href") !== sheet.getAttribute("href")) worn.setAttribute("href", sheet.getAttribute("href") ?? "");
  });
  old.body.replaceChildren(...[...next.body.childNodes].map((n) => old.importNode(n, true)));
  fit(frame);
}

// fit makes the frame as high as its page.
function fit(frame: HTMLIFrameElement): void {
  const height = frame.contentDocument?.body.scrollHeight ?? 0;
  if (height) frame.height = String(Math.min(height, 1400));
}

function fitAll(): void {
  for (const frame of document.querySelectorAll<HTMLIFrameElement>("[data-picture]")) {
    frame.addEventListener("load", () => fit(frame));
    if (frame.contentDocument?.readyState === "complete") fit(frame);
  }
}
fitAll();
document.addEventListener("turbo:render", fitAll);

// A finding about a line of a text leads to that line of the field.
document.addEventListener("click", (e) => {
  const link = (e.target as Element).closest?.<HTMLElement>("[data-line]");
  const field = link && document.querySelector<HTMLTextAreaElement>(link.getAttribute("href") ?? "");
  if (!link || !field) return;
  e.preventDefault();
  const lines = field.value.split("\n");
  const n = Number(link.dataset.line) - 1;
  const from = lines.slice(0, n).join("\n").length + (n > 0 ? 1 : 0);
  field.focus();
  field.setSelectionRange(from, from + (lines[n]?.length ?? 0));
  field.scrollTop = (n - 3) * parseFloat(getComputedStyle(field).lineHeight);
});

export {}; // a module: its names are its own
