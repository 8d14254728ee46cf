// @ts-check
/** Numbers as words: the same strings as app/style/number_format.py, digit for digit. */

/** Thousands apart. @param {string} digits */
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** Significant digits, three if nothing is said: 0.0437, 12.3, 12,300, 4.30 · 10¹². Python's `significant`. @param {number} value */
function number(value, digits = 3) {
  if (value === 0) return "0";
  if (Number.isNaN(value)) return "undefined";
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (size === Infinity) return `${sign}∞`;
  const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power < -4 || power > 5) return `${sign}${mantissa} · 10${raised(power)}`;
  const [whole, part] = Number(`${mantissa}e${power}`)
    .toFixed(Math.max(0, digits - 1 - power))
    .split(".");
  return sign + grouped(whole) + (part ? `.${part}` : "");
}

/** The number that `number` prints. @param {number} value @param {number} digits */
const asPrinted = (value, digits) => (Number.isFinite(value) ? Number(value.toExponential(digits - 1)) : value);

/** Whole numbers to the last digit, up to ten million; others with three digits. Python's `count`. @param {number} value */
function whole(value) {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e7) return number(value);
  return (value < 0 ? "−" : "") + grouped(String(Math.abs(value)));
}

/** @param {number} power */
const raised = (power) => [...String(power)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "⁻").join("");
