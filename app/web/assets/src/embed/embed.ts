// The booking frame's host: every iframe[data-svc] becomes as tall as the page in it says. Only the service this script came
// from is heard, and only about its own frame. A frame is looked up when it speaks, so one that is added later, or moved, is
// as good as one that was there. The page in it has no ground of its own: the frame is told whether it stands on a light or a dark
// one, and where the page's colours are not made for that, the browser paints the ground that they are made for.
import { source } from "./parts/source";

const base = source("/embed.js");
const service = base && new URL(base).origin;

addEventListener("message", ({ origin, source, data }: MessageEvent) => {
  if (origin !== service || data?.type !== "svc:resize" || !Number.isFinite(data.height)) return;
  for (const frame of document.querySelectorAll<HTMLIFrameElement>("iframe[data-svc]")) {
    if (frame.contentWindow !== source) continue;
    frame.style.colorScheme = dark(frame) ? "dark" : "light";
    frame.style.height = Math.min(Math.max(data.height, 0), 100_000) + "px";
    if (data.navigated === true && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  }
});

// dark tells whether an element stands on a dark ground: that of the nearest around it which has one, else that of the website's scheme.
function dark(element: Element | null): boolean {
  for (; element; element = element.parentElement) {
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const ground = getComputedStyle(element).backgroundColor;
    if (!pen) break;
    pen.fillStyle = ground; // any way to write a colour becomes one pixel
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, solid] = pen.getImageData(0, 0, 1, 1).data;
    if (solid! > 127) return red! * 0.3 + green! * 0.59 + blue! * 0.11 < 128;
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme.includes("dark") && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
}
