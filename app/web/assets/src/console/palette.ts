// The search over everything: opened by its link, by "/" and by ⌘K; the arrows go through what was found.
export function palette(): void {
  const box = () => document.querySelector<HTMLDialogElement>("[data-palette-box]");
  const open = () => {
    const dialog = box();
    if (!dialog || dialog.open) return;
    dialog.showModal();
    const frame = dialog.querySelector<HTMLElement>("turbo-frame");
    if (frame?.dataset.src && !frame.firstElementChild) frame.setAttribute("src", frame.dataset.src);
    dialog.querySelector<HTMLInputElement>("input[type=search]")?.select();
  };
  document.addEventListener("click", (e) => {
    const dialog = box();
    if (dialog?.open && e.target === dialog) dialog.close();
    if (!(e.target as Element).closest?.("[data-palette]") || !dialog || e.metaKey || e.ctrlKey) return;
    e.preventDefault();
    open();
  });
  document.addEventListener("keydown", (e) => {
    if ((e.metaKey || e.ctrlKey) && e.key.toLowerCase() === "k" && box()) {
      e.preventDefault();
      open();
    }
    const dialog = box();
    if (!dialog?.open || (e.key !== "ArrowDown" && e.key !== "ArrowUp")) return;
    const hits = [...dialog.querySelectorAll<HTMLElement>("a")];
    const at = hits.indexOf(document.activeElement as HTMLElement) + (e.key === "ArrowDown" ? 1 : -1);
    e.preventDefault();
    (hits[at] ?? dialog.querySelector<HTMLElement>("input[type=search]"))?.focus();
  });
  document.addEventListener("console:search", open);
  document.addEventListener("turbo:before-cache", () => box()?.close());
}
