// Forms of the address that send themselves: filters when something changes (data-auto), searches while somebody types
// (data-as-you-type), and single inputs that the rest of a form depends on (data-live).
export function live(): void {
  let wait = 0;
  const send = (form: HTMLFormElement | null, after = 0) => {
    clearTimeout(wait);
    if (form) wait = window.setTimeout(() => form.requestSubmit(), after);
  };
  document.addEventListener("change", (e) => {
    const input = e.target as HTMLInputElement;
    if (input.closest?.("form[data-auto]") || input.dataset?.live) send(input.form);
  });
  document.addEventListener("input", (e) => {
    const input = e.target as HTMLInputElement;
    if (input.closest?.("form[data-as-you-type]")) send(input.form, 180);
  });
}
