// In the booking frame (embed=1, embed=live) the page tells its host how tall it is, and nothing else; it listens to nothing.
// The first message of a page says that the customer moved to another page. The height is no secret, so any host may read it.
export function frame(): void {
  if (!document.body.hasAttribute("data-frame") || parent === window) return;
  let navigated = true;
  let last = -1;
  let pause = 250;

  const post = (): void => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === last && !navigated) return;
    last = height;
    parent.postMessage({ type: "svc:resize", height, ...(navigated && { navigated }) }, "*");
    navigated = false;
  };

  // A frame that is out of sight or has no height is not laid out by itself, so changes are looked at as they are made.
  new MutationObserver(post).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  new ResizeObserver(post).observe(document.body);
  addEventListener("pageshow", (event) => {
    navigated ||= event.persisted;
    post();
  });
  post();

  // The host's script may come later than this page: as long as nobody did what was said, it is said again, for a minute.
  const repeat = (): void => {
    if (innerHeight !== last) {
      last = -1;
      post();
    }
    if ((pause *= 2) < 1e5) setTimeout(repeat, pause);
  };
  setTimeout(repeat, pause);
}
