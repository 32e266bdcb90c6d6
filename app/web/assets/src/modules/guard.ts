// A form that changes something is sent once. The button stays enabled, or its own name and value would not be sent; the
// form's idempotency key is the real protection, this only spares the visitor the doubt.
export function guard(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.dataset.sent !== undefined) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "";
    event.submitter?.setAttribute("aria-busy", "true");
  });

  // A page that comes back from the browser's memory must be usable again.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    document.querySelectorAll("form[data-sent]").forEach((form) => form.removeAttribute("data-sent"));
    document.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
  });
}
