// A button that copies the text beside it, and says so.
export function copy(root: HTMLElement): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("[data-copy][hidden]")) {
    const from = button.parentElement?.querySelector<HTMLTextAreaElement | HTMLInputElement>("[data-copy-from]");
    if (!from || !navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(from.value);
      const words = button.lastChild as Text;
      words.textContent = button.dataset.done ?? "";
    });
  }
}
