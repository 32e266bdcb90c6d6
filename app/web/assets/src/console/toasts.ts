// What was just done goes after eight seconds; not while somebody is on it, and what went wrong stays.
const stays = 8000;

export function toasts(root: HTMLElement): void {
  for (const toast of root.querySelectorAll<HTMLElement>("[data-toast]:not(.bad, [data-timed])")) {
    toast.dataset.timed = "";
    const go = () => {
      if (toast.matches(":hover, :focus-within")) window.setTimeout(go, 1000);
      else toast.remove();
    };
    window.setTimeout(go, stays);
  }
}
