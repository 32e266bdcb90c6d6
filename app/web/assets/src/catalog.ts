// Beside a form stands what customers read of it (#preview). While somebody types, the server says it anew: data-preview is where.
let wait = 0;
document.addEventListener("input", (e) => {
  const box = (e.target as HTMLElement).closest<HTMLElement>("[data-preview]");
  const form = (e.target as HTMLInputElement).form;
  if (!box || !form) return;
  clearTimeout(wait);
  wait = window.setTimeout(() => void show(box.dataset.preview ?? "", form), 250);
});

async function show(address: string, form: HTMLFormElement): Promise<void> {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (!name.startsWith("_") && typeof value === "string" && value.length < 1500) asked.append(name, value);
  }
  try {
    const answer = await fetch(`${address}?${asked}`, { headers: { "Turbo-Frame": "sheet" } });
    if (!answer.ok) return; // half a number: what stood there stays
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.querySelector("#preview");
    if (now) document.querySelector("#preview")?.replaceWith(now);
  } catch {
    return; // offline: the page still saves
  }
}

export {}; // a module: its names are its own
