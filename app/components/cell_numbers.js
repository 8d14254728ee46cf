// @ts-check
/// <reference path="draw.js" />
/** Numbers in the cells of a map: none is left out, since a blank cell reads as zero. */

const SMALLEST_NUMBERED = 20; // px of a cell; in narrower ones nobody can read
const NUMBER_SIZES = [12, 11.5]; // on a projector, 1.4 times as large: 16 px
const NUMBER_DIGITS = [3, 2];
const APART = 6; // px between two rounded numbers, so that they don't read as one
const MOST_LEFT_OUT = 0.25; // of the cells: with more of them as "…" colours alone say more

/** @typedef {{size: number, coarse: boolean, of: (value: number) => string}} CellNumbers */

/**
 * All alike, as large as the widest allows, then with a digit less; where that does not fit either,
 * each with the decimals that it has room for and no zero before the point. What still does not fit
 * is "…". Null where the cells are too small for most.
 * @param {ArrayLike<number>} values @param {number} wide @param {number} high @param {Theme} theme
 * @returns {CellNumbers | null}
 */
function numbersFor(values, wide, high, theme) {
  const room = wide - 3;
  const sizes = NUMBER_SIZES.filter((size) => high >= 1.15 * size * theme.unit);
  if (wide < SMALLEST_NUMBERED * theme.unit || !sizes.length) return null;
  const longest = (/** @type {number} */ digits) =>
    Array.from(values, (value) => number(value, digits)).filter((text) => /^[−\d.,]+$/.test(text));
  for (const digits of NUMBER_DIGITS) {
    const texts = longest(digits);
    for (const size of sizes) {
      const font = fontOf(theme, { size });
      const forms = (/** @type {number} */ value) => [number(value, digits), number(value, 1).replace(" · ", "·")];
      if (texts.every((text) => textWidth(text, font) <= room))
        return cellNumbers(size, (value) => [...forms(value), ...shortForms(value)], room, theme);
    }
  }
  const coarse = roundedNumbers(sizes[sizes.length - 1], wide, theme);
  const leftOut = Array.from(values, coarse.of).filter((text) => text === "…").length;
  return leftOut > MOST_LEFT_OUT * values.length ? null : coarse;
}

/** Words instead, all of one size; null without any, and where one of them does not fit. @param {string[]} texts @param {number} wide @param {number} high @param {Theme} theme */
function wordsFor(texts, wide, high, theme) {
  const size = NUMBER_SIZES.find((one) => {
    const font = fontOf(theme, { size: one });
    return high >= 1.15 * one * theme.unit && texts.every((text) => textWidth(text, font) <= wide - 3);
  });
  return size && texts.length ? { size, of: (/** @type {number} */ i) => texts[i] } : null;
}

/** ".34", ".3"; "−1.25", "−1.3", "−1", "-1": rounded, the longest first; "0" is an exact zero. @param {number} value */
function shortForms(value) {
  if (value === 0 || !Number.isFinite(value)) return [number(value)];
  const size = Math.abs(value);
  const forms = (size < 1 ? [2, 1] : [2, 1, 0]).map((places) => {
    const text = size.toFixed(places).replace(/^0\./, ".");
    return (value < 0 && Number(text) ? "−" : "") + text;
  });
  return [...forms, forms[forms.length - 1].replace("−", "-")]; // the narrow sign before none at all
}

/** The longest short form that stands apart from its neighbours, else the shortest, if it fits. @param {number} size @param {number} wide @param {Theme} theme @returns {CellNumbers} */
function roundedNumbers(size, wide, theme) {
  const font = fontOf(theme, { size });
  const of = (/** @type {number} */ value) => {
    const forms = shortForms(value);
    const shortest = forms[forms.length - 1];
    const apart = forms.find((text) => textWidth(text, font) <= wide - APART);
    return apart ?? (textWidth(shortest, font) < wide ? shortest : "…");
  };
  return { size, coarse: true, of };
}

/**
 * @param {number} size @param {(value: number) => string[]} forms the first that fits is taken
 * @param {number} room @param {Theme} theme @returns {CellNumbers}
 */
function cellNumbers(size, forms, room, theme) {
  const font = fontOf(theme, { size });
  return { size, coarse: false, of: (value) => forms(value).find((text) => textWidth(text, font) <= room) ?? "…" };
}
