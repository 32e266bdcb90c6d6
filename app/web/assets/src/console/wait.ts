// A code can be sent again after a while: the button counts down to it.
export function wait(root: HTMLElement): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-wait]:not([data-counting])")) {
    let left = Number(button.dataset.wait);
    const said = button.textContent ?? "";
    button.dataset.counting = "";
    const tick = () => {
      button.disabled = left > 0;
      button.textContent = left > 0 ? (button.dataset.waiting ?? "").replace("{left}", `${left} s`) : said;
      if (left-- > 0) window.setTimeout(tick, 1000);
    };
    tick();
  }
}
