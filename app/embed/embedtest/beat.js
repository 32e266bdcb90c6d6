// Runs before the page's own scripts. Beats, timers of 20 seconds and more, wait until a test calls beat(); what the page
// says and hears is kept.
{
  const soon = setTimeout, stop = clearTimeout, warn = console.warn, define = CustomElementRegistry.prototype.define;
  const kept = new Map();
  let next = 1e9;
  window.setTimeout = (run, ms, ...rest) => (ms >= 2e4 ? (kept.set(++next, { run, ms }), next) : soon(run, ms, ...rest));
  window.clearTimeout = (id) => (kept.delete(id) ? undefined : stop(id));
  window.pending = () => [...kept.values()].map((t) => t.ms);
  window.beat = () => {
    const due = [...kept.values()];
    kept.clear();
    for (const { run } of due) run();
  };
  // Answers that are under way are waited for, and then a moment more.
  let open = 0;
  const get = fetch, text = Response.prototype.text;
  const over = (answer) => answer.finally(() => open--);
  window.fetch = (...how) => (open++, get(...how).catch((error) => (open--, Promise.reject(error))));
  Response.prototype.text = function () {
    return over(text.call(this));
  };
  window.rest = (done) => (open > 0 ? soon(() => rest(done), 10) : soon(done, 150));
  window.warned = [];
  console.warn = (...words) => (warned.push(words.join(" ")), warn(...words));
  window.defined = [];
  CustomElementRegistry.prototype.define = function (name, ...rest) {
    defined.push(name);
    return define.call(this, name, ...rest);
  };
  window.told = [];
  addEventListener("svc:walkins", (event) => told.push(event.detail), true);
  window.changes = [];
  window.watch = (node) =>
    new MutationObserver((all) => changes.push(...all.map((m) => m.type))).observe(node, { subtree: true, childList: true, attributes: true, characterData: true });
}
