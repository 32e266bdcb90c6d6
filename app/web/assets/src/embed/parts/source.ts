// source is the address of the service that a script came from, without a slash at the end: what stands before path in the
// script's own address. It is "" when the page copied the script to a place of its own. Only a real script element is
// believed: a name in the page's HTML can stand in for document.currentScript.
export function source(path: string): string {
  for (const script of [document.currentScript, ...document.scripts]) {
    if (script instanceof HTMLScriptElement && script.src.includes(path)) return script.src.slice(0, script.src.indexOf(path));
  }
  return "";
}
