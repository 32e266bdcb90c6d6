// A form that came back has what is wrong in focus.
export function trouble(root: HTMLElement): void {
  root.querySelector<HTMLElement>("[data-focus]")?.focus();
}
