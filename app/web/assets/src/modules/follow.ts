// Where a studio is: the browser says its time zone (input[data-here]), and what follows from the chosen country
// (select[data-follow], the id of that part) is asked of the server as soon as it changes, with what is typed. An answer that does
// not come changes nothing: the server asks itself then, before it goes on.
const pause = 200; // a choice that is passed over with the arrow keys is none

export function follow(): void {
  document.querySelectorAll<HTMLInputElement>("input[data-here]").forEach((input) => {
    input.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  });
  const select = document.querySelector<HTMLSelectElement>("select[data-follow]");
  if (!select?.form) return;
  const form = select.form;
  let timer = 0;
  let asked: AbortController | undefined;

  const ask = async (): Promise<void> => {
    asked?.abort();
    asked = new AbortController();
    const body = new FormData(form);
    body.set("change", "1");
    try {
      // A form of fields only goes as the browser itself would send it.
      const sent = new URLSearchParams([...body].map(([name, value]) => [name, String(value)]));
      const answer = await fetch(form.action, { method: "POST", body: sent, signal: asked.signal });
      const id = select.dataset.follow ?? "";
      const next = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(id);
      const part = document.getElementById(id);
      if (!next || !part) return;
      part.querySelectorAll<HTMLInputElement>("input[id]").forEach((typed) => {
        const to = next.querySelector<HTMLInputElement>(`[id="${typed.id}"]`);
        if (to) to.value = typed.value; // what was typed meanwhile
      });
      part.replaceChildren(...next.childNodes);
    } catch {
      // offline, or asked again
    }
  };

  select.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  });
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const says = form.querySelector(`[data-says="${target.name}"]`);
    if (says) says.textContent = target.selectedOptions[0]?.text ?? "";
  });
}
