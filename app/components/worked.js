// @ts-check
/// <reference path="numbers.js" />
/**
 * Printed arithmetic that adds up: as many digits as make every step follow from its operands.
 * app/style/worked.py says the same in Python, digit for digit, and says why.
 */

const LEAST_DIGITS = 3;
const MOST_DIGITS = 9; // float32 have no more
const CLOSE = 1e-11; // relative: results so near to a tie round either way on a calculator
const WHOLE = 999_999; // up to here numbers are written out
const MOST_PASSES = 400;

/** @typedef {{result: string, operands: string[], compute: (...values: number[]) => number}} Derivation result = compute(operands) */

/**
 * Every quantity as it is printed, the same wherever it stands. Steps come in the order in which
 * they are read.
 * @param {Record<string, number>} given @param {Derivation[]} steps @returns {Record<string, string>}
 */
function follow(given, steps) {
  const values = { ...given };
  /** @type {Record<string, number>} */
  const digits = Object.fromEntries(Object.keys(values).map((name) => [name, leastDigits(values[name])]));
  const backwards = [...steps].reverse();
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let changed = false;
    for (const step of backwards) changed = mendStep(values, digits, step) || changed;
    if (!changed) break;
  }
  return Object.fromEntries(Object.keys(values).map((name) => [name, number(values[name], digits[name])]));
}

/** 1,024, not 1,020: nobody can see which zeros are rounded. @param {number} value */
const leastDigits = (value) =>
  Math.abs(value) < WHOLE ? Math.max(LEAST_DIGITS, Math.abs(value).toFixed(0).length) : LEAST_DIGITS;

/** Whether digits had to be added for a step. @param {Record<string, number>} values @param {Record<string, number>} digits @param {Derivation} step */
function mendStep(values, digits, step) {
  const { result, operands, compute } = step;
  const shown = operands.map((name) => asPrinted(values[name], digits[name]));
  if (stepGives(values, digits, result, compute(...shown))) return false;
  const real = operands.map((name) => values[name]);
  const exact = compute(...real);
  if (!stepGives(values, digits, result, exact)) {
    fitResult(values, digits, result, exact);
    return true;
  }
  const effects = operands.map((name, i) => {
    if (digits[name] >= MOST_DIGITS) return 0;
    const own = real[i];
    real[i] = shown[i];
    const effect = Math.abs(compute(...real) - exact);
    real[i] = own;
    return Number.isNaN(effect) ? 0 : effect;
  });
  const largest = effects.reduce((a, b) => Math.max(a, b), 0);
  operands.forEach((name, i) => {
    if (effects[i] > 0 && effects[i] >= largest / 2) digits[name]++;
  });
  return largest > 0;
}

/** Whether a value rounds to the printed result, however a calculator rounds. @param {Record<string, number>} values @param {Record<string, number>} digits @param {string} result @param {number} value */
function stepGives(values, digits, result, value) {
  const printed = number(values[result], digits[result]);
  return [1 - CLOSE, 1, 1 + CLOSE].every((share) => number(value * share, digits[result]) === printed);
}

/** More digits for a result at a tie; without the rounding of float32 if that shows. @param {Record<string, number>} values @param {Record<string, number>} digits @param {string} result @param {number} exact */
function fitResult(values, digits, result, exact) {
  const had = digits[result];
  for (const value of [values[result], exact]) {
    values[result] = value;
    for (digits[result] = had; digits[result] <= MOST_DIGITS; digits[result]++)
      if (stepGives(values, digits, result, exact)) return;
  }
  digits[result] = MOST_DIGITS;
}

/** One step alone: its operands and its result as they are printed. @param {number[]} operands @param {number} result @param {Derivation["compute"]} compute */
function workedStep(operands, result, compute) {
  const names = operands.map((_, i) => String(i));
  const values = Object.fromEntries([...names.map((name, i) => [name, operands[i]]), ["result", result]]);
  const texts = follow(values, [{ result: "result", operands: names, compute }]);
  return { operands: names.map((name) => texts[name]), result: texts.result };
}

/** A printed operand, in brackets if it is negative. @param {string} text */
const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);

const summed = (/** @type {number[]} */ ...terms) => terms.reduce((a, b) => a + b, 0);
