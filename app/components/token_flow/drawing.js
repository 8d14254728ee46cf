// @ts-check
/// <reference path="../draw.js" />
/// <reference path="paths.js" />
/// <reference path="layout.js" />
/** A flow on a surface: the same function for the screen, PNG and SVG. */

const FAINTEST = 0.35; // px of the thinnest line

/** @typedef {{header: any, graph: FlowGraph, place: FlowPlace, edges: FlowEdge[], node: FlowNode, held: Float64Array[]}} Flow `held`: each node's share of the chosen one, or the other way round */

/** @param {Surface} surface @param {Flow} flow */
function drawFlow(surface, { header, graph, place, edges, held }) {
  const { theme } = surface;
  const colours = { attended: css(theme.hues[header.kind]), kept: css(theme.quiet) };
  for (const { layer, query, key, share } of edges) {
    const [x, to] = [place.x(layer), place.x(layer + 1)];
    const thick = Math.max(FAINTEST, share * place.thick);
    if (query !== key) {
      surface.curve(x, place.y(key), to, place.y(query), { stroke: colours.attended, width: thick, alpha: 0.62 });
      continue;
    }
    const past = (thick * graph.residual(layer, query)) / share;
    const y = place.y(query) - thick / 2;
    if (past > 0) surface.line(x, y + past / 2, to, y + past / 2, { stroke: colours.kept, width: past, alpha: 0.5 });
    if (thick > past)
      surface.line(x, y + (past + thick) / 2, to, y + (past + thick) / 2, {
        stroke: colours.attended,
        width: thick - past,
        alpha: 0.62,
      });
  }
  drawNodes(surface, graph, place, header, held);
  drawFlowLabels(surface, place, header);
}

/** Nodes, as dark as their share is large. @param {Surface} surface @param {FlowGraph} graph @param {FlowPlace} place @param {any} header @param {Float64Array[]} held */
function drawNodes(surface, graph, place, header, held) {
  const { theme } = surface;
  const lut = hueRamp(theme, theme.hues[header.kind]);
  const size = Math.max(3, Math.min(9 * theme.unit, 0.5 * place.row));
  for (let level = 0; level <= graph.layers; level++) {
    for (let position = 0; position < graph.n; position++) {
      const code = Math.round(255 * Math.sqrt(Math.min(1, held[level][position])));
      surface.rect(place.x(level) - size / 2, place.y(position) - size / 2, size, size, {
        fill: css(fromLookup(lut, code)),
        stroke: css(theme.rule),
        radius: size / 2,
      });
    }
  }
}

/** @param {Surface} surface @param {FlowPlace} place @param {any} header */
function drawFlowLabels(surface, place, header) {
  const { theme } = surface;
  const { unit } = theme;
  const { tokens, levels } = header;
  const style = { size: place.size };
  const font = fontOf(theme, style);
  for (let position = 0; position < tokens.length; position += place.every) {
    const text = fitted(visible(tokens[position]), place.side - 12 * unit, font);
    surface.text(place.side - 10 * unit, place.y(position), text, { ...style, align: "right" });
    if (place.right >= place.side) surface.text(place.width - place.right + 10 * unit, place.y(position), text, style);
  }
  const quiet = { size: 12, fill: css(theme.quiet), align: /** @type {const} */ ("center") };
  const wide = Math.max(...levels.map((/** @type {string} */ one) => textWidth(one, fontOf(theme, quiet))));
  const whole = wide + 8 <= place.step && wide / 2 <= place.right;
  levels.forEach((/** @type {string} */ name, /** @type {number} */ level) => {
    const text = whole || level === 0 ? name : name.replace("layer ", "");
    surface.text(place.x(level), 10 * unit, text, quiet);
  });
  const entries = [
    ["attention", css(theme.hues[header.kind]), 0.62],
    ["kept by the residual connection", css(theme.quiet), 0.5],
  ];
  let x = 2;
  const y = place.bottom + 14 * unit;
  for (const [name, stroke, alpha] of entries) {
    surface.line(x, y, x + 22 * unit, y, { stroke: String(stroke), width: 6 * unit, alpha: Number(alpha) });
    surface.text(x + 28 * unit, y, String(name), { ...quiet, align: "left" });
    x += 28 * unit + textWidth(String(name), fontOf(theme, quiet)) + 18 * unit;
  }
  const note = header.threshold > 0 ? `shares from ${number(header.threshold)} on` : "every share";
  if (x + textWidth(note, fontOf(theme, quiet)) <= place.width) surface.text(x, y, note, { ...quiet, align: "left" });
}

/** The chosen node, and a path. @param {Surface} surface @param {Flow} flow @param {{level: number, positions: number[]} | null} path @param {FlowNode | null} at */
function drawPath(surface, { place, node, header }, path, at) {
  const { theme } = surface;
  const ring = (
    /** @type {FlowNode} */ [level, position],
    /** @type {string} */ stroke,
    /** @type {number} */ wide,
  ) => {
    const size = Math.max(7, Math.min(15 * theme.unit, 0.86 * place.row));
    const [x, y] = [place.x(level) - size / 2, place.y(position) - size / 2];
    surface.rect(x, y, size, size, { stroke, width: wide, radius: size / 2 });
  };
  path?.positions.slice(1).forEach((position, i) => {
    const [x, y] = [place.x(path.level + i), place.y(path.positions[i])];
    const [toX, toY] = [place.x(path.level + i + 1), place.y(position)];
    surface.curve(x, y, toX, toY, { stroke: css(theme.ink), width: 2.2 * theme.line });
  });
  if (at) ring(at, css(theme.ink), 1.4 * theme.line);
  if (header.shown !== "all") ring(node, css(theme.accent), 2.4 * theme.line);
}
