// The reference of the API, drawn by redoc from the server's own document. Only /docs/api loads this; without it that page
// is a plain list. What redoc would tell its makers it does not: the option says so, and the page's content policy lets
// nothing out.
import { init } from "./vendor/redoc.js";

const place = document.querySelector<HTMLElement>("[data-document]");
if (place?.dataset.document) {
  place.replaceChildren();
  init(place.dataset.document, { disableTelemetry: true }, place);
  new MutationObserver(nameContents).observe(place, { childList: true, subtree: true });
}

// nameContents makes the column of contents, which redoc draws beside the text, a landmark like the text.
function nameContents(_: MutationRecord[], watch: MutationObserver): void {
  const contents = document.querySelector("[data-document] .menu-content");
  if (!contents) return;
  contents.setAttribute("role", "navigation");
  contents.setAttribute("aria-label", "Contents");
  watch.disconnect();
}
