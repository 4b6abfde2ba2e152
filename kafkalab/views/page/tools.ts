// The tools at the head of a recording's page: links to its views, colours, size, and the link to the moment shown.

import { el } from "../shared.ts";

export function tools({ views, link, presenter }: { views: { id: string; heading: string }[]; link(): string; presenter(on: boolean): void }) {
  const said = el("span", { class: "kl-page-copied", role: "status" });
  const field = el("input", { class: "kl-page-link", readonly: true, hidden: true, "aria-label": "link to this moment" });
  const copy = async () => {
    const text = link();
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
    // A page from disk may not be allowed to use the clipboard; the link is then shown, to be copied by hand.
    field.hidden = copied;
    field.value = text;
    if (!copied) field.select();
    said.textContent = copied ? "copied" : "copy it from here:";
    clearTimeout(quiet);
    if (copied) quiet = setTimeout(() => { said.textContent = ""; }, 3000);
  };
  let quiet: any;
  const colours = el("select", { class: "kl-select", onchange: () => theme(colours.value) },
    el("option", { value: "" }, "as the system"), el("option", { value: "light" }, "light"), el("option", { value: "dark" }, "dark"));
  return el("div", { class: "kl-page-tools" },
    views.length > 1 ? el("nav", { "aria-label": "views on this page" }, el("ul", {}, views.map(({ id, heading }) => el("li", {}, el("a", { href: `#${id}` }, heading))))) : null,
    el("div", { class: "kl-page-switches" },
      el("label", {}, "colours ", colours),
      el("label", {}, el("input", { type: "checkbox", onchange: (event: any) => presenter(event.target.checked) }), " larger"),
      el("button", { type: "button", class: "kl-button", onclick: copy, title: "the address of this page at the moment it shows" }, "copy link to this moment"), said, field));
}

/** Sets the theme in the way of JupyterLab, so that the views follow it.
 * @param name light, dark, or "" for the system's */
function theme(name: string) {
  if (name) document.body.setAttribute("data-jp-theme-light", String(name === "light"));
  else document.body.removeAttribute("data-jp-theme-light");
  document.documentElement.style.colorScheme = name; // for the area around the page, and the browser's own controls
}
