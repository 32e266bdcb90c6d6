// <button hidden data-copy="id"> copies the text of the element with that id. Hidden until this runs: without script there
// is nothing to press.
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
        button.textContent = "Copied";
        setTimeout(() => (button.innerHTML = words), 2000);
      } catch {
        getSelection()?.selectAllChildren(source); // refused by the browser: leave it one key press away
      }
    });
  });
}
