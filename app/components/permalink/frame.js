// @ts-check
/// <reference path="../figure.js" />
/// <reference path="../export.js" />
/** A frame with this page for another site: "Copy iframe", and the way back out of one. */

const STREAMLITS_OWN = ["embed", "embed_options"]; // how the page is framed, not what it shows
const SIZES = /** @type {const} */ ([
  ["Width", 800],
  ["Height", 450],
]);
const THEMES = /** @type {[string, string][]} */ ([
  ["As the reader has it", ""],
  ["Light", "light_theme"],
  ["Dark", "dark_theme"],
]);

/** The page itself. @param {string} address */
function unframed(address) {
  const url = new URL(address);
  for (const name of [...STREAMLITS_OWN, "controls"]) url.searchParams.delete(name);
  return url.href;
}

/**
 * The button and its fields; `at`: where the element is asked for (app/web/oembed.py).
 * @param {HTMLElement} bar @param {() => URL} here @returns {{at: string, place: HTMLElement}}
 */
function frameMenu(bar, here) {
  const place = bar.appendChild(element("span", "save"));
  const button = place.appendChild(
    quietButton("Copy iframe", "This view in a slide or another page", () => open(menu.hidden)),
  );
  const menu = place.appendChild(element("div", "menu frame"));
  const asked = { at: "", place };
  const sizes = SIZES.map(([name, usual]) => field(name, "number", String(usual)));
  const theme = field("Colours", "select", "");
  for (const [name, value] of THEMES) theme.append(new Option(name, value));
  const controls = field("With its controls", "checkbox", "1");
  const copy = menu.appendChild(quietButton("Copy", "Copy the element <iframe>", copied));
  const said = menu.appendChild(element("span", "said"));
  said.setAttribute("role", "status");

  /** @param {string} name @param {string} type @param {string} value */
  function field(name, type, value) {
    const label = menu.appendChild(element("label", "", name));
    const input = label.appendChild(element(type === "select" ? "select" : "input"));
    if (type !== "select") Object.assign(input, { type, value });
    return input;
  }
  /** @param {boolean} wanted */
  function open(wanted) {
    menu.hidden = !wanted;
    said.textContent = "";
    button.setAttribute("aria-expanded", String(wanted));
    if (wanted) sizes[0].focus();
  }
  async function copied() {
    const url = here();
    for (const name of [...STREAMLITS_OWN, "controls"]) url.searchParams.delete(name);
    if (theme.value) url.searchParams.set("embed_options", theme.value);
    if (controls.checked) url.searchParams.set("controls", "1");
    const query = new URLSearchParams({ url: url.href, maxwidth: sizes[0].value, maxheight: sizes[1].value });
    try {
      const answer = await (await fetch(`${asked.at}?${query}`)).json();
      if (!answer.html) throw new Error(answer.told);
      await copyText(answer.html);
      said.textContent = "Copied";
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : "It did not come.";
    }
  }
  place.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation();
    if (event.key !== "Escape" || menu.hidden) return;
    open(false);
    button.focus();
  });
  copy.classList.add("act");
  open(false);
  return asked;
}
