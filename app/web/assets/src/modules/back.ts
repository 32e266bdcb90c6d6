// "Back to harbouryoga.com" is a plain link to the site. While the page the visitor came from is still behind in this tab,
// however many of ours they have opened since, going back in history is kinder: it keeps their place and scroll.
const name = "came-in";

interface Entry {
  key: string;
  index: number;
}

const tab = (window as unknown as { navigation?: { currentEntry: Entry | null; entries(): Entry[] } }).navigation;

export function back(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>("a[data-back]");
  if (!links.length) return;
  const steps = behind(links[0]!);
  if (steps < 1) return;
  links.forEach((link) =>
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      history.go(-steps);
    }),
  );
}

// behind is how many steps back the visitor's own page is; 0 when it is not there. The first page of ours that a link of the
// site opened has it right before it, unless the link opened a new tab; which page that was is kept for the later ones.
function behind(link: HTMLAnchorElement): number {
  const [arrival] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const arrived = arrival?.type === "navigate" && cameFrom(link.host);
  const before = arrived && history.length > 1;
  const now = tab?.currentEntry;
  try {
    if (arrived) sessionStorage.setItem(name, before && now ? now.key : "");
    const first = tab?.entries().find((entry) => entry.key === sessionStorage.getItem(name));
    if (first && now) return now.index - first.index + 1;
  } catch {
    // the browser keeps nothing here
  }
  return before ? 1 : 0;
}

function cameFrom(host: string): boolean {
  return document.referrer !== "" && bare(new URL(document.referrer).host) === bare(host);
}

function bare(host: string): string {
  return host.replace(/^www\./, "");
}
