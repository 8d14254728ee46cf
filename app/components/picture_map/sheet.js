// @ts-check
/// <reference path="../draw.js" />
/**
 * One picture with its patches, drawn on a surface: the same function for the screen, PNG and SVG.
 * All numbers a patch count row by row.
 */

const TITLE_HEIGHT = 20;
const LEGEND_HEIGHT = 26;
const MOST_SPOKEN = 10; // patches
const HAIRLINES_FROM = 7; // px a patch must be wide to show the grid

/** The picture's pixels as a canvas, once for all figures that share it. @param {any} pixels */
function asCanvas(pixels) {
  const [height, width] = pixels.shape;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const image = new ImageData(width, height);
  for (let i = 0, j = 0; i < pixels.length; i += 3, j += 4) {
    image.data[j] = pixels[i];
    image.data[j + 1] = pixels[i + 1];
    image.data[j + 2] = pixels[i + 2];
    image.data[j + 3] = 255;
  }
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).putImageData(image, 0, 0);
  return canvas;
}

/** Where a figure's picture stands. @param {any} figure @param {HTMLCanvasElement} picture @param {number} room @param {Theme} theme @param {boolean} legend */
function arrangeSheet(figure, picture, room, theme, legend) {
  const wide = Math.min(room, figure.width * theme.unit);
  const high = Math.round((wide * picture.height) / picture.width);
  const top = figure.title ? TITLE_HEIGHT * theme.unit : 0;
  const below = legend ? LEGEND_HEIGHT * theme.unit : 0;
  return {
    top,
    wide,
    high,
    width: wide,
    height: top + high + below,
    cellWide: wide / figure.columns,
    cellHigh: high / figure.rows,
  };
}
/** @typedef {ReturnType<typeof arrangeSheet>} SheetPlace */

const EVEN_SPAN = 2; // doublings on either side of the even share

/**
 * How a value becomes a colour, as the figure says or as the reader chose for all pictures; numbers
 * stay what they are. `at` is a place on the ramp, 0 to 1; the ends and the title are the legend's.
 * @param {any} figure @param {Float32Array | undefined} values @param {Theme} theme
 */
function scaleOf(figure, values, theme) {
  const { limit, uniform } = figure;
  const clamp = (/** @type {number} */ t) => Math.min(1, Math.max(0, t));
  if (figure.scale === "diverging")
    return {
      lut: divergingRamp(theme),
      at: (/** @type {number} */ v) => clamp((v / limit + 1) / 2),
      ends: [`−${number(limit)}`, number(limit)],
      title: "linear scale",
    };
  const lut = hueRamp(theme, theme.hues[figure.hue]);
  if (theme.contrast === "even" && uniform)
    return {
      lut: divergingRamp(theme),
      at: (/** @type {number} */ v) => clamp((Math.log2(Math.max(v, 1e-30) / uniform) / EVEN_SPAN + 1) / 2),
      ends: ["¼ ×", "4 ×"],
      title: `log scale of times uniform, ${number(uniform)}`,
    };
  if (theme.contrast === "stretched" && values) {
    const low = values.reduce((least, v) => (v < least ? v : least), limit); // no NaN is less
    const span = limit - low || 1;
    return {
      lut,
      at: (/** @type {number} */ v) => clamp((v - low) / span),
      ends: [number(low), number(limit)],
      title: "linear scale from the smallest",
    };
  }
  const scale = makeScale(theme.contrast, limit);
  return { lut, at: scale.at, ends: [number(scale.value(0)), number(limit)], title: scale.title };
}
/** What is said of the scale of several maps, which have no legend each. @param {Frame} frame @param {Theme} theme */
function severalScales({ header: { figures }, arrays }, theme) {
  const scales = figures.flatMap((/** @type {any} */ figure, /** @type {number} */ i) => {
    const values = arrays[`values${i}`];
    return values ? [scaleOf(figure, values, theme)] : [];
  });
  if (figures.length < 2 || !scales.length) return "";
  const [{ ends, title }] = scales;
  const same = scales.every((/** @type {any} */ one) => one.ends.join() === ends.join());
  return `${title}, ${same ? ends.join(" to ") : "each map to its own largest"}`;
}

/**
 * @param {Surface} surface
 * @param {any} figure @param {{picture: HTMLCanvasElement, values?: Float32Array, dark?: Uint8Array, hidden?: ArrayLike<number>, outlined?: Uint8Array}} parts
 * @param {SheetPlace} place @param {boolean} legend
 */
function drawSheet(surface, figure, parts, place, legend) {
  const { theme } = surface;
  const { top, wide, high, cellWide, cellHigh } = place;
  if (figure.title) {
    const style = { size: 12, weight: 600 };
    surface.text(0, top / 2, fitted(figure.title, wide, fontOf(theme, style)), style);
  }
  surface.picture(0, top, wide, high, parts.picture);
  const scale = scaleOf(figure, parts.values, theme);
  const each = (/** @type {(x: number, y: number, i: number) => void} */ act) => {
    for (let i = 0; i < figure.rows * figure.columns; i++)
      act((i % figure.columns) * cellWide, top + Math.floor(i / figure.columns) * cellHigh, i);
  };
  const { values, dark, hidden, outlined } = parts;
  if (values) {
    each((x, y, i) => {
      if (Number.isNaN(values[i])) return;
      surface.rect(x, y, cellWide, cellHigh, {
        fill: css(fromLookup(scale.lut, Math.round(255 * scale.at(values[i])))),
        alpha: theme.overlay ?? figure.opacity, // as the reader set it for all pictures
      });
    });
  }
  if (dark)
    each((x, y, i) => dark[i] && surface.rect(x, y, cellWide, cellHigh, { fill: css(theme.paper), alpha: 0.8 }));
  if (figure.grid && Math.min(cellWide, cellHigh) >= HAIRLINES_FROM) drawGrid(surface, figure, place, !values);
  if (hidden) {
    each((x, y, i) => {
      if (!hidden[i]) return;
      surface.rect(x, y, cellWide, cellHigh, { fill: "rgb(128,128,128)" });
      if (cellWide > 6) surface.line(x + 2, y + cellHigh - 2, x + cellWide - 2, y + 2, { stroke: "rgb(170,170,170)" });
    });
  }
  if (outlined) drawOutline(surface, figure, outlined, place);
  surface.rect(0.5, top + 0.5, wide - 1, high - 1, { stroke: css(theme.rule) });
  if (legend && values) {
    drawLegend(surface, 0, top + high + 14 * theme.unit, {
      lut: scale.lut,
      left: scale.ends[0],
      right: scale.ends[1],
      title: wide < 240 * theme.unit ? "" : scale.title,
      width: Math.min(120 * theme.unit, wide / 3),
    });
  }
}

/** Plainly where nothing is painted over the picture. @param {Surface} surface @param {any} figure @param {SheetPlace} place @param {boolean} bare */
function drawGrid(surface, figure, { top, wide, high, cellWide, cellHigh }, bare) {
  const style = bare ? { stroke: "rgba(255,255,255,0.7)", width: 1 } : { stroke: "rgba(128,128,128,0.45)", width: 0.6 };
  for (let column = 1; column < figure.columns; column++)
    surface.line(column * cellWide, top, column * cellWide, top + high, style);
  for (let row = 1; row < figure.rows; row++) surface.line(0, top + row * cellHigh, wide, top + row * cellHigh, style);
}

/** Around the marked patches, not between two of them. @param {Surface} surface @param {any} figure @param {Uint8Array} marked @param {SheetPlace} place */
function drawOutline(surface, figure, marked, { top, cellWide, cellHigh }) {
  const { theme } = surface;
  const at = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= 0 &&
    column >= 0 &&
    row < figure.rows &&
    column < figure.columns &&
    Boolean(marked[row * figure.columns + column]);
  const edge = (
    /** @type {number} */ x1,
    /** @type {number} */ y1,
    /** @type {number} */ x2,
    /** @type {number} */ y2,
  ) => {
    surface.line(x1, y1, x2, y2, { stroke: css(theme.paper), width: 4 * theme.line });
    surface.line(x1, y1, x2, y2, { stroke: css(theme.ink), width: 2 * theme.line });
  };
  for (let row = 0; row < figure.rows; row++) {
    for (let column = 0; column < figure.columns; column++) {
      if (!at(row, column)) continue;
      const [x, y] = [column * cellWide, top + row * cellHigh];
      if (!at(row - 1, column)) edge(x, y, x + cellWide, y);
      if (!at(row + 1, column)) edge(x, y + cellHigh, x + cellWide, y + cellHigh);
      if (!at(row, column - 1)) edge(x, y, x, y + cellHigh);
      if (!at(row, column + 1)) edge(x + cellWide, y, x + cellWide, y + cellHigh);
    }
  }
}

/** A sheet's size and sums, as tests read them. @param {any} figure @param {any} parts */
function sheetFacts({ rows, columns }, { values, hidden }) {
  let sum = 0;
  for (const value of values ?? []) sum += Number.isFinite(value) ? value : 0;
  const covered = Array.from(hidden ?? []).filter(Boolean).length;
  return `${rows} x ${columns}${values ? `, sum ${sum.toFixed(3)}` : ""}${covered ? `, hidden ${covered}` : ""}`;
}

/** A sheet's label and its largest values, for those who don't see it. @param {any} figure @param {any} parts */
function sheetWords(figure, { values }) {
  const order = Array.from(values ?? [], (_, i) => i).filter((i) => !Number.isNaN(values[i]));
  order.sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]));
  const largest = order
    .slice(0, MOST_SPOKEN)
    .map((i) => `row ${Math.floor(i / figure.columns)}, column ${i % figure.columns} ${number(values[i])}`);
  return [
    [figure.title, figure.label, `${figure.rows} × ${figure.columns} patches`, ...largest].filter(Boolean).join("; "),
  ];
}
