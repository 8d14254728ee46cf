// @ts-check
/// <reference path="../data.js" />
/** Shares of edges, what flows where, and the strongest paths: as core/explain/flow/token_flow.py. */

/** @typedef {[number, number]} FlowNode level, position */
/** @typedef {{layer: number, query: number, key: number, share: number}} FlowEdge */

class FlowGraph {
  /** @param {Frame} frame */
  constructor({ header, arrays }) {
    /** @type {number[]} */
    const [layers, n] = arrays.kept.shape;
    this.layers = layers;
    this.n = n;
    this.kept = arrays.kept;
    this.mixed = Float32Array.from(arrays.attended);
    for (let row = 0; row < this.kept.length; row++) {
      this.mixed[row * this.n + (row % this.n)] += this.kept[row];
    }
    this.threshold = Math.max(header.threshold, Number.MIN_VALUE);
  }

  /** What of `query` behind a layer comes from `key` before it. @param {number} layer @param {number} query @param {number} key @returns {number} */
  share(layer, query, key) {
    return this.mixed[(layer * this.n + query) * this.n + key];
  }

  /** The part of it that passes attention by. @param {number} layer @param {number} query @returns {number} */
  residual(layer, query) {
    return this.kept[layer * this.n + query];
  }

  /**
   * How much of a node comes from each one before it (down), or of each one after it from the node.
   * @param {FlowNode} node @param {boolean} down
   * @param {(sum: number, part: number) => number} join of what comes along several edges
   * @param {number[]} [start] what holds at the node's own level
   */
  along([level, position], down, join, start) {
    const levels = Array.from({ length: this.layers + 1 }, () => new Float64Array(this.n));
    if (start) levels[level].set(start);
    else levels[level][position] = 1;
    for (let at = level; down ? at > 0 : at < this.layers; at += down ? -1 : 1) {
      const [from, to] = [levels[at], levels[down ? at - 1 : at + 1]];
      for (let query = 0; query < this.n; query++) {
        for (let key = 0; key < this.n; key++) {
          const share = this.share(down ? at - 1 : at, query, key);
          if (down) to[key] = join(to[key], from[query] * share);
          else to[query] = join(to[query], from[key] * share);
        }
      }
    }
    return levels;
  }

  /** Edges that are drawn: strong enough, and on a way into the node, out of it, or anywhere. @param {string} shown @param {FlowNode} node @returns {FlowEdge[]} */
  edges(shown, node) {
    /** @type {FlowEdge[]} */
    const found = [];
    const reached = Array.from({ length: this.layers + 1 }, () => new Uint8Array(this.n));
    const down = shown === "into";
    if (shown !== "all") reached[node[0]][node[1]] = 1;
    for (let step = 0; step < this.layers; step++) {
      const layer = down ? this.layers - 1 - step : step;
      for (let query = 0; query < this.n; query++) {
        if (down && !reached[layer + 1][query]) continue;
        for (let key = 0; key < this.n; key++) {
          const share = this.share(layer, query, key);
          if (share < this.threshold || (shown === "out" && !reached[layer][key])) continue;
          found.push({ layer, query, key, share });
          if (down) reached[layer][key] = 1;
          else reached[layer + 1][query] = 1;
        }
      }
    }
    return found.sort((a, b) => a.share - b.share);
  }

  /** The best product of a path from each node to the ends, or from the starts to it. @param {FlowNode | null} end none: every node of the last (or first) level @param {boolean} down */
  best(end, down) {
    const level = end ? end[0] : down ? this.layers : 0;
    return this.along(end ?? [level, 0], down, Math.max, end ? undefined : Array(this.n).fill(1));
  }
}

/**
 * The strongest path through some nodes, walked from their ends along the best products.
 * @param {FlowGraph} graph @param {FlowNode} from @param {Float64Array[]} best @param {boolean} down towards the input
 * @param {number} last the level at which it ends
 */
function walk(graph, [level, position], best, down, last) {
  const path = [position];
  for (let at = level; at !== last; at += down ? -1 : 1) {
    const here = path[path.length - 1];
    let next = 0;
    let most = -1;
    for (let other = 0; other < graph.n; other++) {
      const share = down ? graph.share(at - 1, here, other) : graph.share(at, other, here);
      const worth = share * best[down ? at - 1 : at + 1][other];
      if (worth > most) [most, next] = [worth, other];
    }
    path.push(next);
  }
  return path;
}
