// @ts-check
/// <reference path="../draw.js" />
/** What heads are called: a letter on each map, and which letters there are. */

/** @typedef {{legend: {name: string, letter: string, meaning: string, colour: number}[], named: number[][], notes: string[][], over: string}} Names */

/**
 * A head's letter in a corner of its cell, or a bar where no letter fits.
 *
 * @param {Surface} surface @param {Names | null} names @param {number} layer @param {number} head
 * @param {{x: number, y: number, wide: number, high: number}} cell
 */
function drawName(surface, names, layer, head, { x, y, wide, high }) {
  const { theme } = surface;
  const name = names?.legend[names.named[layer][head]];
  if (!name) return;
  // a third of the width at most: what the head looks at stays to be seen
  const [across, down] = (wide < 45 * theme.unit ? [11, 12] : [15, 15]).map((px) => px * theme.unit);
  const colour = theme.heads[name.colour];
  if (wide < 20 * theme.unit) {
    surface.rect(x, y, 4 * theme.unit, high, { fill: css(colour) });
    return;
  }
  const ink = css(inkOn(theme, colour));
  const tall = Math.min(down, high);
  surface.rect(x, y, across, tall, { fill: css(colour) });
  surface.text(x + across / 2, y + tall / 2, name.letter, { size: 11.5, align: "center", fill: ink });
}

/**
 * The names that heads have, with their counts; pointing at one is told.
 *
 * @param {HTMLElement} legend @param {Names | null} names @param {Theme} theme
 * @param {(name: number | null) => void} point
 */
function tellNames(legend, names, theme, point) {
  legend.hidden = !names;
  if (!names) return legend.replaceChildren();
  const held = names.named.flat();
  const count = (/** @type {number} */ name) => held.filter((one) => one === name).length;
  const items = names.legend.flatMap((one, index) => {
    if (!count(index)) return [];
    const item = element("span", "named");
    const letter = item.appendChild(element("span", "letter", one.letter));
    letter.style.background = css(theme.heads[one.colour]);
    letter.style.color = css(inkOn(theme, theme.heads[one.colour]));
    item.append(`${one.name} ${count(index)}`);
    item.title = one.meaning;
    item.addEventListener("pointerenter", () => point(index));
    item.addEventListener("pointerleave", () => point(null));
    return [item];
  });
  const over = names.over && element("span", "quiet", overOwn(names));
  legend.replaceChildren(...items, element("span", "quiet", `no clear role ${count(-1)}`), over);
}

/** What the letters of a saved figure mean. @param {Names | null} names */
function keyOfNames(names) {
  const held = new Set(names?.named.flat());
  const letters = (names?.legend ?? [])
    .filter((_, index) => held.has(index))
    .map((one) => `${one.letter}: ${one.name}`);
  return names?.over ? [...letters, overOwn(names)] : letters;
}

/** @param {Names} names */
function overOwn(names) {
  return `named over ${names.over}`;
}
