// @ts-check
/// <reference path="../draw.js" />
/**
 * Where a matrix' cells and labels stand: cells as large as fit, labels thinned or turned
 * where they would run into each other.
 */

const LARGEST_CELL = 56;
const TALLEST = 520; // px of a matrix that asks for no height
const STRIP_ROWS = 8; // up to so many rows are strips: wider than they are square
const NUMBERED = 22; // px of a cell with a number
const NAMED = 31; // and with a head's name above it
const STRIP_SHAPE = 6; // and so is a matrix with so many times as many columns as rows
const shown = (/** @type {string} */ label) => (label ? visible(label) : ""); // an empty label is none

/** @param {Frame} frame @param {number} width @param {Theme} theme */
function arrangeMatrix({ header, arrays }, width, theme) {
  const { unit } = theme;
  const [rows, columns] = arrays.values.shape;
  const font = fontOf(theme, { size: 12, code: true });
  const widest = (/** @type {string[]} */ labels) =>
    Math.max(0, ...labels.map((label) => (label ? textWidth(visible(label), font) : 0)));
  const rowLabels = Math.min(widest(header.rows), 0.28 * width);
  const left = rowLabels + (rowLabels ? 8 : 0) + (header.row_title ? 20 * unit : 0);
  const room = Math.max(40, width - left - 2);
  const [most, tallest] = header.cell ?? [LARGEST_CELL * unit, LARGEST_CELL * unit];
  const needed = 1 / (window.devicePixelRatio || 1);
  const wide = Math.max(Math.min(room / columns, most), needed);
  const strip =
    rows <= STRIP_ROWS || columns >= STRIP_SHAPE * rows
      ? Math.min(tallest, Math.max(20 * unit, Math.min(wide, 34 * unit)))
      : Math.min(wide, tallest);
  const high = Math.min(
    header.numbers || header.words?.length ? Math.max(strip, (header.names ? NAMED : NUMBERED) * unit) : strip,
    ((header.height ?? TALLEST) * unit) / rows,
  );
  const widestColumn = widest(header.columns);
  const level = widestColumn <= wide - 4;
  const turned =
    !level && wide >= 13 * unit && header.columns.some((/** @type {string} */ label) => !/^[-−\d.]+$/.test(label));
  const columnLabels = widestColumn === 0 ? 0 : turned ? Math.min(widestColumn, 90 * unit) : 12 * unit;
  const everyColumn = turned || level ? 1 : rounded((widestColumn + 12) / wide);
  const everyRow = rounded((14 * unit) / high);
  const top = (header.title ? 24 * unit : 0) + (header.column_title ? 18 * unit : 0) + columnLabels + 8;
  const right = left + columns * wide;
  return {
    rows,
    columns,
    left,
    top,
    wide,
    high,
    right,
    rowLabels,
    columnLabels,
    turned,
    everyRow,
    everyColumn,
    bottom: top + rows * high,
    width: Math.max(width, right + 2),
    height: top + rows * high + 30 * unit,
  };
}
/** @typedef {ReturnType<typeof arrangeMatrix>} MatrixPlace */

/** The rows' names and the columns', as many as there is room for. @param {Surface} surface @param {any} header @param {MatrixPlace} place */
function drawMatrixLabels(surface, header, place) {
  const { theme } = surface;
  const style = { size: 12, code: true, fill: css(theme.quiet) };
  const font = fontOf(theme, style);
  for (let row = 0; row < place.rows; row += place.everyRow) {
    const text = fitted(shown(header.rows[row]), place.rowLabels, font);
    surface.text(place.left - 7, place.top + (row + 0.5) * place.high, text, { ...style, align: "right" });
  }
  if (!place.columnLabels) return;
  for (let column = 0; column < place.columns; column += place.everyColumn) {
    const x = place.left + (column + 0.5) * place.wide;
    const text = shown(header.columns[column]);
    if (place.turned) surface.text(x, place.top - 6, fitted(text, place.columnLabels, font), { ...style, angle: -90 });
    else surface.text(x, place.top - 9 * theme.unit, text, { ...style, align: "center" });
  }
}

/** The next of 1, 2, 5, 10, 20 … @param {number} step */
function rounded(step) {
  let size = 1;
  while (step > size) size *= size.toString()[0] === "2" ? 2.5 : 2;
  return size;
}
