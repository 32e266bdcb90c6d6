// The side sheet: a dialog around a frame. It opens when a screen arrives in it, and closing it leaves nothing behind.
export function sheet(): void {
  const box = () => document.querySelector<HTMLDialogElement>("[data-sheet]");
  document.addEventListener("turbo:frame-load", (e) => {
    const frame = e.target as HTMLElement;
    const dialog = box();
    if (frame.id !== "sheet" || !dialog || !frame.firstElementChild) return;
    if (!dialog.open) dialog.showModal();
    const title = frame.querySelector("h1")?.textContent;
    if (title) dialog.setAttribute("aria-label", title);
  });
  document.addEventListener(
    "close",
    (e) => {
      const dialog = box();
      if (!dialog || e.target !== dialog) return;
      const frame = dialog.querySelector("turbo-frame");
      frame?.removeAttribute("src");
      frame?.replaceChildren();
    },
    true,
  );
  document.addEventListener("click", (e) => {
    const dialog = box();
    if (dialog?.open && e.target === dialog) dialog.close(); // beside it
  });
  document.addEventListener("turbo:before-cache", () => box()?.close());
}
