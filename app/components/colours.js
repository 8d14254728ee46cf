// @ts-check
/// <reference path="draw.js" />
/**
 * Colours and scales: the theme as the page has it now, perceptually even ramps on the
 * page's own background, and what a weight's place on a ramp is. Prepended to draw.js.
 */

/** @typedef {[number, number, number]} Rgb 0..255 */

const MEANINGS = ["encoder", "decoder", "cross", "query", "key", "value", "negative", "positive"];
const N_HEAD_COLOURS = 16;

const linear = (/** @type {number} */ c) => {
  const share = c / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const gamma = (/** @type {number} */ c) =>
  Math.round(255 * Math.min(1, Math.max(0, c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)));

/** OKLab (Ottosson 2020): equal steps look equal. @param {Rgb} rgb */
function toOklab([r, g, b]) {
  [r, g, b] = [linear(r), linear(g), linear(b)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {number[]} lab @returns {Rgb} */
function fromOklab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const css = (/** @type {Rgb} */ rgb, alpha = 1) =>
  alpha === 1 ? `rgb(${rgb.join(",")})` : `rgba(${rgb.join(",")},${alpha})`;

/**
 * Colours, fonts and sizes as the page has them now. Streamlit's variables (`--st-…`)
 * and ours (`--gf-…`, app/style/theme.py) are inherited through the shadow root.
 * @param {HTMLElement} root
 */
function readTheme(root) {
  const probe = root.appendChild(document.createElement("span"));
  root.style.colorScheme = ""; // the page's own, which may have changed
  const read = (/** @type {string} */ value) => {
    probe.style.color = value;
    const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? ["0", "0", "0"];
    return /** @type {Rgb} */ (parts.slice(0, 3).map(Number));
  };
  const paper = read("var(--st-background-color)");
  const dark = toOklab(paper)[0] < 0.5;
  root.style.colorScheme = dark ? "dark" : "light"; // light-dark() in --gf-… follows it
  const ink = read("var(--gf-ink, var(--st-text-color))");
  const mix = (/** @type {number} */ share) => {
    const [from, to] = [toOklab(paper), toOklab(ink)];
    return fromOklab(from.map((value, i) => value + share * (to[i] - value)));
  };
  /** @type {Record<string, Rgb>} */
  const hues = Object.fromEntries(MEANINGS.map((name) => [name, read(`var(--gf-${name})`)]));
  const heads = Array.from({ length: N_HEAD_COLOURS }, (_, i) => read(`var(--gf-head-${i})`));
  const accent = read("var(--st-primary-color)");
  const styles = getComputedStyle(root);
  const line = parseFloat(styles.getPropertyValue("--gf-line")) || 1;
  const overlay = parseFloat(styles.getPropertyValue("--gf-overlay")) || null;
  const contrast = styles.getPropertyValue("--gf-contrast").trim(); // app/ui/overlay.py
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
  const fonts = { text: styles.fontFamily, code: styles.getPropertyValue("--st-code-font") || "monospace" };
  probe.remove();
  // quiet: secondary text, still 4.5:1 on the page; rule: hairlines
  return {
    paper,
    ink,
    quiet: mix(0.72),
    rule: mix(0.18),
    dark,
    hues,
    heads,
    accent,
    line,
    overlay,
    contrast,
    unit,
    fonts,
  };
}
/** @typedef {ReturnType<typeof readTheme>} Theme */

const LEGIBLE = 4.5; // WCAG 2.2, 1.4.3
const luminance = (/** @type {Rgb} */ [r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** WCAG 2.2: 1 to 21. @param {Rgb} one @param {Rgb} other */
function contrastOf(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** What is written on a colour: in the paper's or the ink's, else in black or white, the first that is legible. @param {Theme} theme @param {Rgb} colour */
function inkOn(theme, colour) {
  /** @type {Rgb[]} */
  const inks = [theme.ink, theme.paper, [0, 0, 0], [255, 255, 255]];
  return inks.find((ink) => contrastOf(ink, colour) >= LEGIBLE) ?? theme.ink;
}

/** One colour a code, as ImageData wants them: little-endian RGBA. @param {(t: number) => Rgb} colour */
function lookup(colour) {
  return Uint32Array.from({ length: 256 }, (_, code) => {
    const [r, g, b] = colour(code / 255);
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
}

/** From the page's background through `hue` to its far end; lightness falls evenly. @param {Theme} theme @param {Rgb} hue */
function hueRamp(theme, hue) {
  const [paper, target] = [toOklab(theme.paper), toOklab(hue)];
  const end = theme.dark ? 0.95 : 0.27;
  const peak = (target[0] - paper[0]) / (end - paper[0]); // where the ramp has the hue's own lightness
  return lookup((t) => {
    const chroma = t < peak ? t / peak : 1 - (theme.dark ? 0.6 : 0.35) * ((t - peak) / (1 - peak));
    const rest = Math.max(0, 1 - t / peak); // the paper's own tint fades out
    return fromOklab([
      paper[0] + t * (end - paper[0]),
      rest * paper[1] + chroma * target[1],
      rest * paper[2] + chroma * target[2],
    ]);
  });
}

/** Code 0 is −1, 127.5 is zero (the page's background), 255 is +1. @param {Theme} theme */
function divergingRamp(theme) {
  const paper = toOklab(theme.paper);
  const ends = [theme.hues.negative, theme.hues.positive].map(toOklab);
  return lookup((t) => {
    const share = Math.abs(2 * t - 1);
    const end = ends[t < 0.5 ? 0 : 1];
    return fromOklab(paper.map((value, i) => value + share * (end[i] - value)));
  });
}

const fromLookup = (/** @type {Uint32Array} */ lut, /** @type {number} */ code) =>
  /** @type {Rgb} */ ([lut[code] & 255, (lut[code] >> 8) & 255, (lut[code] >> 16) & 255]);

const LOG_FLOOR = 1e-4; // below it, a logarithmic scale shows nothing

/** @param {string} name "linear" | "sqrt" | "log" @param {number} maximum */
function makeScale(name, maximum) {
  const top = maximum > 0 ? maximum : 1;
  const clamp = (/** @type {number} */ t) => Math.min(1, Math.max(0, t));
  if (name === "log") {
    const span = Math.log(Math.max(top, 10 * LOG_FLOOR) / LOG_FLOOR);
    return {
      title: `log scale from ${number(LOG_FLOOR)}`,
      top,
      at: (/** @type {number} */ v) => (v <= LOG_FLOOR ? 0 : clamp(Math.log(v / LOG_FLOOR) / span)),
      value: (/** @type {number} */ t) => LOG_FLOOR * Math.exp(t * span),
    };
  }
  const power = name === "sqrt" ? 2 : 1;
  return {
    title: name === "sqrt" ? "√ scale" : "linear scale",
    top,
    at: (/** @type {number} */ v) => clamp((v / top) ** (1 / power)),
    value: (/** @type {number} */ t) => top * t ** power,
  };
}
