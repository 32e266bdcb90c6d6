// "Back to harbouryoga.com" is a plain link to the site. While the page the visitor came from is still one step behind,
// going back in history is kinder: it keeps their place and scroll.
export function back(): void {
  const link = document.querySelector<HTMLAnchorElement>("a[data-back]");
  if (!link || !document.referrer || history.length < 2) return;
  if (bare(new URL(document.referrer).host) !== bare(link.host)) return;
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    history.back();
  });
}

function bare(host: string): string {
  return host.replace(/^www\./, "");
}
