// <button hidden data-copy="id" data-copied="Copied"> copies the text of the element with that id, and then says the other
// words for a moment. Hidden until this runs: without script there is nothing to press.
export function copy(): void {
  if (!navigator.clipboard) return;
  document.querySelectorAll<HTMLButtonElement>("button[data-copy]").forEach((button) => {
    const words = button.innerHTML;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy ?? "");
      if (!source) return;
      try {
        await navigator.clipboard.writeText((source.textContent ?? "").trim());
        button.textContent = button.dataset.copied ?? "";
        setTimeout(() => (button.innerHTML = words), 2000);
      } catch {
        getSelection()?.selectAllChildren(source); // refused by the browser: leave it one key press away
      }
    });
  });
}
