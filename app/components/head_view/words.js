// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** Numbers and sentences about cells and tokens: all from the float32 that came. */

const TOP = 5; // strongest partners that a token's tooltip names

class Weights {
  /** @param {Frame} frame */
  constructor({ header, arrays }) {
    this.header = header;
    this.maps = arrays.maps;
    this.visible = arrays.visible;
    this.uniform = arrays.uniform;
    this.removed = arrays.removed ?? null;
    /** @type {number[]} */
    const [count, queries, keys] = arrays.maps.shape;
    this.count = count;
    this.queries = queries;
    this.keys = keys;
  }

  /** @param {number} map @param {number} query @param {number} key @returns {number} */
  at(map, query, key) {
    return this.maps[(map * this.queries + query) * this.keys + key];
  }

  /** @param {number} map @param {number} query */
  row(map, query) {
    const start = (map * this.queries + query) * this.keys;
    return this.maps.subarray(start, start + this.keys);
  }

  /** Sum of a map's weights: what a test compares with the model. @param {number} map */
  total(map) {
    const size = this.queries * this.keys;
    return this.maps
      .subarray(map * size, (map + 1) * size)
      .reduce((/** @type {number} */ sum, /** @type {number} */ weight) => sum + weight, 0);
  }

  /** `0.677 · rank 1 of 12 · 10.8 × uniform`: of 12 keys that are drawn, and 16 that were looked at. @param {number} map @param {number} query @param {number} key */
  inContext(map, query, key) {
    const weight = this.at(map, query, key);
    const seen = this.visible[query];
    if (weight === 0 && seen < this.keys) return "0 · masked or hidden";
    let rank = 1;
    for (const other of this.row(map, query)) if (other > weight) rank++;
    return `${number(weight)} · rank ${rank} of ${seen} · ${number(weight * this.uniform[query])} × uniform`;
  }

  /** @param {number} map @param {number} query */
  removedNote(map, query) {
    const mass = this.removed ? this.removed[map * this.queries + query] : 0;
    return mass > 0 ? `hidden tokens took ${number(mass)} of this row` : "";
  }

  /** Partners of a token by weight, strongest first. @param {number} map @param {"query" | "key"} side @param {number} index @param {number} [most] */
  strongest(map, side, index, most = Infinity) {
    const size = side === "query" ? this.keys : this.queries;
    const weight = (/** @type {number} */ other) =>
      side === "query" ? this.at(map, index, other) : this.at(map, other, index);
    return Array.from({ length: size }, (_, other) => ({ other, weight: weight(other) }))
      .sort((a, b) => b.weight - a.weight || a.other - b.other)
      .slice(0, most);
  }
}

/** @param {any} header @param {"query" | "key"} side @param {number} index */
const tokenOf = (header, side, index) => visible(header[`${side}_tokens`][index]);

/** @param {Weights} weights @param {Theme} theme @param {{query: number, key: number}} cell @returns {Node[]} */
function cellWords(weights, theme, { query, key }) {
  const { header } = weights;
  const lines = [element("div", "head", `${tokenOf(header, "query", query)} → ${tokenOf(header, "key", key)}`)];
  const several = weights.count > 1;
  const shown = Math.min(weights.count, 6);
  for (let map = 0; map < shown; map++) {
    const line = element("div");
    if (several) {
      const swatch = line.appendChild(element("span", "swatch"));
      swatch.style.background = css(theme.heads[header.palette[map] % N_HEAD_COLOURS]);
      line.append(element("span", "quiet", `${header.names[map]}  `));
    }
    line.append(element("span", "", weights.inContext(map, query, key)));
    lines.push(line);
    const note = weights.removedNote(map, query);
    if (note) lines.push(element("div", "quiet", note));
  }
  if (shown < weights.count) lines.push(element("div", "quiet", `and ${weights.count - shown} more maps`));
  return lines;
}

/** @param {Weights} weights @param {number} map @param {"query" | "key"} side @param {number} index @returns {Node[]} */
function tokenWords(weights, map, side, index) {
  const { header } = weights;
  const other = side === "query" ? "key" : "query";
  const says = side === "query" ? "looks at" : "is looked at by";
  const lines = [element("div", "head", `${tokenOf(header, side, index)} ${says}`)];
  const ids = header[`${side}_ids`][index] ?? [];
  if (ids.length) lines.push(element("div", "quiet", `token ${ids.length > 1 ? "ids" : "id"} ${ids.join(", ")}`));
  for (const { other: partner, weight } of weights.strongest(map, side, index, TOP)) {
    if (weight > 0)
      lines.push(element("div", "", `${tokenOf(header, /** @type {any} */ (other), partner)}  ${number(weight)}`));
  }
  if (weights.count > 1) lines.push(element("div", "quiet", header.names[map]));
  const note = side === "query" ? weights.removedNote(map, index) : "";
  if (note) lines.push(element("div", "quiet", note));
  return lines;
}

/**
 * The figure as a table: the pinned token's line, or each query's strongest key.
 * @param {Weights} weights @param {number} map @param {number | null} pinned
 */
function tableOf(weights, map, pinned) {
  const { header } = weights;
  const side = header.display.direction === "from" ? "query" : "key";
  /** @type {[number, number][]} */
  let cells;
  let title = `the strongest key of each query, ${header.names[map]}`;
  if (pinned === null) {
    cells = Array.from({ length: weights.queries }, (_, query) => [
      query,
      weights.strongest(map, "query", query, 1)[0].other,
    ]);
  } else {
    title = `every ${side === "query" ? "key of the query" : "query of the key"} ${tokenOf(header, side, pinned)}, ${header.names[map]}`;
    cells = weights
      .strongest(map, side, pinned)
      .map(({ other }) => (side === "query" ? [pinned, other] : [other, pinned]));
  }
  const table = element("table");
  table.append(element("caption", "quiet", title));
  const top = table.appendChild(element("thead")).appendChild(element("tr"));
  for (const name of ["query", "key", "weight", "in its row"]) top.append(element("th", "", name));
  const body = table.appendChild(element("tbody"));
  for (const [query, key] of cells) {
    const row = body.appendChild(element("tr"));
    row.append(element("td", "", `${tokenOf(header, "query", query)} (${query})`));
    row.append(element("td", "", `${tokenOf(header, "key", key)} (${key})`));
    row.append(element("td", "number", number(weights.at(map, query, key))));
    row.append(element("td", "quiet", weights.inContext(map, query, key).split(" · ").slice(1).join(" · ")));
  }
  return table;
}
