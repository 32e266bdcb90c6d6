// Fragments are read inert, in a template, and only their root goes into the page.
import type { Answer } from "./ask";
import { base, framed, ref } from "./home";

// read returns the root of a fragment with its links made ready for this page, or null when the answer is no fragment.
export function read(answer: Answer): HTMLElement | null {
  if (answer.status !== 200) return null;
  const template = document.createElement("template");
  template.innerHTML = answer.text;
  const root = template.content.querySelector<HTMLElement>('[data-pf-v="1"]');
  for (const link of root?.querySelectorAll<HTMLAnchorElement | HTMLFormElement>("a[href],form") ?? []) {
    if (framed) {
      link.target = "_blank";
      link.relList?.add("noopener"); // forms learnt it later than links
    }
    const href = link.getAttribute("href");
    if (href?.startsWith(base + "/")) link.setAttribute("href", withRef(href));
  }
  return root;
}

// withRef tells the booking page where the customer comes from. Fragments are the same for every page, so it is added here.
function withRef(href: string): string {
  const url = new URL(href);
  const page = ref();
  if (page.startsWith("http")) url.search += (url.search && "&") + "ref=" + encodeURIComponent(page);
  return url.href;
}

// patch makes what is shown say what now says, in the nodes that are there: a live region stays the same region, and the
// focus stays where it is. Attributes that are not ours are the page's.
export function patch(shown: Element, now: Element): void {
  for (const { name, value } of now.attributes) if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  for (const name of shown.getAttributeNames()) if (name.startsWith("data-pf") && !now.hasAttribute(name)) shown.removeAttribute(name);
  const old = [...shown.childNodes];
  const next = [...now.childNodes];
  next.forEach((node, i) => {
    const was = old[i];
    if (!was) shown.append(node);
    else if (was.nodeName !== node.nodeName) was.replaceWith(node);
    else if (node instanceof Element) patch(was as Element, node);
    else if (was.nodeValue !== node.nodeValue) was.nodeValue = node.nodeValue;
  });
  for (const rest of old.slice(next.length)) rest.remove();
}
