// In the booking frame there are no cookies: what a visit remembers travels as a ticket in the links and forms of its pages.
// A page from the history has an older one. Where the browser lets the frame keep something for as long as the tab is open,
// the newest is kept, and a page that is behind is asked for again with it. Where it does not, nothing is lost but that.
const name = "_ticket";

export function ticket(): void {
  if (!document.body.hasAttribute("data-frame")) return;
  catchUp();
  addEventListener("pageshow", (event) => {
    if (event.persisted) catchUp();
  });
}

function catchUp(): void {
  const { ticket, version } = document.body.dataset;
  const here = new URL(location.href);
  try {
    const [newest = "0", kept = ""] = (sessionStorage.getItem(name) ?? "").split(" ");
    if (Number(newest) <= Number(version ?? 0) || here.searchParams.get(name) === kept) {
      if (ticket) sessionStorage.setItem(name, `${version} ${ticket}`);
      else sessionStorage.removeItem(name); // it is not good any more
      return;
    }
    here.searchParams.set(name, kept);
    location.replace(here);
  } catch {
    // the browser keeps nothing here
  }
}

// hide takes the ticket out of the page's address before a script of somebody else's runs, which may report where it is.
export function hide(): void {
  const here = new URL(location.href);
  if (!here.searchParams.has(name)) return;
  here.searchParams.delete(name);
  history.replaceState(null, "", here);
}
