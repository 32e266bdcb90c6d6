// What a checkout is told, beside the document: where the server is, which location it sells for, who is signed in, and how
// the card is charged.
export interface Shop {
  base: string;
  location: string;
  session: string;
  /** What the processor's card form does in the customer's browser. */
  payByCard: (clientSecret: string) => Promise<void>;
}

/** What both checkouts answer. */
export interface Sold {
  receiptToken: string;
  total: number;
  currency: string;
  /** Why holds were refused on the way, as details.reason. */
  refused: string[];
}

/** A refusal that the checkout cannot get around. */
export class Refused extends Error {
  constructor(readonly reason: string, message: string) {
    super(`${reason}: ${message}`);
  }
}
