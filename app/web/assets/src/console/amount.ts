// A button that says the amount that is typed beside it (button[data-amount]): "Refund $5.00". Without script it names none, and what is
// typed is what is done all the same. What is no amount leaves the button with its words of before.
export function amount(root: ParentNode): void {
  root.querySelectorAll<HTMLButtonElement>("button[data-amount]").forEach((button) => {
    const input = button.form?.querySelector<HTMLInputElement>("input.amount");
    if (!input) return;
    const before = button.textContent ?? "";
    const words = button.dataset.amount ?? "";
    const format = new Intl.NumberFormat(document.documentElement.lang, {
      style: "currency",
      currency: button.dataset.currency,
      currencyDisplay: "narrowSymbol",
    });
    const say = () => {
      const value = Number(input.value.trim().replace(",", "."));
      button.textContent = value > 0 ? words.replace("{amount}", format.format(value)) : before;
    };
    input.addEventListener("input", say);
    say();
  });
}
