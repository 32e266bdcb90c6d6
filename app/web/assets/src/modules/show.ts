// Small kindnesses on arrival: the error summary takes the focus, the chosen day is scrolled into the strip, and buttons
// that need script appear.
export function show(): void {
  document.querySelector<HTMLElement>("[data-focus]")?.focus();

  const day = document.querySelector<HTMLElement>(".strip [aria-current]");
  if (day?.parentElement) day.parentElement.scrollLeft = day.offsetLeft - day.parentElement.offsetLeft - 16;

  document.querySelectorAll<HTMLButtonElement>("button[data-print]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => print());
  });
}
