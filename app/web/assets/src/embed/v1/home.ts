// Where the service is, and where the customer is.
import { source } from "../parts/source";

// base is the address of the service. Without it nothing is defined, and the fallbacks stay.
export const base = source("/embed/v1.js");

// framed: the tag is in a site builder's own frame, so booking needs a tab of its own.
export const framed = self !== top;

// ref is the page the customer comes from, as booking links tell it. In a site builder's frame that is the page around it.
// The service reads 2,048 characters of it.
export function ref(): string {
  const page = (framed && document.referrer) || location.origin + location.pathname + location.search;
  return page.length > 2048 ? page.replace(/\?.*/, "") : page;
}
