// A form that continues what was begun on another site sends itself, once, when its page is shown (data-send).
export function send(root: HTMLElement): void {
  const form = root.querySelector<HTMLFormElement>("form[data-send]");
  if (!form || document.documentElement.hasAttribute("data-turbo-preview")) return;
  form.removeAttribute("data-send");
  form.requestSubmit();
}
