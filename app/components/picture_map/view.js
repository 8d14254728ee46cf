// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="sheet.js" />
/**
 * One picture or several on canvases. A single one has an upper canvas for what lights up, so a
 * hover repaints one rectangle and never the picture. Modes: show, select, paint, pick.
 */

const NOWHERE = -1;
const GAP = 12; // px between small multiples in an export

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const readout = bar.appendChild(element("div", "readout grow quiet"));
    const tools = bar.appendChild(element("div", "tools"));
    const sheets = root.appendChild(element("div", "sheets"));
    const tip = new Tooltip(root);
    readout.setAttribute("aria-live", "polite");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {HTMLCanvasElement[]} */ let pictures = [];
    /** @type {{node: any, base: HTMLCanvasElement, over: HTMLCanvasElement, place: SheetPlace}[]} */ let drawn = [];
    let built = "";
    let selected = NOWHERE;
    let hover = NOWHERE;
    /** @type {Set<number>} */ let painted = new Set();
    /** @type {boolean | null} */ let brush = null; // what a drag does: hide or show

    const isSingle = () => frame.header.mode !== "pick" && drawn.length === 1;
    const figureAt = (/** @type {number} */ index) => frame.header.figures[index];

    /** @param {number} index */
    function partsOf(index) {
      const { arrays, header } = frame;
      const figure = figureAt(index);
      const of = (/** @type {string} */ name) => arrays[`${name}${index}`];
      const parts = {
        picture: pictures[figure.picture],
        values: of("values"),
        dark: of("dark"),
        outlined: of("outlined"),
        hidden: of("hidden"),
      };
      if (header.mode !== "paint") return parts;
      const mine = Uint8Array.from({ length: figure.rows * figure.columns }, (_, i) => Number(painted.has(i)));
      return { ...parts, [figure.paint]: mine };
    }

    /** Nodes for the figures; kept while their number and the mode stay. */
    function build() {
      const { mode, figures, label } = frame.header;
      const wanted = `${mode} ${figures.length}`;
      if (wanted === built) return;
      built = wanted;
      sheets.replaceChildren();
      drawn = figures.map((/** @type {any} */ _, /** @type {number} */ index) => {
        const node = sheets.appendChild(element(mode === "pick" ? "button" : "div", `sheet ${mode}`));
        const base = node.appendChild(element("canvas"));
        const over = node.appendChild(element("canvas"));
        base.setAttribute("role", "img");
        listenTo(node, base, index);
        return { node, base, over, place: /** @type {any} */ (null) };
      });
      sheets.setAttribute("role", "group");
      sheets.setAttribute("aria-label", label);
    }

    /** @param {any} node @param {HTMLCanvasElement} base @param {number} index */
    function listenTo(node, base, index) {
      const { mode } = frame.header;
      const inert = () => !drawn[index]?.place;
      node.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
        if (inert()) return;
        const patch = locate(event, base, index);
        if (brush !== null && patch >= 0) stroke(patch);
        showHover(index, patch, event);
      });
      node.addEventListener("pointerleave", () => {
        hover = NOWHERE;
        tip.hide();
        if (!inert()) paintOver(index);
      });
      if (mode === "pick") node.addEventListener("click", () => selection.click(index));
      if (mode === "select") {
        node.tabIndex = 0;
        node.addEventListener("click", (/** @type {MouseEvent} */ event) => {
          const patch = inert() ? NOWHERE : locate(event, base, index);
          if (patch >= 0) choose(patch);
        });
      }
      if (mode === "paint") {
        node.tabIndex = 0;
        node.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
          const patch = inert() ? NOWHERE : locate(event, base, index);
          if (patch < 0) return;
          event.preventDefault();
          node.focus();
          node.setPointerCapture(event.pointerId);
          brush = !painted.has(patch);
          stroke(patch);
        });
        for (const end of ["pointerup", "pointercancel"]) {
          node.addEventListener(end, () => {
            if (brush === null) return;
            brush = null;
            tellPainted();
          });
        }
      }
      if (mode === "select" || mode === "paint")
        node.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => onKey(event, index));
    }

    /** @param {KeyboardEvent} event @param {number} index */
    function onKey(event, index) {
      const { rows, columns } = figureAt(index);
      const step = arrowStep(event.key);
      const painting = frame.header.mode === "paint";
      if (step) {
        const from = Math.max(0, selected);
        const row = Math.min(rows - 1, Math.max(0, Math.floor(from / columns) + (selected < 0 ? 0 : step[0])));
        const column = Math.min(columns - 1, Math.max(0, (from % columns) + (selected < 0 ? 0 : step[1])));
        selected = row * columns + column;
        if (painting) paintOver(index);
        else choose(selected);
      } else if (event.key === "Escape") choose(NOWHERE);
      else if (painting && event.key === " " && selected >= 0) {
        brush = !painted.has(selected);
        stroke(selected);
        brush = null;
        tellPainted();
      } else return;
      event.preventDefault();
    }

    /** @param {number} patch */
    function stroke(patch) {
      if (brush) painted.add(patch);
      else painted.delete(patch);
      paintSheet(0);
    }

    function tellPainted() {
      selection.choose([...painted].sort((a, b) => a - b));
    }

    /** @param {number} patch */
    function choose(patch) {
      selected = patch;
      if (frame.header.mode === "select") selection.choose(patch);
      paintOver(0);
    }

    /** @param {MouseEvent} event @param {HTMLCanvasElement} base @param {number} index */
    function locate(event, base, index) {
      const [x, y] = placeIn(base, event);
      const { rows, columns } = figureAt(index);
      const { place } = drawn[index];
      const row = Math.floor((y - place.top) / place.cellHigh);
      const column = Math.floor(x / place.cellWide);
      return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : NOWHERE;
    }

    /** @param {number} index @param {number} patch @param {PointerEvent} event */
    function showHover(index, patch, event) {
      hover = patch;
      if (patch < 0) tip.hide();
      else {
        tip.say(drawn[index].node, ...placeIn(drawn[index].node, event), describe(index, patch));
      }
      paintOver(index);
    }

    /** @param {number} index @param {number} patch */
    function describe(index, patch) {
      const figure = figureAt(index);
      const { values, hidden, outlined } = partsOf(index);
      const marked = frame.header.mode === "paint" && figure.paint === "outlined" && outlined?.[patch];
      const where = `row ${Math.floor(patch / figure.columns)}, column ${patch % figure.columns}`;
      const note =
        figure.notes[patch] || (values ? (Number.isNaN(values[patch]) ? "no value" : number(values[patch])) : "");
      const title = frame.header.figures.length > 1 ? figure.title : "";
      return [note, title, where, hidden?.[patch] ? "hidden" : "", marked ? "marked" : ""].filter(Boolean);
    }

    const hasLegend = (/** @type {number} */ index) => drawn.length === 1 && `values${index}` in frame.arrays;

    /** @param {number} index */
    function paintSheet(index) {
      const sheet = drawn[index];
      const figure = figureAt(index);
      const parts = partsOf(index);
      const room = Math.max(48, Math.floor(root.clientWidth));
      sheet.place = arrangeSheet(figure, parts.picture, room, theme, hasLegend(index));
      const surface = new CanvasSurface(sheet.base, sheet.place.width, sheet.place.height, theme);
      drawSheet(surface, figure, parts, sheet.place, hasLegend(index));
      sheet.base.setAttribute("aria-label", figure.label);
      sheet.node.classList.toggle("lit", frame.header.lit === index);
      if (frame.header.mode === "pick")
        sheet.node.setAttribute("aria-label", `${figure.title || figure.label}: choose`);
      paintOver(index);
      tell();
    }

    /** @param {number} index */
    function paintOver(index) {
      const { place, over } = drawn[index];
      const figure = figureAt(index);
      const surface = new CanvasSurface(over, place.width, place.height, theme);
      const box = (/** @type {number} */ patch, /** @type {string} */ stroke, /** @type {number} */ width) => {
        if (patch < 0) return;
        const x = (patch % figure.columns) * place.cellWide;
        const y = place.top + Math.floor(patch / figure.columns) * place.cellHigh;
        surface.rect(x, y, place.cellWide, place.cellHigh, { stroke, width });
      };
      if (isSingle()) {
        box(selected, css(theme.paper), 5 * theme.line);
        box(selected, css(theme.accent), 2.5 * theme.line);
      }
      box(hover, css(theme.ink), 1.2 * theme.line);
      root.dataset.selected = String(selected);
      const at = hover >= 0 ? hover : isSingle() ? selected : NOWHERE;
      const isPatch = at >= 0 && at < figure.rows * figure.columns;
      tellParts(readout, isPatch ? describe(index, at) : [severalScales(frame, theme)]);
    }

    /** What tests and screen readers can know of the drawing. */
    function tell() {
      const sums = frame.header.figures.map((/** @type {any} */ figure, /** @type {number} */ index) =>
        sheetFacts(figure, partsOf(index)),
      );
      root.dataset.painted = sums.join("; ");
      root.dataset.patches = JSON.stringify(
        drawn.map(({ place }) => place && [place.top, place.cellWide, place.cellHigh]),
      );
    }

    function paintAll() {
      drawn.forEach((_, index) => paintSheet(index));
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      const widest = Math.max(...drawn.map(({ place }) => place.width));
      const highest = Math.max(...drawn.map(({ place }) => place.height));
      const across = Math.max(1, Math.min(drawn.length, Math.floor((Math.max(720, widest) + GAP) / (widest + GAP))));
      const down = Math.ceil(drawn.length / across);
      exportFigure(format, {
        root,
        says: drawn.flatMap((_, index) => sheetWords(figureAt(index), partsOf(index))),
        name: "picture",
        caption: frame.header.caption,
        width: across * (widest + GAP) - GAP,
        height: down * (highest + GAP) - GAP,
        theme,
        draw(surface) {
          drawn.forEach(({ place }, index) => {
            const [x, y] = [(index % across) * (widest + GAP), Math.floor(index / across) * (highest + GAP)];
            surface.shifted(x, y, () => drawSheet(surface, figureAt(index), partsOf(index), place, hasLegend(index)));
          });
        },
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        const { header, arrays } = frame;
        pictures = Object.keys(arrays)
          .filter((name) => /^picture\d+$/.test(name))
          .map((_, i) => asCanvas(arrays[`picture${i}`]));
        if (selection.asked) {
          const { seed } = selection;
          [selected, painted] = Array.isArray(seed) ? [NOWHERE, new Set(seed)] : [seed ?? NOWHERE, new Set()];
        }
        const patches = header.figures[0].rows * header.figures[0].columns;
        if (selected >= patches) selected = NOWHERE;
        painted.forEach((patch) => patch >= patches && painted.delete(patch));
        hover = NOWHERE;
        tip.hide();
        build();
        paintAll();
      },
      retheme(next) {
        theme = next;
        paintAll();
      },
      resize() {
        tip.hide();
        paintAll();
      },
    };
  });
}
