// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="layout.js" />
/// <reference path="tables.js" />
/// <reference path="../head_grid/names.js" />
/**
 * A matrix on two canvases: the lower holds the cells, the upper what lights up, so a hover
 * repaints two rectangles and never the matrix.
 */

const NOWHERE = [-1, -1];

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const readout = bar.appendChild(element("div", "readout grow quiet"));
    const tools = bar.appendChild(element("div", "tools"));
    const stack = root.appendChild(element("div", "scroll")).appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const legend = root.appendChild(element("div", "names"));
    const tip = new Tooltip(root);
    const table = root.appendChild(element("div", "unseen"));
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    base.setAttribute("role", "img");
    readout.setAttribute("aria-live", "polite");
    exportButtons(tools, save, "this figure", [
      ["CSV", "Download every value of this figure as a table", () => download("matrix.csv", asCsv(frame))],
    ]);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {ReturnType<typeof arrangeMatrix>} */ let place;
    let selected = NOWHERE;
    let hover = NOWHERE;
    let hint = "";
    /** @type {number | null} */ let pointedName = null; // of the legend

    const isHidden = (/** @type {number} */ i) => Boolean(frame.arrays.hidden?.[i]);
    const isPrinted = (/** @type {number} */ i) => !isHidden(i) && !Number.isNaN(frame.arrays.values[i]);

    /** Codes 1 to 255 for values; 0 (or the middle) for what is hidden or is no number. */
    function coded() {
      const { values } = frame.arrays;
      const { scale, limit, floor } = frame.header;
      const diverging = scale === "diverging";
      const codes = new Uint8Array(values.length);
      for (let i = 0; i < values.length; i++) {
        const share = diverging ? (values[i] / limit + 1) / 2 : (values[i] - floor) / (limit - floor || 1);
        const blank = isHidden(i) || Number.isNaN(share);
        codes[i] = blank ? (diverging ? 128 : 0) : Math.round(255 * Math.min(1, Math.max(0, share)));
      }
      const lut = diverging ? divergingRamp(theme) : hueRamp(theme, theme.hues[frame.header.hue]);
      return { codes, rows: place.rows, columns: place.columns, lut, middle: diverging ? 127.5 : 0 };
    }

    /** @param {Surface} surface */
    function draw(surface) {
      const { header, arrays } = frame;
      const { unit } = theme;
      const quiet = { size: 12, fill: css(theme.quiet) };
      const { left, top, wide, high, right, bottom } = place;
      if (header.title) {
        const style = { size: 13, weight: 600 };
        const free = place.width - textWidth(header.title, fontOf(theme, style));
        const text = fitted(header.title, place.width, fontOf(theme, style));
        surface.text(Math.max(0, Math.min(left, free)), 10 * unit, text, style);
      }
      if (header.column_title)
        surface.text((left + right) / 2, (header.title ? 32 : 9) * unit, header.column_title, {
          ...quiet,
          align: "center",
        });
      if (header.row_title)
        surface.text(8 * unit, (top + bottom) / 2, header.row_title, { ...quiet, align: "center", angle: -90 });
      drawMatrixLabels(surface, header, place);
      const cells = coded();
      surface.cells(left, top, right - left, bottom - top, cells);
      surface.rect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1, { stroke: css(theme.rule) });
      for (let i = 0; arrays.hidden && wide > 7 && high > 7 && i < arrays.hidden.length; i++) {
        if (!isHidden(i)) continue;
        const [x, y] = [left + (i % place.columns) * wide, top + Math.floor(i / place.columns) * high];
        surface.line(x + 3, y + high - 3, x + wide - 3, y + 3, { stroke: css(theme.rule) });
      }
      if (header.numbers || header.words.length) drawNumbers(surface, cells);
      for (let i = 0; header.names && i < arrays.values.length; i++)
        drawName(surface, header.names, Math.floor(i / place.columns), i % place.columns, cellAt(i));
      for (let i = 0; arrays.outlined && i < arrays.outlined.length; i++) {
        if (!arrays.outlined[i]) continue;
        const [x, y] = [left + (i % place.columns) * wide, top + Math.floor(i / place.columns) * high];
        surface.rect(x + 1.5, y + 1.5, wide - 3, high - 3, { stroke: css(theme.ink), width: 2 * theme.line });
      }
      if (header.blank) return;
      const diverging = header.scale === "diverging";
      drawLegend(surface, left, bottom + 16 * unit, {
        lut: cells.lut,
        left: diverging ? `−${number(header.limit)}` : number(header.floor),
        right: number(header.limit),
        title: place.width < 420 * unit ? "" : "linear scale",
        width: Math.min(120, (right - left) / 2) * unit,
      });
    }

    const cellAt = (/** @type {number} */ i) => ({
      x: place.left + (i % place.columns) * place.wide,
      y: place.top + Math.floor(i / place.columns) * place.high,
      wide: place.wide,
      high: place.high,
    });

    const wordsHere = () => wordsFor(frame.header.words.flat(), place.wide, place.high, theme);

    const numbersHere = () =>
      frame.header.numbers
        ? numbersFor(
            frame.arrays.values.filter((/** @type {number} */ _, /** @type {number} */ i) => isPrinted(i)),
            place.wide,
            place.high,
            theme,
          )
        : null;

    /** @param {Surface} surface @param {Cells} cells */
    function drawNumbers(surface, { codes, lut }) {
      const { values } = frame.arrays;
      const numbered = numbersHere();
      const printed = numbered ? { ...numbered, of: (/** @type {number} */ i) => numbered.of(values[i]) } : wordsHere();
      if (!printed) return;
      const style = { size: printed.size, align: /** @type {const} */ ("center") };
      for (let i = 0; i < values.length; i++) {
        if (!isPrinted(i)) continue;
        const { x, y, wide, high } = cellAt(i);
        const middle = frame.header.names ? high - 9.5 * theme.unit : high / 2;
        const fill = css(inkOn(theme, fromLookup(lut, codes[i])));
        surface.text(x + wide / 2, y + middle, printed.of(i), { ...style, fill });
      }
    }

    function paintAll() {
      place = arrangeMatrix(frame, Math.floor(root.clientWidth), theme);
      draw(new CanvasSurface(base, place.width, place.height, theme));
      const { values } = frame.arrays;
      let sum = 0;
      for (let i = 0; i < values.length; i++) sum += isHidden(i) || !Number.isFinite(values[i]) ? 0 : values[i];
      root.dataset.painted = `${place.rows} x ${place.columns}, sum ${sum.toFixed(3)}`;
      const printed = numbersHere();
      hint = frame.header.numbers && !printed ? "hover reads the numbers" : "";
      if (frame.header.words.length && !wordsHere()) hint = "hover reads the cells";
      if (printed?.coarse) hint = "rounded: hover reads them";
      root.dataset.geometry = JSON.stringify([place.left, place.top, place.wide, place.high]);
      paintOver();
    }

    function paintOver() {
      const surface = new CanvasSurface(over, place.width, place.height, theme);
      const box = (
        /** @type {number[]} */ [row, column],
        /** @type {string} */ stroke,
        /** @type {number} */ width,
      ) => {
        if (row < 0) return;
        surface.rect(
          place.left + column * place.wide - width / 2,
          place.top + row * place.high - width / 2,
          place.wide + width,
          place.high + width,
          { stroke, width },
        );
      };
      frame.header.names?.named.forEach((/** @type {number[]} */ heads, /** @type {number} */ layer) => {
        heads.forEach((name, head) => {
          if (name === pointedName) box([layer, head], css(theme.ink), 2 * theme.line);
        });
      });
      box(selected, css(theme.accent), 2 * theme.line);
      box(hover, css(theme.ink), 1.2 * theme.line);
      root.dataset.selected = JSON.stringify(selected);
      const at = hover[0] >= 0 ? hover : selected;
      tellParts(readout, at[0] >= 0 ? describe(at) : [hint]);
      readout.dataset.value = at[0] >= 0 ? String(frame.arrays.values[at[0] * place.columns + at[1]]) : "";
    }

    /** The value first, then what its row and its column are. @param {number[]} cell */
    function describe([row, column]) {
      const { header, arrays } = frame;
      const i = row * place.columns + column;
      const name = (/** @type {string} */ title, /** @type {string} */ label) =>
        [title, shown(label)].filter(Boolean).join(" ");
      const value = isHidden(i) ? "masked" : `${number(arrays.values[i])}${arrays.outlined?.[i] ? ", chosen" : ""}`;
      return [
        header.blank ? "" : value,
        name(header.row_title, header.rows[row]),
        name(header.column_title, header.columns[column]),
        idsTold(header.row_ids[row], header.column_ids[column]),
        header.cell_notes[row]?.[column],
        header.row_notes[row],
        header.column_notes[column],
        header.names?.notes[row][column],
      ].filter(Boolean);
    }

    /** @param {number[]} cell */
    function choose(cell) {
      selected = cell;
      if (!frame.header.picks) selection.choose(cell);
      paintOver();
    }

    /** @param {PointerEvent | MouseEvent} event */
    function locate(event) {
      const [x, y] = placeIn(stack, event);
      const row = Math.floor((y - place.top) / place.high);
      const column = Math.floor((x - place.left) / place.wide);
      return row >= 0 && row < place.rows && column >= 0 && column < place.columns ? [row, column] : NOWHERE;
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!place) return;
      hover = locate(event);
      if (hover[0] < 0) tip.hide();
      else tip.say(stack, ...placeIn(stack, event), describe(hover));
      paintOver();
    });
    stack.addEventListener("pointerleave", () => {
      if (!place) return;
      hover = NOWHERE;
      tip.hide();
      paintOver();
    });
    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const cell = place ? locate(event) : NOWHERE;
      if (cell[0] < 0) return;
      if (frame.header.picks) selection.click(cell);
      else choose(cell);
    });
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = arrowStep(event.key);
      if (place && frame.header.picks && selected[0] >= 0 && event.key === "Enter") selection.click(selected);
      if (!place || (!step && event.key !== "Escape")) return;
      const hold = (/** @type {number} */ i, /** @type {number} */ n) => Math.min(n - 1, Math.max(0, i));
      if (!step) choose(NOWHERE);
      else if (selected[0] < 0) choose([0, 0]);
      else choose([hold(selected[0] + step[0], place.rows), hold(selected[1] + step[1], place.columns)]);
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, {
        root,
        name: "matrix",
        caption: [frame.header.caption, ...keyOfNames(frame.header.names)].filter(Boolean).join(" · "),
        width: place.width,
        height: place.height,
        theme,
        draw,
      });
    }

    function paintNames() {
      tellNames(legend, frame.header.names, theme, (name) => {
        pointedName = name;
        paintOver();
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        const { header, arrays } = frame;
        const [rows, columns] = arrays.values.shape;
        if (selection.asked || selected[0] >= rows || selected[1] >= columns) selected = selection.seed;
        hover = NOWHERE;
        tip.hide();
        const label = `${header.label}, ${rows} rows, ${columns} columns`;
        base.setAttribute("aria-label", label);
        stack.setAttribute("aria-label", `${label}. Arrow keys move the selected cell, Escape clears.`);
        paintNames();
        paintAll();
        table.replaceChildren(asTable(frame));
      },
      retheme(next) {
        theme = next;
        paintNames();
        paintAll();
      },
      resize() {
        tip.hide();
        paintAll();
      },
    };
  });
}
