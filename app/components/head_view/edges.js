// @ts-check
/// <reference path="../draw.js" />
/**
 * Which lines are drawn between queries and keys, and what share of the weights the
 * others carry: nothing is left out silently.
 */

const MAX_EDGES = 20_000; // more can't be told apart, and would not paint within a frame
const MIN_STRENGTH = 0.012; // of the scale; fainter lines are invisible on any screen
const FEW = 2_000; // lines: up to here even the faintest are drawn
const BINS = 2048;

/**
 * @typedef {{map: number, query: number, key: number, strength: number}} Edge
 * @param {Float32Array & {shape: number[]}} maps (map, query, key)
 * @param {{threshold: number, top_k: number | null, direction: "from" | "to"}} display
 * @param {number | null} pinned
 * @param {ReturnType<typeof makeScale>[]} scales one a map
 */
function chooseEdges(maps, display, pinned, scales) {
  const [nMaps, nQueries, nKeys] = maps.shape;
  const from = display.direction === "from";
  const [tokens, others] = from ? [nQueries, nKeys] : [nKeys, nQueries];
  const floor = new Float32Array(nMaps * tokens).fill(display.threshold);
  /** @param {number} map @param {number} token @param {number} other */
  const at = (map, token, other) => map * nQueries * nKeys + (from ? token * nKeys + other : other * nKeys + token);

  if (display.top_k !== null && display.top_k < others) {
    const line = new Float32Array(others);
    for (let map = 0; map < nMaps; map++) {
      for (let token = 0; token < tokens; token++) {
        for (let other = 0; other < others; other++) line[other] = maps[at(map, token, other)];
        line.sort();
        floor[map * tokens + token] = Math.max(display.threshold, line[others - display.top_k]);
      }
    }
  }

  const bins = new Uint32Array(BINS + 1);
  let [total, mass] = [0, 0];
  /** @param {(map: number, token: number, other: number, weight: number, strength: number) => void} visit */
  const each = (visit) => {
    for (let map = 0; map < nMaps; map++) {
      for (let token = pinned ?? 0; token < (pinned === null ? tokens : pinned + 1); token++) {
        const least = floor[map * tokens + token];
        for (let other = 0; other < others; other++) {
          const weight = maps[at(map, token, other)];
          visit(map, token, other, weight, weight > 0 && weight >= least ? scales[map].at(weight) : 0);
        }
      }
    }
  };
  each((_map, _token, _other, weight, strength) => {
    if (weight > 0) total++;
    mass += weight;
    if (strength > 0) bins[Math.floor(strength * BINS)]++;
  });
  let [cut, kept] = [BINS, 0];
  while (cut >= 0 && kept + bins[cut] <= MAX_EDGES) kept += bins[cut--];
  // The bin that would exceed MAX_EDGES goes, and all below it.
  const least = cut < 0 && total <= FEW ? Number.MIN_VALUE : Math.max(MIN_STRENGTH, (cut + 1) / BINS);

  /** @type {Edge[]} */
  const edges = [];
  let drawn = 0;
  each((map, token, other, weight, strength) => {
    if (strength < least) return;
    drawn += weight;
    edges.push({ map, query: from ? token : other, key: from ? other : token, strength });
  });
  edges.sort((a, b) => a.strength - b.strength); // the strongest lie on top
  return { edges, total, left: mass > 0 ? Math.max(0, (mass - drawn) / mass) : 0 };
}

/** What is not drawn, in words; "" when every line is. @param {ReturnType<typeof chooseEdges>} chosen */
function edgesNote({ edges, total, left }) {
  if (edges.length >= total) return "";
  return `${whole(edges.length)} of ${whole(total)} lines drawn; the others carry ${number(100 * left)} % of the weight`;
}
