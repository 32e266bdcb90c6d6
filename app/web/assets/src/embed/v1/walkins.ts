import type { Answer } from "./ask";
import { Feed, feed } from "./feed";
import { patch } from "./fragment";
import { Show } from "./show";

const states = ["open", "busy", "full", "closed"];
const warned = new Set<string>();

// The walk-ins bar: what the door says now. It is asked again every 30 seconds, and tells the page when something changed.
export class Walkins extends Show {
  #feed: Feed | undefined;
  #gone: boolean | undefined; // nothing is rendered
  #told = "";

  protected address(): string {
    const target = this.attr("target");
    return this.at("/walkins", {
      listing: this.attr("listing").replace(/\s/g, ""),
      book: this.attr("book"),
      target: /^_(self|blank)$/.test(target) ? target : "",
    });
  }

  protected override follow(): void {
    this.#feed = feed(this.url);
    this.#feed.join(this);
  }

  protected override leave(): void {
    this.#feed?.leave(this);
  }

  override take(url: string, answer: Answer): Promise<void> {
    if (answer.head.get("X-Svc-Walkins") === "unknown_listing" && url === this.url) {
      if (!warned.has(url)) console.warn(`svc-walkins: "${this.attr("location")}" has no walk-ins named "${this.attr("listing")}"`);
      warned.add(url);
    }
    return super.take(url, answer);
  }

  // 204: switched off, paused, or no room to walk into.
  protected override empty(answer: Answer): boolean {
    return answer.status === 204;
  }

  protected override put(root: HTMLElement | null, answer: Answer): void {
    const status = root?.querySelector("[data-pf=status]");
    const state = status?.getAttribute("data-pf-state") ?? "off";
    const gone = !states.includes(state) || this.attr("hide-when").split(/[\s,]+/).includes(state);
    this.#collapse(gone);
    if (gone) super.put(null, answer);
    else if (!this.root || this.root.parentNode !== this.tag) super.put(root, answer);
    else if (!this.shows(answer)) {
      patch(this.root, root!);
      this.keep(this.root, answer);
    }
    this.#tell(state, status, answer);
  }

  protected override restore(): void {
    this.#collapse(false);
    super.restore();
  }

  #collapse(gone: boolean): void {
    this.#gone ??= this.tag.hidden && !this.tag.firstChild; // a copy of a tag that was collapsed
    if (gone !== this.#gone) this.tag.hidden = this.#gone = gone;
  }

  #tell(state: string, status: Element | null | undefined, answer: Answer): void {
    const detail = {
      state,
      level: status?.getAttribute("data-pf-level") ?? null,
      spotsOpen: Number(status?.getAttribute("data-pf-spots") ?? 0),
      until: answer.head.get("X-Svc-Until") || null,
      listing: this.tag.getAttribute("listing"),
    };
    const told = JSON.stringify(detail);
    if (told === this.#told) return;
    this.#told = told;
    this.tag.dispatchEvent(new CustomEvent("svc:walkins", { detail, bubbles: true }));
  }
}
