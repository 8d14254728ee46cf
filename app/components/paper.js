// @ts-check
/// <reference path="draw.js" />
/** What a saved drawing says of itself: a title, a description with its numbers, the fonts of its text. */

const LONGEST_DESCRIPTION = 4000; // characters; a map's every number is in the CSV and the NPZ

/** @type {Map<string, Promise<string>>} the font's rule for a stylesheet, by the font's name */
const FACES = new Map();

/** What goes first into a drawing. @param {string} title @param {string[]} description @param {string} faces */
function drawingHead(title, description, faces) {
  const words = description.map((part) => visibleLine(part).trim()).filter(Boolean);
  const all = words.join(". ");
  const text = all.length > LONGEST_DESCRIPTION ? `${all.slice(0, LONGEST_DESCRIPTION)} …` : all;
  const style = faces && `<defs><style>${faces}</style></defs>`;
  return `<title>${escaped(visibleLine(title))}</title><desc>${escaped(text)}</desc>${style}`;
}

/** A figure in its own words: its label, what it says of the selection, its table, or else what is drawn. @param {HTMLElement} root @param {string[]} drawn */
function spokenOf(root, drawn) {
  const labelled = root.querySelector("[role=img][aria-label]") ?? root.querySelector("[role=group][aria-label]");
  const table = root.querySelector("table");
  const rows = Array.from(table?.rows ?? [], (row) => Array.from(row.cells, (cell) => cell.textContent).join(" "));
  return [
    labelled?.getAttribute("aria-label") ?? "",
    root.querySelector(".readout")?.textContent ?? "",
    (table ? rows : drawn).join("; "),
  ];
}

/** The page's own fonts among those that are named, as a stylesheet that needs no other file. @param {Iterable<string>} stacks */
async function fontFaces(stacks) {
  const names = new Set(Array.from(stacks).flatMap((stack) => stack.split(",").map(fontName)));
  return (await Promise.all(Array.from(names, faceOf))).join("");
}

const fontName = (/** @type {string} */ name) => name.trim().replace(/^["']|["']$/g, "");

/** Empty where the page has no such font, or cannot fetch it: then the reader's own font stands in. @param {string} name */
function faceOf(name) {
  const source = fontSource(name);
  if (!source) return "";
  const known = FACES.get(name) ?? embedded(name, source).catch(() => "");
  FACES.set(name, known);
  return known;
}

/** @param {string} name @returns {{url: string, weight: string} | null} */
function fontSource(name) {
  for (const sheet of document.styleSheets) {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      continue; // another site's
    }
    for (const rule of rules) {
      if (!(rule instanceof CSSFontFaceRule) || fontName(rule.style.getPropertyValue("font-family")) !== name) continue;
      const [style, weight] = ["font-style", "font-weight"].map((what) => rule.style.getPropertyValue(what));
      const url = /url\(["']?([^"')]+)/.exec(rule.style.getPropertyValue("src"))?.[1];
      if (url && style !== "italic") return { url: new URL(url, sheet.href ?? document.baseURI).href, weight };
    }
  }
  return null;
}

/** @param {string} name @param {{url: string, weight: string}} source */
async function embedded(name, { url, weight }) {
  const blob = await (await fetch(url)).blob();
  const data = await new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = failed;
    reader.readAsDataURL(blob);
  });
  return `@font-face{font-family:"${escaped(name)}";${weight ? `font-weight:${weight};` : ""}src:url(${data})}`;
}

/*
 * A figure's caption: the sentence made of its view's numbers (app/ui/answer.py), which stands above
 * it on the page. Who hears the page hears it at the figure; a saved figure has it below.
 */
const ANSWER = ".st-key-answer";
const FIGURE = "[role=img][aria-label], [role=group][aria-label]";

/** "" where the page has none. */
const answerOf = () => (document.querySelector(ANSWER)?.textContent ?? "").replace(/\s+/g, " ").trim();

/** The answer, and what the figure says of its settings. @param {string} caption */
const captioned = (caption) => [answerOf(), caption].filter(Boolean).join(" · ");

/** Keeps the caption with what a figure is called, whichever of the two comes first. */
class Described {
  #seen = new MutationObserver(() => this.tell());

  /** @param {() => Element | null | undefined} figure */
  constructor(figure) {
    this.figure = figure;
  }

  /** After every run: the sentence may stand elsewhere. */
  listen() {
    this.#seen.disconnect();
    const answer = document.querySelector(ANSWER);
    if (answer) this.#seen.observe(answer, { childList: true, subtree: true, characterData: true });
    this.tell();
  }

  tell() {
    const [figure, said] = [this.figure(), answerOf()];
    if (figure && figure.getAttribute("aria-description") !== said) figure.setAttribute("aria-description", said);
  }

  leave() {
    this.#seen.disconnect();
  }
}
