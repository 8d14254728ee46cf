// @ts-check
/// <reference path="../draw.js" />
/** Where the two panes, their labels and the legend go. All lengths are CSS pixels. */

const PANES_SIDE_BY_SIDE = 640; // px; narrower figures stack their panes
const LABEL = 13;

/**
 * @param {any} header @param {number} width @param {Theme} theme
 */
function layoutOf(header, width, theme) {
  const { unit } = theme;
  const layout = header.display.layout;
  const beside = layout === "both" && width >= PANES_SIDE_BY_SIDE * Math.min(1.2, unit);
  const tallest = Math.min(820, Math.max(340, window.innerHeight * 0.62));
  const linesWidth = layout === "both" && beside ? Math.floor(width * 0.42) : Math.min(width, 720 * unit);
  const gap = 28 * unit;
  const room = beside ? width - linesWidth - gap : width;
  const heatmap = layout === "lines" ? null : heatmapPane(header, room, tallest, theme);
  // Beside a heatmap, a query has one height in both panes.
  const rows = beside && heatmap ? { top: heatmap.top, row: heatmap.cell } : { top: 24 * unit, row: 26 * unit };
  const lines = layout === "heatmap" ? null : linesPane(header, linesWidth, tallest, theme, rows);
  if (heatmap && lines) {
    if (beside) heatmap.x = linesWidth + gap;
    else heatmap.y = lines.height + 12 * unit;
  }
  const bottom = Math.max(lines ? lines.height : 0, heatmap ? heatmap.y + heatmap.height : 0);
  return { lines, heatmap, bottom, width, height: bottom + 26 * unit, beside };
}

/** @param {string[]} tokens @param {Theme} theme */
const widest = (tokens, theme) =>
  tokens.reduce((most, token) => Math.max(most, textWidth(visible(token), fontOf(theme, { size: LABEL }))), 0);

/** @param {any} header @param {number} width @param {number} tallest @param {Theme} theme @param {{top: number, row: number}} rows */
function linesPane(header, width, tallest, theme, { top, row: wanted }) {
  const { unit } = theme;
  const { query_tokens: queries, key_tokens: keys } = header;
  const row = Math.min(wanted, (tallest - top) / Math.max(queries.length, keys.length));
  const size = Math.max(9.5, Math.min(LABEL, (row / unit) * 0.7));
  const side = (/** @type {string[]} */ tokens) =>
    Math.ceil(Math.min(width * 0.32, widest(tokens, theme) * 1.08 + 18 * unit)); // 1.08: bold is wider
  const [left, right] = [side(queries), side(keys)];
  return {
    top,
    row,
    size,
    left,
    right,
    width,
    start: left, // where lines leave and arrive
    end: width - right,
    height: top + row * Math.max(queries.length, keys.length),
    every: Math.ceil((11 * unit) / row),
    y: (/** @type {number} */ i) => top + (i + 0.5) * row,
    /** @param {number} py */
    tokenAt: (py) => Math.floor((py - top) / row),
  };
}

/** @param {any} header @param {number} width @param {number} tallest @param {Theme} theme */
function heatmapPane(header, width, tallest, theme) {
  const { unit } = theme;
  const { query_tokens: queries, key_tokens: keys } = header;
  const left = Math.ceil(Math.min(width * 0.28, widest(queries, theme) + 10 * unit));
  const label = Math.min(110 * unit, widest(keys, theme) + 6 * unit); // length of a column's label
  const fit = (/** @type {number} */ angle) => {
    const [up, over] = [Math.sin((angle * Math.PI) / 180) * label, Math.cos((angle * Math.PI) / 180) * label];
    const cell = Math.min((width - left - over) / keys.length, (tallest - up - 16 * unit) / queries.length, 42 * unit);
    return { cell, top: Math.max(34 * unit, up + 10 * unit), angle };
  };
  const slanted = fit(55);
  const { cell, top, angle } = slanted.cell >= 17 * unit ? slanted : fit(90);
  return {
    x: 0,
    y: 0,
    left,
    top,
    cell,
    angle,
    label,
    width: cell * keys.length,
    mapHeight: cell * queries.length,
    height: top + cell * queries.length,
    every: Math.ceil((12 * unit) / cell),
    size: Math.max(9.5, Math.min(LABEL, (cell / unit) * 0.8)),
  };
}
