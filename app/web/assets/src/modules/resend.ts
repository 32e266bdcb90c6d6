// "Send a new code" waits its seconds: <button data-wait="30" data-waiting="Send a new code in {left}">.
// The server refuses an early one in any case.
import { clock } from "./countdown";

export function resend(): void {
  const button = document.querySelector<HTMLButtonElement>("button[data-wait]");
  if (!button) return;
  const words = button.textContent ?? "";
  const waiting = button.dataset.waiting ?? words;
  const end = Date.now() + Number(button.dataset.wait) * 1000;

  const tick = (): void => {
    const left = Math.ceil((end - Date.now()) / 1000);
    button.disabled = left > 0;
    button.textContent = left > 0 ? waiting.replace("{left}", clock(left)) : words;
    if (left > 0) setTimeout(tick, 500);
  };
  tick();
}
