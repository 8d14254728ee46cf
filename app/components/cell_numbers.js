// @ts-check
/// <reference path="draw.js" />
/** Numbers in the cells of a map: none is left out, since a blank cell reads as zero. */

const SMALLEST_NUMBERED = 20; // px of a cell; in narrower ones nobody can read
const NUMBER_SIZES = [12, 11, 10, 9];
const NUMBER_DIGITS = [3, 2];

/**
 * All alike, as large as the widest allows, then with a digit less; what still does not fit is "…".
 * Null where the cells are too small for any.
 * @param {ArrayLike<number>} values @param {number} wide @param {number} high @param {Theme} theme
 * @returns {{size: number, of: (value: number) => string} | null}
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
      if (texts.every((text) => textWidth(text, font) <= room)) return cellNumbers(size, digits, room, theme);
    }
  }
  return cellNumbers(sizes[sizes.length - 1], NUMBER_DIGITS[NUMBER_DIGITS.length - 1], room, theme);
}

/** @param {number} size @param {number} digits @param {number} room @param {Theme} theme */
function cellNumbers(size, digits, room, theme) {
  const font = fontOf(theme, { size });
  /** @param {number} value */
  const of = (value) => {
    const forms = [number(value, digits), number(value, 1).replace(" · ", "·")]; // 3·10⁻⁵
    return forms.find((text) => textWidth(text, font) <= room) ?? "…";
  };
  return { size, of };
}
