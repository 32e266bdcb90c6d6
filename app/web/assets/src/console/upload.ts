// Photos are sent one after the other, each with a bar that shows how far it is and a sentence about what became of it: added, already
// here, or why not. They are chosen, several at once, or dropped on the form. Without this the form sends one.
const forms = "form[data-upload]";

export function upload(): void {
  document.addEventListener("click", (e) => {
    const input = (e.target as Element).closest?.<HTMLInputElement>(`${forms} input[type=file]`);
    if (input) input.multiple = true;
  }, true);
  document.addEventListener("submit", (e) => {
    const form = (e.target as Element).closest<HTMLFormElement>(forms);
    const input = form?.querySelector<HTMLInputElement>("input[type=file]");
    if (!form || !input?.files?.length) return; // the server says that nothing was chosen
    e.preventDefault();
    void sendAll(form, [...input.files]).then(() => { input.value = ""; });
  });
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (e) => {
      const form = (e.target as Element).closest?.<HTMLFormElement>(forms);
      const files = (e as DragEvent).dataTransfer?.files;
      if (!form) return;
      e.preventDefault();
      form.classList.toggle("over", name === "dragover");
      if (name === "drop" && files?.length) void sendAll(form, [...files]);
    });
  }
}

async function sendAll(form: HTMLFormElement, files: File[]): Promise<void> {
  const list = form.querySelector(".uploads");
  const rows = files.map((file) => {
    const row = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = file.name;
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", file.name);
    const said = document.createElement("span");
    row.append(name, bar, said);
    list?.append(row);
    return { row, bar, said };
  });
  for (const [i, file] of files.entries()) {
    const { row, bar, said } = rows[i]!;
    const [ok, words] = file.size > Number(form.dataset.upload) ? [false, form.dataset.large ?? ""] : await send(form, file, bar);
    said.textContent = words;
    row.className = ok ? "done" : "bad";
    bar.remove();
  }
  await freshen();
}

// send sends one photo and answers how it went.
function send(form: HTMLFormElement, file: File, bar: HTMLProgressElement): Promise<[boolean, string]> {
  return new Promise((done) => {
    const data = new FormData(form);
    data.set("file", file);
    const call = new XMLHttpRequest();
    call.open("POST", form.action);
    call.setRequestHeader("Foyer-Tap", "1");
    call.upload.onprogress = (e) => { if (e.lengthComputable) bar.value = e.loaded / e.total; };
    const broken = () => done([false, form.dataset.broken ?? ""]);
    call.onerror = broken;
    call.ontimeout = broken;
    call.onload = () => {
      const said = decodeURIComponent((call.getResponseHeader("Foyer-Said") ?? "").replaceAll("+", " "));
      if (call.status === 204) done([true, said]);
      else if (call.status === 409) done([false, call.responseText]);
      else broken();
    };
    call.send(data);
  });
}

// freshen shows the photos that there are now, below what was said of each.
async function freshen(): Promise<void> {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#photos");
  if (next) document.querySelector("#photos")?.replaceWith(next);
}
