// @ts-check
/** Numbers as words: the same strings as app/style/number_format.py, digit for digit. */

/** Thousands apart. @param {string} digits */
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** Three significant digits: 0.0437, 12.3, 12,300, 4.30 · 10¹². Python's `three`. @param {number} value */
function number(value) {
  if (value === 0) return "0";
  if (Number.isNaN(value)) return "undefined";
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (size === Infinity) return `${sign}∞`;
  const [mantissa, exponent] = size.toExponential(2).split("e");
  const power = Number(exponent);
  if (power < -4 || power > 5) return `${sign}${mantissa} · 10${raised(power)}`;
  const fixed = Number(`${mantissa}e${power}`).toFixed(Math.max(0, 2 - power));
  return sign + (power < 3 ? fixed : grouped(fixed));
}

/** Whole numbers to the last digit, up to ten million; others with three digits. Python's `count`. @param {number} value */
function whole(value) {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e7) return number(value);
  return (value < 0 ? "−" : "") + grouped(String(Math.abs(value)));
}

/** @param {number} power */
const raised = (power) => [...String(power)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "⁻").join("");
