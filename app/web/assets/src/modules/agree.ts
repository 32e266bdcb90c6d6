// Agreements. A document that is read in passing opens over the page, so that what was ticked stays; one that is to be read to its
// end is agreed to once the end was seen. The server prints both as pages that need none of this.
export function agree(): void {
  // The booking frame is as tall as its page: what opens over it would be anywhere.
  if (!document.body.hasAttribute("data-frame")) document.querySelectorAll<HTMLButtonElement>("[data-opens]").forEach(opens);
  document.querySelectorAll<HTMLElement>("[data-to-end]").forEach(toEnd);
}

function opens(opener: HTMLButtonElement): void {
  const dialog = document.getElementById(opener.dataset.opens!) as HTMLDialogElement;
  const ask = opener.parentElement!;
  const box = ask.querySelector("input")!;
  const say = ask.querySelector<HTMLElement>("[data-say]")!;
  const form = opener.form!;
  const agreed = (): void => {
    box.disabled = false;
    box.checked = true;
    say.textContent = say.dataset.say!;
    form.querySelector<HTMLElement>("[data-agreed]")!.hidden = false;
  };
  opener.type = "button";
  opener.setAttribute("aria-haspopup", "dialog");
  opener.addEventListener("click", () => {
    dialog.returnValue = "";
    dialog.showModal();
  });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "agree") return;
    agreed();
    // Where all is read in passing, agreeing to the last of it is all that there is to do.
    const asks = Array.from(form.querySelectorAll(".ask"));
    if (asks.every((other) => other.querySelector<HTMLInputElement>("[data-opens] + input")?.checked)) form.requestSubmit();
  });
  if (box.checked) agreed();
}

function toEnd(bar: HTMLElement): void {
  const end = document.querySelector<HTMLElement>("[data-end]")!;
  const read = end.querySelector("button")!;
  const say = bar.querySelector<HTMLElement>("[data-locked]")!;
  const button = bar.querySelector<HTMLButtonElement>("[type=submit]")!;
  let locked = true;
  const sight = new IntersectionObserver((seen) => {
    if (seen.some((one) => one.isIntersecting)) unlock();
  });
  const unlock = (): void => {
    if (!locked) return;
    locked = false;
    sight.disconnect();
    button.removeAttribute("aria-disabled");
    say.textContent = say.dataset.open!;
  };
  button.setAttribute("aria-disabled", "true");
  say.textContent = say.dataset.locked!;
  bar.classList.add("kept");
  read.hidden = false;
  read.addEventListener("click", () => {
    unlock();
    button.focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "End") unlock();
  });
  bar.addEventListener("submit", (event) => {
    if (!locked) return;
    event.preventDefault();
    end.scrollIntoView({ block: "center" }); // there is nothing to press but what is wanted
  });
  sight.observe(end);
}
