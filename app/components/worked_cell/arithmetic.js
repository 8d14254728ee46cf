// @ts-check
/// <reference path="../draw.js" />
/** The sums in words: the same lines stand in the figure and in the copied text. */

const TERMS = 4; // products that are written out; the others are summed

/** In brackets if negative. @param {number} value */
const operand = (value) => (value < 0 ? `(${number(value)})` : number(value));

/** The largest products first, and what the others add. @param {Frame} frame */
function dotLine({ header, arrays }) {
  const { products } = arrays;
  const order = Array.from(products.keys()).sort((a, b) => Math.abs(products[b]) - Math.abs(products[a]));
  const written = order.slice(0, TERMS);
  const rest = order.slice(TERMS).reduce((sum, i) => sum + products[i], 0);
  const terms = written.map((i) => operand(products[i])).join(" + ");
  const others = order.length > TERMS ? ` + ${operand(rest)} from the other ${order.length - TERMS} dimensions` : "";
  return `q·k = ${terms}${others} = ${number(header.dot)}`;
}

/** @param {Frame} frame */
function scoreLine({ header, arrays }) {
  const size = arrays.query.length;
  const usual = Math.abs(header.scale * Math.sqrt(size) - 1) < 1e-5;
  const scaling = usual ? `${number(header.dot)} ÷ √${size}` : `${number(header.dot)} × ${number(header.scale)}`;
  const mask =
    header.bias === null
      ? " − ∞ (masked)"
      : header.bias === 0
        ? " + 0 (nothing masked)"
        : ` + ${operand(header.bias)} (bias)`;
  return `score = ${scaling}${mask} = ${header.score === null ? "−∞" : number(header.score)}`;
}

/** @param {Frame} frame */
function softmaxLine({ header, arrays }) {
  const largest = arrays.row_scores.reduce(
    (/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b),
    -Infinity,
  );
  const own = arrays.row_exponentials[header.key_index];
  const score = header.score === null ? "−∞" : number(header.score);
  return `weight = exp(${score} − ${operand(largest)}) ÷ ${number(header.normaliser)} = ${number(own)} ÷ ${number(header.normaliser)} = ${number(header.weight)}`;
}

/** @param {Frame} frame */
function valueLine({ header }) {
  return `head's output = Σ weight × value over all ${header.row_tokens.length} keys: what this head writes for “${visible(header.query_token)}”`;
}

/** Everything, with full rows, as plain text. @param {Frame} frame */
function plainText(frame) {
  const { header, arrays } = frame;
  const row = (/** @type {Float32Array} */ values) => Array.from(values, number).join("  ");
  const keys = header.row_tokens.map(
    (/** @type {string} */ token, /** @type {number} */ i) =>
      `  ${visible(token)}: score ${number(arrays.row_scores[i])}, exp ${number(arrays.row_exponentials[i])}, weight ${number(arrays.row_weights[i])}`,
  );
  return [
    `${visible(header.query_token)} → ${visible(header.key_token)}`,
    header.caption,
    `query   ${row(arrays.query)}`,
    `key     ${row(arrays.key)}`,
    `q × k   ${row(arrays.products)}`,
    dotLine(frame),
    scoreLine(frame),
    "the row:",
    ...keys,
    softmaxLine(frame),
    `value   ${row(arrays.value)}`,
    `weight × value  ${row(arrays.contribution)}`,
    `output  ${row(arrays.output)}`,
  ]
    .filter(Boolean)
    .join("\n");
}
