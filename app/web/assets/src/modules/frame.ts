// In the booking frame (embed=1) the page tells its host how tall it is, and nothing else; it listens to nothing. The first
// message of a page says that the customer moved to another page. The height is no secret, so any host may read it.
export function frame(): void {
  if (!document.body.hasAttribute("data-frame") || parent === window) return;
  let navigated = true;
  let last = -1;

  const post = (): void => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === last && !navigated) return;
    last = height;
    const message: { type: string; height: number; navigated?: true } = { type: "svc:resize", height };
    if (navigated) message.navigated = true;
    navigated = false;
    parent.postMessage(message, "*");
  };

  new ResizeObserver(post).observe(document.body);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    navigated = true;
    post();
  });
}
