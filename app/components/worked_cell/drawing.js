// @ts-check
/// <reference path="../draw.js" />
/// <reference path="arithmetic.js" />
/** Strips, lines of arithmetic and a row of bars: where they stand and how they are drawn. */

const NARROW_CELL = 560; // px: labels move above their strips
const STRIP_HEIGHT = 20; // px high
const BARS_HEIGHT = 92;
const BARS_LABEL = "exp(score − max)";

/** Top to bottom: strips, lines of arithmetic, the row of bars. @param {any} frame @param {Worked} worked @param {number} width @param {Theme} theme */
function arrangeCell(frame, worked, width, theme) {
  const { unit } = theme;
  const { header, arrays } = frame;
  const narrow = width < NARROW_CELL;
  const bold = fontOf(theme, { size: 13, weight: 600 });
  const left = narrow ? 0 : Math.max(132 * unit, textWidth(BARS_LABEL, bold) + 14 * unit);
  // a strip's scale, the row's sum
  const right = Math.max(46 * unit, textWidth(worked.texts.sum, fontOf(theme, { size: 11.5 })) + 8 * unit);
  const largest = (/** @type {string[]} */ ...names) =>
    Math.max(
      1e-30,
      ...names.map((name) =>
        arrays[name].reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, Math.abs(b)), 0),
      ),
    );
  const values = largest("value", "contribution", "output");
  const [query, key] = [visible(header.query_token), visible(header.key_token)];
  /** @type {any[]} */
  const parts = [];
  let y = 4 * unit;
  const strip = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {string} */ hue,
    /** @type {number} */ scale,
    /** @type {string} */ words,
  ) => {
    if (narrow) y += 16 * unit;
    parts.push({
      type: "strip",
      name,
      label,
      hue,
      scale,
      words,
      x: left,
      y,
      w: width - left - right,
      h: STRIP_HEIGHT * unit,
    });
    y += (STRIP_HEIGHT + 7) * unit;
  };
  const sentence = (/** @type {string} */ words, /** @type {boolean} */ strong) => {
    const style = { size: 14, weight: strong ? 600 : 400 };
    const lines = wrapped(words, width - left, fontOf(theme, style));
    parts.push({ type: "text", lines, style, x: left, y });
    y += (lines.length * 20 + 8) * unit;
  };
  strip("query", `query  ${query}`, "query", largest("query"), "q");
  strip("key", `key  ${key}`, "key", largest("key"), "k");
  strip("products", "q × k, each", "", largest("products"), "q × k");
  y += 4 * unit;
  sentence(dotLine(worked), false);
  sentence(scoreLine(worked, header), false);
  if (narrow) y += 16 * unit;
  const bars = width - left - right;
  const step = Math.min(bars / header.row_tokens.length, 54 * unit);
  const { labels, above } = barLabels(header.row_tokens.length, worked, step, theme);
  const high = (BARS_HEIGHT - 14) * unit + above;
  parts.push({ type: "bars", label: BARS_LABEL, x: left, y, w: bars, h: high, step, labels, above });
  y += high + 70 * unit;
  sentence(softmaxLine(worked), true);
  strip("value", `value  ${key}`, "value", values, "v");
  strip("contribution", "weight × value", "value", values, "weight × v");
  strip("output", "head's output", "", values, "Σ weights × v");
  y += 4 * unit;
  sentence(valueLine(frame), false);
  return { parts, width, height: y + 18 * unit, narrow };
}

/** The numbers above the bars: level, turned where they are wider than a bar, none where not even that fits. @param {number} count @param {Worked} worked @param {number} step @param {Theme} theme */
function barLabels(count, { texts }, step, theme) {
  const { unit } = theme;
  const size = 11.5;
  const widest = (/** @type {number} */ at) =>
    Math.max(...Array.from({ length: count }, (_, i) => textWidth(texts[`exp ${i}`], fontOf(theme, { size: at }))));
  if (widest(size) + 4 <= step) return { labels: { size, upright: true }, above: 14 * unit };
  if (step < 11 * unit) return { labels: null, above: 2 * unit };
  return { labels: { size, upright: false }, above: widest(size) + 6 * unit };
}

/** Beside its strip, or above it where the figure is narrow. @param {Surface} surface @param {any} part */
function partLabel(surface, part) {
  const { theme } = surface;
  const { unit } = theme;
  const hue = part.hue ? theme.hues[part.hue] : theme.ink;
  const style = { size: 13, weight: 600, fill: css(hue) };
  if (part.x === 0) surface.text(part.x, part.y - 9 * unit, part.label, style);
  else surface.text(0, part.y + part.h / 2, fitted(part.label, part.x - 10 * unit, fontOf(theme, style)), style);
}

/** @param {Surface} surface @param {any} part @param {Float32Array} values @param {Uint32Array} lut */
function drawStrip(surface, part, values, lut) {
  const { theme } = surface;
  const codes = Uint8Array.from(values, (v) => Math.round(127.5 + 127.5 * (v / part.scale)));
  partLabel(surface, part);
  surface.cells(part.x, part.y, part.w, part.h, { codes, rows: 1, columns: values.length, lut });
  surface.rect(part.x - 0.5, part.y - 0.5, part.w + 1, part.h + 1, { stroke: css(theme.rule) });
  surface.text(part.x + part.w + 6 * theme.unit, part.y + part.h / 2, `±${number(part.scale)}`, {
    size: 11.5,
    fill: css(theme.quiet),
  });
}

/** The softmax row, before it is divided by its sum. @param {Surface} surface @param {any} part @param {Frame} frame @param {Worked} worked */
function drawBars(surface, part, { header, arrays }, { texts }) {
  const { theme } = surface;
  const { unit } = theme;
  const count = header.row_tokens.length;
  const { step } = part;
  const bottom = part.y + part.h;
  const fill = css(fromLookup(hueRamp(theme, theme.hues[header.kind]), theme.dark ? 190 : 160));
  partLabel(surface, part);
  surface.line(part.x, bottom, part.x + part.w, bottom, { stroke: css(theme.rule) });
  const every = Math.ceil((13 * unit) / step);
  for (let i = 0; i < count; i++) {
    const high = (part.h - part.above) * arrays.row_exponentials[i];
    const own = i === header.key_index;
    surface.rect(part.x + i * step + step * 0.1, bottom - high, Math.max(0.6, step * 0.8), high, { fill });
    if (own)
      surface.rect(part.x + i * step, bottom - high - 1, Math.max(2, step), high + 2, {
        stroke: css(theme.accent),
        width: 2 * theme.line,
      });
    if (part.labels) {
      const style = { size: part.labels.size, fill: css(own ? theme.ink : theme.quiet) };
      const [x, y] = [part.x + (i + 0.5) * step, bottom - high - (part.labels.upright ? 8 : 3) * unit];
      const text = texts[`exp ${i}`];
      if (part.labels.upright) surface.text(x, y, text, { ...style, align: "center" });
      else surface.text(x, y, text, { ...style, angle: -90 });
    }
    const clear = own || Math.abs(i - header.key_index) >= every;
    if (clear && (own || i % every === 0)) {
      const style = { size: 12, angle: 55, weight: own ? 600 : 400 };
      surface.text(
        part.x + (i + 0.5) * step - 3 * unit,
        bottom + 9 * unit,
        fitted(visible(header.row_tokens[i]), 68 * unit, fontOf(theme, style)),
        style,
      );
    }
  }
  surface.text(part.x + part.w + 6 * unit, bottom - 8 * unit, texts.sum, {
    size: 11.5,
    fill: css(theme.quiet),
  });
  surface.text(part.x + part.w + 6 * unit, bottom - 22 * unit, "sum", { size: 11.5, fill: css(theme.quiet) });
}
