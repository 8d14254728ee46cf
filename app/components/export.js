// @ts-check
/// <reference path="figure.js" />
/// <reference path="paper.js" />
/** What a reader takes along: the figure as PNG or SVG with its caption, a text for the clipboard. */

/** One thing that the menu saves: its name, what it is, how. @typedef {[string, string, () => void]} Saved */

/** @param {HTMLElement} tools @param {(format: "png" | "svg") => void} save @param {string} [what] @param {Saved[]} [more] */
function exportButtons(tools, save, what = "this figure", more = []) {
  saveMenu(tools, what, [
    ["PNG", `Download ${what} as PNG`, () => save("png")],
    ["SVG", `Download ${what} as SVG`, () => save("svg")],
    ...more,
  ]);
}

/** One small button; what can be saved stands behind it. @param {HTMLElement} tools @param {string} what @param {Saved[]} saved */
function saveMenu(tools, what, saved) {
  const place = tools.appendChild(element("span", "save"));
  const button = place.appendChild(quietButton("Save", `Save ${what}`, () => open(menu.hidden)));
  const menu = place.appendChild(element("span", "menu"));
  const outside = (/** @type {Event} */ event) => event.composedPath().includes(place) || open(false);
  /** @param {boolean} wanted */
  function open(wanted) {
    menu.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    document[wanted ? "addEventListener" : "removeEventListener"]("pointerdown", outside);
    if (wanted) menu.firstElementChild.focus();
  }
  for (const [name, title, act] of saved) {
    const choose = () => {
      open(false);
      button.focus();
      act();
    };
    menu.append(quietButton(name, title, choose));
  }
  place.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (menu.hidden) return;
    event.stopPropagation(); // an arrow or Escape belongs to the menu, not to the figure
    const all = [...menu.children];
    const turn = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = all.indexOf(/** @type {any} */ (place.getRootNode()).activeElement);
    if (turn) all[(at + turn + all.length) % all.length].focus();
    if (turn) event.preventDefault();
    if (event.key !== "Escape") return;
    open(false);
    button.focus();
  });
  open(false);
}

/** @param {string} name @param {Blob} blob */
function download(name, blob) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * `root`: what is drawn, as it speaks of itself; `says`: its numbers, where it neither
 * has a table of them nor draws them.
 * @typedef {{root: HTMLElement, says?: string[], name: string, caption: string, width: number, height: number, theme: Theme, draw: (surface: Surface) => void}} Export
 * @param {"png" | "svg"} format @param {Export} figure
 */
async function exportFigure(format, { root, says, name, caption, width, height, theme, draw }) {
  const margin = 16;
  const font = fontOf(theme, { size: 12 });
  const lines = wrapped(captioned(caption), width, font);
  const full = [width + 2 * margin, height + 2 * margin + lines.length * 17 * theme.unit + (lines.length ? 6 : 0)];
  const drawAll = (/** @type {Surface} */ surface) => {
    draw(surface);
    lines.forEach((line, i) =>
      surface.text(0, height + 14 + (i + 0.5) * 17 * theme.unit, line, { size: 12, fill: css(theme.quiet) }),
    );
  };
  if (format === "svg") {
    const surface = new SvgSurface(full[0], full[1], theme);
    surface.parts.push(`<g transform="translate(${margin} ${margin})">`);
    drawAll(surface);
    surface.parts.push("</g>");
    const head = drawingHead(
      caption || name,
      [answerOf(), ...spokenOf(root, says ?? surface.words)],
      await fontFaces(surface.fonts),
    );
    download(`${name}.svg`, new Blob([surface.toString(head)], { type: "image/svg+xml" }));
    return;
  }
  const [sheet, page] = [document.createElement("canvas"), document.createElement("canvas")];
  drawAll(new CanvasSurface(sheet, full[0] - margin, full[1] - margin, theme, 2));
  [page.width, page.height] = [Math.round(2 * full[0]), Math.round(2 * full[1])];
  const context = /** @type {CanvasRenderingContext2D} */ (page.getContext("2d"));
  context.fillStyle = css(theme.paper);
  context.fillRect(0, 0, page.width, page.height);
  context.drawImage(sheet, 2 * margin, 2 * margin);
  page.toBlob((blob) => blob && download(`${name}.png`, blob), "image/png");
}

/** @param {string} text @param {number} width @param {string} font */
function wrapped(text, width, font) {
  /** @type {string[]} */
  const lines = [];
  for (const word of visibleLine(text).split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && textWidth(longer, font) <= width) lines[lines.length - 1] = longer;
    else lines.push(fitted(word, width, font));
  }
  return lines;
}

/** @param {string} text */
const visibleLine = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, " ");

/** Also where the clipboard API is missing: pages served without TLS. @param {string} text */
async function copyText(text) {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // refused: fall through to the old way
    }
  }
  const area = document.body.appendChild(element("textarea"));
  area.value = text;
  area.select();
  document.execCommand("copy");
  area.remove();
}
