import { ask, type Answer } from "./ask";
import { Show } from "./show";

// The schedule, and on request (attribute data) the same as schema.org events for search engines. They stand in a data
// block, which no browser runs.
export class Schedule extends Show {
  #data = document.createElement("script");

  protected address(): string {
    return this.at("/schedule");
  }

  protected override put(root: HTMLElement | null, answer: Answer): void {
    super.put(root, answer);
    const url = this.url;
    if (!this.tag.hasAttribute("data")) this.#data.remove();
    else if (!this.#data.isConnected)
      void ask(url + ".jsonld").then((events) => {
        if (events.status !== 200 || url !== this.url || !this.tag.hasAttribute("data")) return;
        this.#data.type = "application/ld+json";
        this.#data.textContent = events.text;
        this.root?.after(this.#data);
      });
  }
}
