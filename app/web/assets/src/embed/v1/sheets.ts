// The sheets a tag wears: its theme's, and the location's own after it. They are linked once and stay.
import { base } from "./home";

const waits = new WeakMap<Element, Promise<unknown>>();

// wear links the sheets of a tag. It resolves when each of them has come, has failed, or has had 1.5 seconds; a second tag
// does not wait again. own is the address of the location, and css tells that it has a sheet of its own.
export function wear(tag: HTMLElement, own: string, css: boolean): Promise<unknown> {
  const theme = tag.getAttribute("theme");
  if (theme === "none") return Promise.resolve();
  const root = tag.getRootNode() as Document | ShadowRoot;
  const shipped = theme === "studio" ? own + "/theme.css" : `${base}/embed/v1/themes/${theme === "card" ? theme : "clean"}.css`;
  return Promise.all([sheet(root, shipped), css && sheet(root, own + "/custom.css")]);
}

// A theme that is linked late still comes before the sheets of locations. A link that the page has printed itself is enough.
function sheet(root: Document | ShadowRoot, href: string): Promise<unknown> | undefined {
  let link = root.querySelector<HTMLLinkElement>(`link[rel=stylesheet][href="${href}"]`);
  if (!link) {
    const made = (link = document.createElement("link"));
    made.rel = "stylesheet";
    made.crossOrigin = "anonymous"; // no cookie travels
    made.href = href;
    waits.set(
      made,
      new Promise((done) => {
        made.onload = made.onerror = done;
        setTimeout(done, 1500);
      }),
    );
    const last = href.endsWith("/custom.css") ? null : root.querySelector(`link[href^="${base}/"][href$="/custom.css"]`);
    if (last) last.before(made);
    else ((root as Document).head ?? root).append(made);
  }
  return waits.get(link);
}
