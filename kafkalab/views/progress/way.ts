// The way between notebooks, without the DOM: finds the path of another notebook beside this one in JupyterLab.

/** Returns the path of the notebook `other` in the folder of `own`, as JupyterLab's server has it; null when the page's
 * address is not that of a notebook `own` in JupyterLab.
 * @param pathname path of the page: "/lab/tree/00_start_here.ipynb", "/user/ada/lab/workspaces/a/tree/labs/00_start_here.ipynb" */
export function beside(pathname: string, own: string, other: string): string | null {
  const found = /\/lab(?:\/workspaces\/[^/]+)?\/tree\/(.+)$/.exec(pathname);
  if (!found || !own || !other) return null;
  let steps: string[];
  try {
    steps = found[1].split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
  return steps.pop() === own ? [...steps, other].join("/") : null;
}
