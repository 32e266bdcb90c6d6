// A number with a button on either side: easier to hit than the arrows of the browser, which phones do not show. Without script
// the number is typed.
export function stepper(): void {
  document.querySelectorAll<HTMLElement>("[data-stepper]").forEach((box) => {
    const input = box.querySelector("input")!;
    const buttons = Array.from(box.querySelectorAll<HTMLButtonElement>("[data-step]"));
    const limit = (): void => {
      const n = Number(input.value) || 1;
      for (const button of buttons) button.disabled = Number(button.dataset.step) < 0 ? n <= Number(input.min) : n >= Number(input.max);
    };
    for (const button of buttons) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const n = (Number(input.value) || 1) + Number(button.dataset.step);
        input.value = String(Math.min(Math.max(n, Number(input.min)), Number(input.max)));
        limit();
      });
    }
    input.addEventListener("input", limit);
    addEventListener("pageshow", limit); // a page that comes back has the number that was typed
    limit();
  });
}
