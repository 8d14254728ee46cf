// @ts-check
/// <reference path="../draw.js" />
/// <reference path="layout.js" />
/** What heads are called: a letter on each map, and which letters there are. */

/** @typedef {{legend: {name: string, letter: string, meaning: string, colour: number}[], named: number[][], notes: string[][]}} Names */

/**
 * A head's letter in a corner of its map, or a bar where no letter fits.
 *
 * @param {Surface} surface @param {Names | null} names @param {ReturnType<typeof arrangeGrid>} place
 * @param {Theme} theme @param {number} layer @param {number} head
 */
function drawName(surface, names, place, theme, layer, head) {
  const name = names?.legend[names.named[layer][head]];
  if (!name) return;
  const [x, y, side] = [place.x(head), place.y(layer), 15 * theme.unit];
  const colour = theme.heads[name.colour];
  if (place.wide < 1.35 * side) {
    surface.rect(x, y, 4 * theme.unit, place.high, { fill: css(colour) });
    return;
  }
  const high = Math.min(side, place.high);
  surface.rect(x, y, side, high, { fill: css(colour) });
  const ink = css(inkOn(theme, colour));
  surface.text(x + side / 2, y + high / 2, name.letter, { size: 11, align: "center", fill: ink });
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
  legend.replaceChildren(...items, element("span", "quiet", `no clear role ${count(-1)}`));
}

/** What the letters of a saved figure mean. @param {Names | null} names */
const keyOfNames = (names) => (names?.legend ?? []).map((one) => `${one.letter}: ${one.name}`);
