// The plain tags, contract v1: a studio pastes this script and a tag into a page of its own, and the tag shows plain HTML
// that the studio's CSS reaches. The script leaves nothing behind but the seven elements, the links to their sheets, and
// what the tags contain: no global, no cookie, no storage. What a tag contained before is its fallback and stays until there
// is something to show.
import { base } from "./v1/home";
import { List, Listings } from "./v1/list";
import { Schedule } from "./v1/schedule";
import { attributes, type Show } from "./v1/show";
import { Times } from "./v1/times";
import { Walkins } from "./v1/walkins";

const tags: Record<string, new (tag: HTMLElement) => Show> = {
  schedule: Schedule,
  classes: List,
  appointments: List,
  rentals: List,
  listings: Listings,
  times: Times,
  walkins: Walkins,
};

// The element itself has no property of its own: frameworks set attributes as properties where an element has them.
for (const [name, Kind] of Object.entries(base && !customElements.get("svc-schedule") ? tags : {})) {
  customElements.define(
    "svc-" + name,
    class extends HTMLElement {
      static observedAttributes = attributes;
      #show = new Kind(this);
      connectedCallback(): void {
        this.#show.changed();
      }
      disconnectedCallback(): void {
        this.#show.changed();
      }
      attributeChangedCallback(): void {
        this.#show.changed();
      }
    },
  );
}
