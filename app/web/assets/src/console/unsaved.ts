// A form with a save bar says when something in it is not saved yet, and asks before it is left so.
let form: HTMLFormElement | null = null;

export function unsaved(): void {
  const bar = () => form?.querySelector<HTMLElement>("[data-save]");
  document.addEventListener("input", (e) => {
    const typed = (e.target as HTMLInputElement).form;
    if (!typed?.querySelector("[data-save]")) return;
    form = typed;
    bar()?.classList.add("dirty");
    bar()?.querySelector("[data-discard]")?.removeAttribute("hidden");
    const says = bar()?.querySelector<HTMLElement>("[data-unsaved]");
    if (says && !says.textContent) says.textContent = says.dataset.unsaved ?? "";
  });
  const done = () => (form = null);
  document.addEventListener("submit", done);
  document.addEventListener("turbo:load", done);
  document.addEventListener("click", (e) => {
    if ((e.target as Element).closest?.("[data-discard]")) done();
  });
  document.addEventListener("turbo:before-visit", (e) => {
    if (bar() && !window.confirm(bar()?.dataset.save)) e.preventDefault();
  });
  window.addEventListener("beforeunload", (e) => {
    if (bar()) e.preventDefault();
  });
}
