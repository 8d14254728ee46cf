// @ts-check
/// <reference path="../draw.js" />
/** Where the thumbnails of a grid of heads go: layers are rows, heads columns. */

const SMALLEST_IN_GRID = 12; // px a thumbnail; below it the grid scrolls sideways
const LARGEST_IN_GRID = 112;

/** @param {any} frame @param {number} layer @param {number} head @returns {boolean} */
const headExists = ({ header }, layer, head) =>
  layer >= 0 && layer < header.heads.length && head >= 0 && head < header.heads[layer];

/** Where everything goes. @param {any} frame @param {number} width @param {Theme} theme */
function arrangeGrid(frame, width, theme) {
  const { unit } = theme;
  const layers = frame.header.heads.length;
  const columns = Math.max(...frame.header.heads);
  const [, rows, cells] = frame.arrays.codes.shape;
  const aspect = Math.min(2, Math.max(0.5, rows / cells));
  const [left, top, foot] = [46 * unit, 20 * unit, (width < 480 ? 40 : 26) * unit];
  const most = frame.header.height ? frame.header.height * unit : Math.max(340, window.innerHeight * 0.7);
  const room = Math.min(860, most) - top - foot;
  const gap = Math.max(2, Math.min(6, Math.round(width / columns / 10)));
  const side = Math.min((width - left) / columns - gap, (room / layers - gap) / aspect, LARGEST_IN_GRID * unit);
  const wide = Math.max(SMALLEST_IN_GRID, Math.floor(side));
  const high = Math.max(SMALLEST_IN_GRID, Math.round(wide * aspect));
  const gridHeight = layers * (high + gap);
  const x = (/** @type {number} */ head) => left + head * (wide + gap);
  const y = (/** @type {number} */ layer) => top + layer * (high + gap);
  return {
    left,
    top,
    wide,
    high,
    gap,
    columns,
    gridHeight,
    x,
    y,
    everyColumn: Math.ceil((16 * unit) / (wide + gap)),
    everyRow: Math.ceil((12 * unit) / (high + gap)),
    right: left + columns * (wide + gap),
    width: Math.max(width, left + columns * (wide + gap)),
    height: top + gridHeight + foot,
    /** @param {number} px @param {number} py */
    at(px, py) {
      const head = Math.floor((px - left + gap / 2) / (wide + gap));
      const layer = Math.floor((py - top + gap / 2) / (high + gap));
      if (px < left - gap / 2) return layer >= 0 && layer < layers && py >= top ? { layer, head: null } : null;
      if (py < top - gap / 2) return head >= 0 && head < columns ? { layer: null, head } : null;
      return headExists(frame, layer, head) ? { layer, head } : null;
    },
  };
}
