// A feed asks for one address every 30 seconds, for all tags that show it, and only while somebody can see the page.
import { ask, type Answer } from "./ask";

interface Reader {
  take(url: string, answer: Answer): unknown;
}

const feeds = new Map<string, Feed>();

export function feed(url: string): Feed {
  let found = feeds.get(url);
  if (!found) feeds.set(url, (found = new Feed(url)));
  return found;
}

export class Feed {
  #readers = new Set<Reader>();
  #timer = 0;
  #last: Answer | undefined;

  constructor(readonly url: string) {}

  join(reader: Reader): void {
    this.#readers.add(reader);
    if (this.#last) reader.take(this.url, this.#last);
    else if (this.#readers.size === 1) this.beat();
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size) return;
    clearTimeout(this.#timer);
    feeds.delete(this.url);
  }

  // beat asks now, and every 30 seconds from now on. In a hidden page it ends the beat.
  beat(): void {
    clearTimeout(this.#timer);
    if (document.hidden) return;
    this.#timer = setTimeout(() => this.beat(), 30_000);
    void ask(this.url).then((answer) => {
      this.#last = answer;
      for (const reader of this.#readers) reader.take(this.url, answer);
    });
  }
}

const look = (): void => feeds.forEach((f) => f.beat());
document.addEventListener("visibilitychange", look);
addEventListener("pageshow", (event) => {
  if (event.persisted) look();
});
