// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../worked.js" />
/** The sums in words, every step from printed numbers: the same lines stand in the figure and in the copied text. */

const TERMS = 4; // products that are written out; the others are summed

/** Everything that is printed, by name: "score", "product 3", "exp 0". @param {Frame} frame */
function workOut({ header, arrays }) {
  const { query, key, products, row_scores: scores, row_exponentials: exponentials, row_weights: weights } = arrays;
  const order = Array.from(products.keys()).sort((a, b) => Math.abs(products[b]) - Math.abs(products[a]));
  const [written, others] = [order.slice(0, TERMS), order.slice(TERMS)];
  const size = products.length;
  const root = Math.abs(header.scale * Math.sqrt(size) - 1) < 1e-5;
  const own = header.key_index;
  /** @type {Record<string, number>} */
  const values = {
    dot: header.dot,
    scale: header.scale,
    bias: header.bias ?? -Infinity,
    sum: header.normaliser,
    rest: others.reduce((sum, i) => sum + products[i], 0),
  };
  const put = (/** @type {string} */ name, /** @type {ArrayLike<number>} */ numbers) =>
    Array.from(numbers, (value, i) => {
      values[`${name} ${i}`] = value;
    });
  put("query", query);
  put("key", key);
  put("product", products);
  put("score", scores);
  put("exp", exponentials);
  put("weight", weights);
  values[`score ${own}`] = header.score ?? -Infinity;
  values[`weight ${own}`] = header.weight;
  const largest = Array.from(scores.keys()).reduce((a, b) => (values[`score ${b}`] > values[`score ${a}`] ? b : a));
  const max = `score ${largest}`;
  const named = (/** @type {string} */ name, /** @type {number[]} */ places) => places.map((i) => `${name} ${i}`);
  /** @type {Derivation[]} */
  const steps = order.map((i) => ({
    result: `product ${i}`,
    operands: [`query ${i}`, `key ${i}`],
    compute: (q, k) => q * k,
  }));
  if (others.length) steps.push({ result: "rest", operands: named("product", others), compute: summed });
  steps.push(
    {
      result: "dot",
      operands: others.length ? [...named("product", written), "rest"] : named("product", written),
      compute: summed,
    },
    {
      result: `score ${own}`,
      operands: root ? ["dot", "bias"] : ["dot", "scale", "bias"],
      compute: root ? (dot, bias) => dot / Math.sqrt(size) + bias : (dot, scale, bias) => dot * scale + bias,
    },
  );
  for (const i of exponentials.keys())
    steps.push({
      result: `exp ${i}`,
      operands: i === largest ? [max] : [`score ${i}`, max],
      compute: i === largest ? () => 1 : (score, most) => Math.exp(score - most),
    });
  steps.push({ result: "sum", operands: named("exp", [...exponentials.keys()]), compute: summed });
  for (const i of exponentials.keys())
    steps.push({ result: `weight ${i}`, operands: [`exp ${i}`, "sum"], compute: (one, sum) => one / sum });
  const texts = follow(values, steps);
  texts.max = texts[max];
  return { texts, written, others: others.length, root, size, own };
}
/** @typedef {ReturnType<typeof workOut>} Worked */

/** The largest products first, and what the others add. @param {Worked} worked */
function dotLine({ texts, written, others }) {
  const terms = written.map((i) => bracketed(texts[`product ${i}`])).join(" + ");
  const more = others ? ` + ${bracketed(texts.rest)} from the other ${others} dimensions` : "";
  return `q·k = ${terms}${more} = ${texts.dot}`;
}

/** @param {Worked} worked @param {any} header */
function scoreLine({ texts, root, size, own }, header) {
  const scaling = root ? `${texts.dot} ÷ √${size}` : `${texts.dot} × ${texts.scale}`;
  const mask =
    header.bias === null
      ? " − ∞ (masked)"
      : header.bias === 0
        ? " + 0 (nothing masked)"
        : ` + ${bracketed(texts.bias)} (bias)`;
  return `score = ${scaling}${mask} = ${texts[`score ${own}`]}`;
}

/** @param {Worked} worked */
function softmaxLine({ texts, own }) {
  const exponential = `exp(${texts[`score ${own}`]} − ${bracketed(texts.max)})`;
  return `weight = ${exponential} ÷ ${texts.sum} = ${texts[`exp ${own}`]} ÷ ${texts.sum} = ${texts[`weight ${own}`]}`;
}

/** @param {Frame} frame */
function valueLine({ header }) {
  return `head's output = Σ weight × value over all ${header.row_tokens.length} keys: what this head writes for “${visible(header.query_token)}”`;
}

/** What one dimension of the value becomes. @param {Frame} frame @param {number} index */
function contribution({ header, arrays }, index) {
  const { operands, result } = workedStep(
    [header.weight, arrays.value[index]],
    arrays.contribution[index],
    (weight, value) => weight * value,
  );
  return `${operands[0]} × ${bracketed(operands[1])} = ${result}`;
}

/** Everything, with full rows, as plain text. @param {Frame} frame @param {Worked} worked */
function plainText(frame, worked) {
  const { header, arrays } = frame;
  const { texts } = worked;
  const row = (/** @type {string} */ name, /** @type {Float32Array} */ { length }) =>
    Array.from({ length }, (_, i) => texts[`${name} ${i}`]).join("  ");
  const keys = header.row_tokens.map(
    (/** @type {string} */ token, /** @type {number} */ i) =>
      `  ${visible(token)}: score ${texts[`score ${i}`]}, exp(score − max) ${texts[`exp ${i}`]}, weight ${texts[`weight ${i}`]}`,
  );
  return [
    `${visible(header.query_token)} → ${visible(header.key_token)}`,
    header.caption,
    `query   ${row("query", arrays.query)}`,
    `key     ${row("key", arrays.key)}`,
    `q × k   ${row("product", arrays.products)}`,
    dotLine(worked),
    scoreLine(worked, header),
    `the row: max ${texts.max}, sum of exp(score − max) ${texts.sum}`,
    ...keys,
    softmaxLine(worked),
    "weight × value, dimension by dimension:",
    ...Array.from(arrays.value.keys(), (i) => `  ${contribution(frame, i)}`),
    `output  ${Array.from(arrays.output, (value) => number(value)).join("  ")}`,
  ]
    .filter(Boolean)
    .join("\n");
}
