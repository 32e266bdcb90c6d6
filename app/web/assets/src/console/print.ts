// Buttons that print the page: without script the browser's own menu does.
export function print(root: HTMLElement): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("[data-print]")) {
    button.hidden = false;
    button.onclick = () => window.print();
  }
}
