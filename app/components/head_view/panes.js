// @ts-check
/// <reference path="../draw.js" />
/// <reference path="layout.js" />
/** Drawing the two panes on any surface: what lies still, and what lights up. */

/**
 * @typedef {{
 *   header: any, weights: Weights, place: ReturnType<typeof layoutOf>, scales: ReturnType<typeof makeScale>[],
 *   lut: Uint32Array, colours: Rgb[], chosen: ReturnType<typeof chooseEdges>, front: number,
 *   pinned: number | null, cell: [number, number] | null,
 * }} Scene
 * @typedef {{query: number | null, key: number | null, pane: "lines" | "heatmap"}} Spot a token (one null) or a cell
 */

const MOST_CURVES = 4_000; // more lines are straight: a curve takes three times as long to paint

/** @param {Scene["chosen"]} chosen */
const isCurved = (chosen) => chosen.edges.length <= MOST_CURVES;

/** @param {Surface} surface @param {Scene} scene */
function drawLines(surface, { header, place, chosen, colours, pinned }) {
  const pane = place.lines;
  if (!pane) return;
  const { theme } = surface;
  drawSideTitles(surface, pane);
  for (const edge of chosen.edges)
    drawEdge(surface, pane, chosen, edge, lineStyle(theme, pane, colours[edge.map], edge.strength, crowdOf(chosen)));
  for (const side of /** @type {const} */ (["query", "key"])) {
    const faded = pinned !== null && side === (header.display.direction === "from" ? "query" : "key");
    header[`${side}_tokens`].forEach((/** @type {string} */ _, /** @type {number} */ i) => {
      if (i % pane.every === 0 && i !== (faded ? pinned : -1))
        lineLabel(surface, pane, header, side, i, { fill: css(faded ? theme.quiet : theme.ink) });
    });
    if (faded && pinned !== null) pill(surface, pane, header, side, pinned, css(theme.accent));
  }
}

/** @typedef {NonNullable<Scene["place"]["lines"]>} LinesPane */

/** Many lines: each fainter. @param {Scene["chosen"]} chosen */
const crowdOf = ({ edges }) => Math.min(1, (900 / edges.length) ** 0.35);

/** Width and opacity say the weight and nothing else: a selection is drawn around a line. @param {Theme} theme @param {LinesPane} pane @param {Rgb} colour @param {number} strength */
function lineStyle(theme, pane, colour, strength, crowd = 1) {
  const thick = theme.line * Math.min(1, Math.max(0.35, pane.row / (16 * theme.unit)));
  return { stroke: css(colour), width: (0.5 + 2.6 * strength) * thick, alpha: crowd * (0.05 + 0.95 * strength) };
}

/** @param {Surface} surface @param {LinesPane} pane @param {Scene["chosen"]} chosen @param {{query: number, key: number}} edge @param {Style} style */
function drawEdge(surface, pane, chosen, { query, key }, style) {
  if (isCurved(chosen)) surface.curve(pane.start, pane.y(query), pane.end, pane.y(key), style);
  else surface.line(pane.start, pane.y(query), pane.end, pane.y(key), style);
}

/** The pair's lines as they are anyway, between two hairlines. @param {Surface} surface @param {LinesPane} pane @param {Scene["chosen"]} chosen @param {{query: number, key: number}} pair @param {ReturnType<typeof lineStyle>[]} lines @param {Rgb} colour */
function outlinedPair(surface, pane, chosen, pair, lines, colour) {
  const { theme } = surface;
  const widest = Math.max(0, ...lines.map(({ width }) => width));
  drawEdge(surface, pane, chosen, pair, { stroke: css(colour), width: widest + 6 * theme.line });
  drawEdge(surface, pane, chosen, pair, { stroke: css(theme.paper), width: widest + 4 * theme.line });
  for (const style of lines) drawEdge(surface, pane, chosen, pair, style);
}

/** @param {Surface} surface @param {LinesPane} pane */
function drawSideTitles(surface, pane) {
  const { theme } = surface;
  const y = pane.top - 13 * theme.unit;
  surface.text(pane.start - 8 * theme.unit, y, "query", {
    size: 12,
    align: "right",
    weight: 600,
    fill: css(theme.hues.query),
  });
  surface.text(pane.end + 8 * theme.unit, y, "key", { size: 12, weight: 600, fill: css(theme.hues.key) });
}

/** @param {Surface} surface @param {LinesPane} pane @param {any} header @param {"query" | "key"} side @param {number} index @param {TextStyle} style */
function lineLabel(surface, pane, header, side, index, style) {
  const { unit } = surface.theme;
  /** @type {TextStyle} */
  const full = { size: pane.size, align: side === "query" ? "right" : "left", ...style };
  const room = (side === "query" ? pane.left : pane.right) - 10 * unit;
  const text = fitted(tokenOf(header, side, index), room, fontOf(surface.theme, full));
  const x = side === "query" ? pane.start - 8 * unit : pane.end + 8 * unit;
  surface.text(x, pane.y(index), text, full);
  return { x, width: textWidth(text, fontOf(surface.theme, full)) };
}

/** A label on a plate, so that it reads over its neighbours. @param {Surface} surface @param {LinesPane} pane @param {any} header @param {"query" | "key"} side @param {number} index @param {string} [frame] @param {string} [fill] */
function pill(surface, pane, header, side, index, frame, fill) {
  const { theme } = surface;
  /** @type {TextStyle} */
  const style = { size: LABEL, weight: 600, align: side === "query" ? "right" : "left" };
  const room = (side === "query" ? pane.left : pane.right) - 8 * theme.unit;
  const text = fitted(tokenOf(header, side, index), room, fontOf(theme, style));
  const width = textWidth(text, fontOf(theme, style)) + 8 * theme.unit;
  const height = 18 * theme.unit;
  const x = side === "query" ? pane.start - 4 * theme.unit - width : pane.end + 4 * theme.unit;
  const y = pane.y(index) - height / 2;
  surface.rect(x, y, width, height, { fill: css(theme.paper), radius: 3 });
  if (fill) surface.rect(x, y, width, height, { fill, radius: 3 });
  if (frame) surface.rect(x, y, width, height, { stroke: frame, width: 1.5 * theme.line, radius: 3 });
  surface.text(side === "query" ? x + width - 4 * theme.unit : x + 4 * theme.unit, pane.y(index), text, style);
}

/** @param {Surface} surface @param {Scene} scene */
function drawHeatmap(surface, { header, weights, place, scales, lut, front, pinned }) {
  const pane = place.heatmap;
  if (!pane) return { checksum: 0 };
  const { theme } = surface;
  const [x, y] = [pane.x + pane.left, pane.y + pane.top];
  const codes = heatmapCodes(weights, scales[front], front);
  surface.cells(x, y, pane.width, pane.mapHeight, { codes, rows: weights.queries, columns: weights.keys, lut });
  surface.rect(x - 0.5, y - 0.5, pane.width + 1, pane.mapHeight + 1, { stroke: css(theme.rule) });
  const title = { size: 12, weight: 600 };
  surface.text(x - 8 * theme.unit, y - 8 * theme.unit, "query", {
    ...title,
    align: "right",
    fill: css(theme.hues.query),
  });
  surface.text(x - 8 * theme.unit, y - 25 * theme.unit, "key", { ...title, align: "right", fill: css(theme.hues.key) });
  for (let i = 0; i < weights.queries; i += pane.every) rowLabel(surface, pane, header, i, {});
  for (let j = 0; j < weights.keys; j += pane.every) columnLabel(surface, pane, header, j, {});
  if (pinned !== null)
    outline(
      surface,
      pane,
      header.display.direction === "from" ? [pinned, null] : [null, pinned],
      css(theme.accent),
      1.5,
    );
  let checksum = 0;
  for (const code of codes) checksum += code;
  return { checksum };
}

/** @param {Weights} weights @param {ReturnType<typeof makeScale>} scale @param {number} front */
function heatmapCodes(weights, scale, front) {
  const size = weights.queries * weights.keys;
  const codes = new Uint8Array(size);
  for (let i = 0; i < size; i++) codes[i] = Math.round(255 * scale.at(weights.maps[front * size + i]));
  return codes;
}

/** @typedef {NonNullable<Scene["place"]["heatmap"]>} HeatmapPane */

/** @param {Surface} surface @param {HeatmapPane} pane @param {any} header @param {number} row @param {TextStyle} style */
function rowLabel(surface, pane, header, row, style) {
  const full = { size: pane.size, align: /** @type {const} */ ("right"), ...style };
  const text = fitted(tokenOf(header, "query", row), pane.left - 8 * surface.theme.unit, fontOf(surface.theme, full));
  surface.text(pane.x + pane.left - 6 * surface.theme.unit, pane.y + pane.top + (row + 0.5) * pane.cell, text, full);
}

/** @param {Surface} surface @param {HeatmapPane} pane @param {any} header @param {number} column @param {TextStyle} style */
function columnLabel(surface, pane, header, column, style) {
  const full = { size: pane.size, angle: -pane.angle, ...style };
  const text = fitted(tokenOf(header, "key", column), pane.label - 2, fontOf(surface.theme, full));
  surface.text(pane.x + pane.left + (column + 0.5) * pane.cell, pane.y + pane.top - 6 * surface.theme.unit, text, full);
}

/** Frame a row, a column or a cell. @param {Surface} surface @param {HeatmapPane} pane @param {[number | null, number | null]} cell @param {string} stroke @param {number} width */
function outline(surface, pane, [query, key], stroke, width) {
  const [x, y] = [pane.x + pane.left, pane.y + pane.top];
  const [left, wide] = key === null ? [x, pane.width] : [x + key * pane.cell, pane.cell];
  const [top, high] = query === null ? [y, pane.mapHeight] : [y + query * pane.cell, pane.cell];
  const grow = Math.max(0, 5 - pane.cell) / 2; // a cell of one pixel still gets a visible frame
  surface.rect(left - grow, top - grow, wide + 2 * grow, high + 2 * grow, {
    stroke,
    width: width * surface.theme.line,
  });
}

/** The legend's line: ramp, scale, and what is not drawn. @param {Surface} surface @param {Scene} scene */
function drawLegendLine(surface, { header, place, scales, lut, front, chosen, weights, colours }) {
  const { theme } = surface;
  const shared =
    header.display.maximum === null ? (weights.count > 1 ? "each map its own" : "this map's own") : "one for all heads";
  const y = place.bottom + 15 * theme.unit;
  const small = place.width < 560;
  const end = drawLegend(surface, 0, y, {
    lut: weights.count > 1 && !place.heatmap ? hueRamp(theme, colours[front]) : lut,
    left: header.display.scale === "log" ? number(LOG_FLOOR) : "0",
    right: number(scales[front].top),
    title: `${scales[front].title}, ${shared}`,
    width: small ? 70 : 120,
  });
  const note = place.lines ? edgesNote(chosen) : "";
  const style = { size: 12, fill: css(theme.quiet) };
  if (note && end + 16 + textWidth(note, fontOf(theme, style)) <= place.width) surface.text(end + 16, y, note, style);
  else if (note)
    wrapped(note, place.width, fontOf(theme, style)).forEach((line, i) =>
      surface.text(0, y + (i + 1) * 17 * theme.unit, line, style),
    );
}

/** The selected cell's frame, and whatever the pointer or the keyboard is at. @param {Surface} surface @param {Scene} scene @param {Spot | null} spot */
function drawHighlights(surface, scene, spot) {
  const { theme } = surface;
  const { header, place, cell, chosen, colours } = scene;
  const { lines, heatmap } = place;
  if (lines && spot) {
    surface.rect(lines.start - 2, lines.top - 4, lines.end - lines.start + 4, lines.height - lines.top + 8, {
      fill: css(theme.paper),
      alpha: 0.88,
    });
    lightLines(surface, scene, spot);
  }
  if (lines && cell && !spot) {
    const [query, key] = cell;
    const own = chosen.edges.filter((edge) => edge.query === query && edge.key === key);
    const styles = own.map(({ map, strength }) => lineStyle(theme, lines, colours[map], strength, crowdOf(chosen)));
    outlinedPair(surface, lines, chosen, { query, key }, styles, theme.accent);
    pill(surface, lines, header, "query", cell[0], css(theme.accent));
    pill(surface, lines, header, "key", cell[1], css(theme.accent));
  }
  if (heatmap && spot) {
    const strong = { size: LABEL, weight: 600 };
    const plate = css(theme.paper);
    const { unit } = theme;
    if (spot.query !== null) {
      const y = heatmap.y + heatmap.top + (spot.query + 0.5) * heatmap.cell;
      surface.rect(heatmap.x, y - 9 * unit, heatmap.left - 4 * unit, 18 * unit, { fill: plate });
      rowLabel(surface, heatmap, header, spot.query, strong);
      outline(surface, heatmap, [spot.query, null], css(theme.ink), spot.key === null ? 1.2 : 0.6);
    }
    if (spot.key !== null) {
      columnPlate(surface, heatmap, spot.key, plate);
      columnLabel(surface, heatmap, header, spot.key, strong);
      outline(surface, heatmap, [null, spot.key], css(theme.ink), spot.query === null ? 1.2 : 0.6);
    }
    if (spot.query !== null && spot.key !== null)
      outline(surface, heatmap, [spot.query, spot.key], css(theme.ink), 1.6);
  }
  if (heatmap && cell) outline(surface, heatmap, cell, css(theme.accent), 2);
}

/** A column's label stands out by hiding its neighbours' where they are crowded. @param {Surface} surface @param {HeatmapPane} pane @param {number} column @param {string} fill */
function columnPlate(surface, pane, column, fill) {
  if (pane.angle !== 90) return;
  const half = 8 * surface.theme.unit;
  const x = pane.x + pane.left + (column + 0.5) * pane.cell;
  surface.rect(x - half, pane.y + pane.top - 4 * surface.theme.unit - pane.label, 2 * half, pane.label, { fill });
}

/** Every line of a token, or one pair outlined among them. @param {Surface} surface @param {Scene} scene @param {Spot} spot */
function lightLines(surface, scene, spot) {
  const { header, place, weights, scales, colours, lut, chosen } = scene;
  const pane = /** @type {LinesPane} */ (place.lines);
  const { theme } = surface;
  const single = weights.count === 1;
  /** @type {Map<number, number>} strength of each partner, for its label's tint */
  const partners = new Map();
  /** @type {ReturnType<typeof lineStyle>[]} of the pair that is pointed at */
  const pointed = [];
  const draw = (/** @type {number} */ map, /** @type {number} */ query, /** @type {number} */ key) => {
    const strength = scales[map].at(weights.at(map, query, key));
    if (strength < 0.005) return;
    const other = spot.query === null ? query : key;
    partners.set(other, Math.max(partners.get(other) ?? 0, strength));
    const style = lineStyle(theme, pane, colours[map], strength);
    drawEdge(surface, pane, chosen, { query, key }, style);
    if (query === spot.query && key === spot.key) pointed.push(style);
  };
  for (let map = 0; map < weights.count; map++) {
    if (spot.query !== null) for (let key = 0; key < weights.keys; key++) draw(map, spot.query, key);
    else if (spot.key !== null) for (let query = 0; query < weights.queries; query++) draw(map, query, spot.key);
  }
  if (spot.query !== null && spot.key !== null)
    outlinedPair(surface, pane, chosen, { query: spot.query, key: spot.key }, pointed, theme.ink);
  /** @type {["query", "key"] | ["key", "query"]} */
  const [own, other] = spot.query !== null ? ["query", "key"] : ["key", "query"];
  const tint = single ? fromLookup(lut, 150) : theme.quiet;
  /** @type {number[]} */
  const placed = [];
  const room = 19 * theme.unit;
  const wanted = spot.query !== null && spot.key !== null ? [[spot.key, 1]] : [...partners].sort((a, b) => b[1] - a[1]);
  for (const [index, strength] of wanted) {
    if (strength < 0.08 && placed.length) break;
    if (placed.some((y) => Math.abs(y - pane.y(index)) < room)) continue;
    placed.push(pane.y(index));
    pill(
      surface,
      pane,
      header,
      other,
      index,
      undefined,
      css(tint, single ? 0.12 + 0.33 * strength : 0.05 + 0.15 * strength),
    );
    if (placed.length === 12) break;
  }
  pill(surface, pane, header, own, /** @type {number} */ (spot.query ?? spot.key), css(theme.ink));
}
