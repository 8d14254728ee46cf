// @ts-check
/// <reference path="../draw.js" />
/** Where levels and tokens of a flow stand: tokens as rows, levels as columns. */

const FLOW_LABEL = 13;
const TALLEST_ROW = 26;
const BOTH_SIDES = 620; // px from which the tokens stand at both ends

/** @param {any} header @param {number} width @param {Theme} theme */
function arrangeFlow(header, width, theme) {
  const { unit } = theme;
  const { tokens, levels } = header;
  const tallest = Math.min(680, Math.max(320, window.innerHeight * 0.6));
  const top = 26 * unit;
  const row = Math.min(TALLEST_ROW * unit, (tallest - top) / tokens.length);
  const size = Math.max(9.5, Math.min(FLOW_LABEL, (row / unit) * 0.74));
  const font = fontOf(theme, { size });
  const widest = Math.max(...tokens.map((/** @type {string} */ token) => textWidth(visible(token), font)));
  const side = Math.min(widest * 1.08 + 14 * unit, 0.26 * width);
  const right = width >= BOTH_SIDES * unit ? side : 14 * unit;
  const step = (width - side - right) / (levels.length - 1);
  const bottom = top + row * tokens.length;
  const every = Math.ceil((11 * unit) / row);
  return {
    top,
    row,
    size,
    side,
    right,
    step,
    bottom,
    every,
    width,
    height: bottom + 28 * unit,
    thick: Math.min(0.86 * row, 15 * unit), // of a share of one
    x: (/** @type {number} */ level) => side + level * step,
    y: (/** @type {number} */ position) => top + (position + 0.5) * row,
  };
}
/** @typedef {ReturnType<typeof arrangeFlow>} FlowPlace */

/** How far along a curve stands a place between its ends, both 0 to 1: it leaves and arrives level. @param {number} along */
function heightOfCurve(along) {
  let [low, high] = [0, 1];
  for (let i = 0; i < 24; i++) {
    const t = (low + high) / 2;
    // the curve's own x at t: control points at half the way
    if (1.5 * t * (1 - t) ** 2 + 1.5 * t ** 2 * (1 - t) + t ** 3 < along) low = t;
    else high = t;
  }
  return 3 * low ** 2 - 2 * low ** 3;
}

/** The node under a place, or the edge. @param {FlowPlace} place @param {FlowGraph} graph @param {FlowEdge[]} edges @param {number} x @param {number} y @returns {{node: FlowNode} | {edge: FlowEdge} | null} */
function flowAt(place, graph, edges, x, y) {
  const position = Math.floor((y - place.top) / place.row);
  if (position < 0 || position >= graph.n) return null;
  const exact = (x - place.side) / place.step;
  const level = Math.max(0, Math.min(graph.layers, Math.round(exact)));
  const near = Math.max(9, Math.min(16, 0.2 * place.step));
  if (x < place.side || x > place.x(graph.layers) || Math.abs(x - place.x(level)) <= near)
    return { node: [level, position] };
  const layer = Math.floor(exact);
  const height = heightOfCurve(exact - layer);
  /** @type {FlowEdge | null} */
  let found = null;
  let closest = Math.max(5, 0.4 * place.row);
  for (const edge of edges) {
    if (edge.layer !== layer) continue;
    const [from, to] = [place.y(edge.key), place.y(edge.query)];
    const far = Math.abs(from + (to - from) * height - y);
    if (far <= closest) [closest, found] = [far, edge];
  }
  return found && { edge: found };
}
