// @ts-check
/// <reference path="../draw.js" />
/// <reference path="panes.js" />
/** What lies under the pointer, and the magnified neighbourhood of a small cell. */

const NEAR = 7; // px: how close to a line the pointer must come
const LENS = { cells: 13, size: 11.5 }; // odd: the pointed cell is in the middle

/** @param {number} i @param {number} n */
const within = (i, n) => (i >= 0 && i < n ? i : null);

/** @param {Scene} scene @param {number} x @param {number} y @returns {Spot | null} */
function spotAt(scene, x, y) {
  const { place, weights } = scene;
  const pane = place.heatmap;
  if (pane && x >= pane.x && y >= pane.y) {
    const key = within(Math.floor((x - pane.x - pane.left) / pane.cell), weights.keys);
    const query = within(Math.floor((y - pane.y - pane.top) / pane.cell), weights.queries);
    if (query !== null && key !== null) return { query, key, pane: "heatmap" };
    if (query !== null && x < pane.x + pane.left) return { query, key: null, pane: "heatmap" };
    if (key !== null && y < pane.y + pane.top) return { query: null, key, pane: "heatmap" };
    return null;
  }
  const lines = place.lines;
  if (!lines || x > lines.width || y > lines.height) return null;
  const token = lines.tokenAt(y);
  if (x <= lines.start)
    return within(token, weights.queries) === null ? null : { query: token, key: null, pane: "lines" };
  if (x >= lines.end) return within(token, weights.keys) === null ? null : { query: null, key: token, pane: "lines" };
  return nearestEdge(scene, lines, x, y);
}

/** @param {Scene} scene @param {NonNullable<Scene["place"]["lines"]>} lines @param {number} x @param {number} y @returns {Spot | null} */
function nearestEdge({ chosen }, lines, x, y) {
  const t = (x - lines.start) / (lines.end - lines.start);
  const share = isCurved(chosen) ? heightShare(t) : t;
  let best = null;
  let least = NEAR;
  for (const edge of chosen.edges) {
    const [from, to] = [lines.y(edge.query), lines.y(edge.key)];
    const distance = Math.abs(from + share * (to - from) - y) - 2 * edge.strength; // a strong line is easier to hit
    if (distance < least) [best, least] = [edge, distance];
  }
  return best && { query: best.query, key: best.key, pane: "lines" };
}

/** Height of the drawn curve at a share t of the way across (cubic, both handles at the middle). @param {number} t */
function heightShare(t) {
  let [low, high] = [0, 1];
  for (let i = 0; i < 20; i++) {
    const s = (low + high) / 2;
    const x = 1.5 * s * (1 - s) ** 2 + 1.5 * s * s * (1 - s) + s ** 3;
    if (x < t) low = s;
    else high = s;
  }
  return low * low * (3 - 2 * low);
}

/** The cells around one, magnified. @param {Scene} scene @param {Theme} theme @param {number} query @param {number} key */
function lens({ weights, scales, lut, front }, theme, query, key) {
  const canvas = element("canvas");
  const side = LENS.cells * LENS.size;
  const surface = new CanvasSurface(canvas, side, side, theme);
  const codes = new Uint8Array(LENS.cells ** 2);
  const half = LENS.cells >> 1;
  for (let i = 0; i < codes.length; i++) {
    const [q, k] = [query + Math.floor(i / LENS.cells) - half, key + (i % LENS.cells) - half];
    const inside = within(q, weights.queries) !== null && within(k, weights.keys) !== null;
    if (inside) codes[i] = Math.round(255 * scales[front].at(weights.at(front, q, k)));
  }
  surface.cells(0, 0, side, side, { codes, rows: LENS.cells, columns: LENS.cells, lut });
  surface.rect(half * LENS.size, half * LENS.size, LENS.size, LENS.size, { stroke: css(theme.ink), width: 1.5 });
  return canvas;
}
