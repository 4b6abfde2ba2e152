// From one notebook's address in JupyterLab to that of another one beside it. Sums, nothing of the page.

/**
 * The path of the notebook `other` in the folder of `own`, as JupyterLab's server has it; null where the address of the page
 * is not that of a notebook `own` in JupyterLab.
 * @param {string} pathname of the page: "/lab/tree/00_start_here.ipynb", "/user/ada/lab/workspaces/a/tree/labs/00_start_here.ipynb"
 * @param {string} own
 * @param {string} other
 * @returns {string | null}
 */
export function beside(pathname, own, other) {
  const found = /\/lab(?:\/workspaces\/[^/]+)?\/tree\/(.+)$/.exec(pathname);
  if (!found || !own || !other) return null;
  /** @type {string[]} */ let steps;
  try {
    steps = found[1].split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
  return steps.pop() === own ? [...steps, other].join("/") : null;
}
