// The booking frame's host: every iframe[data-svc] becomes as tall as the page in it says. Only the service this script came
// from is heard, and only about its own frame. A frame is looked up when it speaks, so one that is added later, or moved, is
// as good as one that was there.
import { source } from "./parts/source";

const base = source("/embed.js");
const service = base && new URL(base).origin;

addEventListener("message", ({ origin, source, data }: MessageEvent) => {
  if (origin !== service || data?.type !== "svc:resize" || !Number.isFinite(data.height)) return;
  for (const frame of document.querySelectorAll<HTMLIFrameElement>("iframe[data-svc]")) {
    if (frame.contentWindow !== source) continue;
    frame.style.height = Math.min(Math.max(data.height, 0), 100_000) + "px";
    if (data.navigated === true && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  }
});
