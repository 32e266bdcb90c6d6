// What every tag does: find the address of its fragment, ask for it, and show it in place of the fallback.
import { ask, type Answer } from "./ask";
import { read } from "./fragment";
import { base } from "./home";
import { wear } from "./sheets";

export const attributes = ["location", "theme", "group", "listing", "book", "hide-when", "target", "data"];

export abstract class Show {
  protected url = ""; // what the tag is to show; "" while it is out of the page, or an attribute is missing
  protected root: HTMLElement | null = null; // what it shows
  #from = ""; // the address of what it shows
  #text = ""; // what it shows, as it was sent
  #answer: Answer | undefined; // the last answer of url that can be shown
  #own: ChildNode[] | undefined; // the fallback, while something else is shown
  #due = false;

  constructor(protected readonly tag: HTMLElement) {}

  // address is the address of the fragment, or "" when an attribute that it needs is missing.
  protected abstract address(): string;

  // changed is told of every change of the tag. Several at once are one, and a move within the page is none.
  changed(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#update();
    });
  }

  #update(): void {
    const url = this.tag.isConnected ? this.address() : "";
    if (url === this.url) {
      if (this.#answer) void this.take(url, this.#answer);
      return;
    }
    this.leave();
    this.#answer = undefined;
    this.url = url;
    if (url) {
      void wear(this.tag, this.at(""), false);
      this.follow();
    } else if (this.tag.isConnected) this.restore();
  }

  // follow begins to ask for url, and leave ends it.
  protected follow(): void {
    const url = this.url;
    void ask(url).then((answer) => this.take(url, answer));
  }

  protected leave(): void {}

  // take shows an answer of url, unless the tag has changed meanwhile. The first time it waits for the sheets. A bad answer
  // leaves what is there, if that is of the same address.
  async take(url: string, answer: Answer): Promise<void> {
    if (url !== this.url) return;
    const root = read(answer);
    if (!root && !this.empty(answer)) {
      if (answer.status === 404 || this.#from !== url) this.restore();
      return;
    }
    this.#answer = answer;
    const worn = wear(this.tag, this.at(""), answer.head.get("X-Svc-Css") === "1");
    if (this.#from !== url) {
      if (root) await worn;
      await whole(this.tag);
      if (url !== this.url || answer !== this.#answer) return;
    }
    this.#from = url;
    this.put(root, answer);
  }

  // empty tells whether an answer without a fragment is a good one.
  protected empty(_: Answer): boolean {
    return false;
  }

  // put shows a fragment, or nothing. What is there already is not touched.
  protected put(root: HTMLElement | null, answer: Answer): void {
    if (root && this.shows(answer)) return;
    this.keep(root, answer);
    this.tag.replaceChildren(...(root ? [root] : []));
  }

  protected shows(answer: Answer): boolean {
    return answer.text === this.#text && this.root?.parentNode === this.tag;
  }

  protected keep(root: HTMLElement | null, answer: Answer): void {
    this.#own ??= [...this.tag.childNodes];
    this.#text = answer.text;
    this.root = root;
  }

  // restore shows the fallback again.
  protected restore(): void {
    this.#answer = undefined;
    this.#from = "";
    this.root = null;
    if (this.#own) this.tag.replaceChildren(...this.#own);
    this.#own = undefined;
  }

  protected attr(name: string): string {
    return this.tag.getAttribute(name)?.trim() ?? "";
  }

  // at is an address below the location's, and "" without a location. Parameters without a value are left out. However a
  // slug is written, it is one address.
  protected at(path: string, params: Record<string, string> = {}): string {
    const location = this.attr("location").toLowerCase();
    const query = String(new URLSearchParams(Object.entries(params).filter(([, value]) => value)));
    return location && `${base}/embed/v1/${encodeURIComponent(location)}${path}${query && "?" + query}`;
  }
}

// whole waits until the parser has left the tag: what it would still put there is fallback.
async function whole(tag: HTMLElement): Promise<void> {
  for (let node: Node | null = tag; node; node = node.parentNode) if (node.nextSibling) return;
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
}
