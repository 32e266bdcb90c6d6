// What every screen of the console loads. Turbo loads pages without leaving the one that is shown, and morphs a page that a form
// comes back to; each module enhances what the server already printed. Without any of it the screens still work.
import "./vendor/turbo.js";
import { amount } from "./console/amount";
import { copy } from "./console/copy";
import { keys } from "./console/keys";
import { live } from "./console/live";
import { menus } from "./console/menus";
import { palette } from "./console/palette";
import { print } from "./console/print";
import { queue } from "./console/queue";
import { refresh } from "./console/refresh";
import { send } from "./console/send";
import { sheet } from "./console/sheet";
import { toasts } from "./console/toasts";
import { trouble } from "./console/trouble";
import { unsaved } from "./console/unsaved";
import { wait } from "./console/wait";

for (const enhance of [sheet, menus, palette, keys, live, queue, refresh, unsaved]) enhance(); // once: they listen at the document
for (const dress of [toasts, trouble, amount, copy, print, wait, send]) {
  dress(document.documentElement); // again for each page and frame that comes
  document.addEventListener("turbo:render", () => dress(document.documentElement));
  document.addEventListener("turbo:frame-load", (e) => dress(e.target as HTMLElement));
}
