import { Show } from "./show";

// A list is named by its tag: classes, appointments, rentals.
export class List extends Show {
  protected address(): string {
    return this.at("/" + this.tag.localName.slice(4));
  }
}

export class Listings extends Show {
  protected address(): string {
    return this.at("/listings", { group: this.attr("group") });
  }
}
