import { ask } from "./ask";
import { read } from "./fragment";
import { Show } from "./show";

// The times of one listing. Later times and another date replace them in place; both are a plain link and a plain form to
// the booking page, which they stay for anybody who wants a new tab, and when we have nothing to show.
export class Times extends Show {
  #turns = 0;
  #stuck = false; // the last request failed: the next one is the browser's

  constructor(tag: HTMLElement) {
    super(tag);
    tag.addEventListener("click", (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-pf=page]");
      if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      this.#turn(event, "after", new URL(link.href).searchParams.get("after"));
    });
    tag.addEventListener("submit", (event) => {
      this.#turn(event, "from", new FormData(event.target as HTMLFormElement).get("from") as string);
    });
  }

  protected address(): string {
    const listing = this.attr("listing");
    return listing && this.at("/times/" + encodeURIComponent(listing));
  }

  async #turn(event: Event, name: string, value: string | null): Promise<void> {
    const { root, url, tag } = this;
    if (event.defaultPrevented || !root?.contains(event.target as Node)) return;
    if (this.#stuck) {
      this.#stuck = false;
      return;
    }
    event.preventDefault();
    const turn = ++this.#turns;
    root.setAttribute("aria-busy", "true");
    const answer = await ask(value ? `${url}?${name}=${encodeURIComponent(value)}` : url);
    if (turn !== this.#turns || url !== this.url) return;
    root.removeAttribute("aria-busy");
    this.#stuck = !read(answer);
    if (this.#stuck) return;
    const focused = tag.contains((tag.getRootNode() as Document).activeElement);
    await this.take(url, answer);
    this.#arrive(focused, name === "from" ? value : "");
  }

  // arrive leads the customer to the first of the new times: with the focus if it was here, and with the scroll if the
  // section begins above what they see.
  #arrive(focused: boolean, from: string | null): void {
    const root = this.root!;
    const field = root.querySelector<HTMLInputElement>("[data-pf=jump] [name=from]");
    if (field && from) field.value ||= from;
    const first = root.querySelector<HTMLElement>("[data-pf=day-name],[data-pf=empty]");
    if (focused && first) {
      first.tabIndex = -1;
      first.focus({ preventScroll: true });
    }
    if (root.getBoundingClientRect().top < 0) root.scrollIntoView();
  }
}
