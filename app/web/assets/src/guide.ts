// The page that shows studios what to paste. Without this script everything can be read and marked; with it the theme can be
// chosen, and looks be tried on.
function themes(): void {
  const picker = document.querySelector<HTMLFormElement>("form[data-themes]");
  if (!picker) return;
  const says = picker.querySelector("[data-theme-text]");
  const choose = (): void => {
    const input = picker.querySelector<HTMLInputElement>("input:checked");
    if (!input) return;
    for (const tag of document.querySelectorAll(".piece .stage > *")) tag.setAttribute("theme", input.value);
    for (const place of document.querySelectorAll("[data-theme]")) place.textContent = input.value === "clean" ? "" : ` theme="${input.value}"`;
    if (says) says.textContent = input.dataset.says ?? "";
  };
  picker.hidden = false;
  picker.addEventListener("change", choose);
  picker.addEventListener("submit", (event) => event.preventDefault());
  choose(); // a browser that comes back may have kept another choice
}

// A look is worn by the tags of this page alone: it names tags, and the sheet goes when another one is tried.
function looks(): void {
  const mirror = document.querySelector<HTMLElement>("[data-mirror]");
  if (!mirror) return;
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("[data-try]")];
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const wear = (button: HTMLButtonElement | undefined): void => {
    for (const b of buttons) b.setAttribute("aria-pressed", String(b === button));
    button?.closest("li")?.querySelector("details")?.setAttribute("open", "");
    const on = button?.dataset.on;
    const css = document.getElementById(button?.dataset.try ?? "")?.textContent ?? "";
    sheet.replaceSync(css && `@scope ([data-mirror]) { ${css} }`);
    for (const shown of mirror.querySelectorAll<HTMLElement>("[data-shows]")) {
      if (on) shown.hidden = shown.dataset.shows !== on;
      shown.firstElementChild?.setAttribute("theme", button?.dataset.in ?? "clean");
    }
  };
  for (const button of buttons) {
    const shown = mirror.querySelector(`[data-shows="${button.dataset.on}"]`);
    button.hidden = !shown;
    button.addEventListener("click", () => wear(button.getAttribute("aria-pressed") === "true" ? undefined : button));
  }
  mirror.hidden = false;
  const first = buttons.find((b) => !b.hidden);
  wear(first);
  first?.closest("li")?.querySelector("details")?.removeAttribute("open");
}

themes();
looks();
