// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../picture_map/sheet.js" />
/** One box: how it is drawn, and what pulling it or one of its corners makes of it. */

const SMALLEST_BOX = 0.02; // of the picture's side: a box can't vanish
const BOX_CORNERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];

/**
 * A box with its handles and its name.
 * @param {Surface} surface @param {SheetPlace} place @param {any} box @param {number[]} rect left, top, width, height in px
 * @param {{lit: boolean, hovered: boolean}} state
 */
function drawBox(surface, place, box, [x, y, w, h], { lit, hovered }) {
  const { theme } = surface;
  const alpha = box.faint && !lit && !hovered ? 0.45 : 1;
  const colour = css(theme.hues[box.hue]);
  const width = 1.8 * theme.line;
  surface.rect(x, y, w, h, { stroke: css(theme.paper), width: width + 2, alpha: 0.75 * alpha });
  if (box.dashed) drawDashes(surface, x, y, w, h, colour, width, alpha);
  else surface.rect(x, y, w, h, { stroke: colour, width, alpha });
  if (lit || hovered) {
    const by = 3.5 * theme.line;
    const style = { stroke: css(lit ? theme.accent : theme.ink), width: (lit ? 2 : 1.2) * theme.line };
    surface.rect(x - by, y - by, w + 2 * by, h + 2 * by, style);
  }
  if (lit && box.movable) {
    for (const [right, down] of BOX_CORNERS)
      surface.rect(x + ((right + 1) / 2) * w - 4, y + ((down + 1) / 2) * h - 4, 8, 8, {
        fill: css(theme.paper),
        stroke: colour,
        width: 1.5,
      });
  }
  if (!box.text || (box.faint && !lit && !hovered)) return;
  const style = { size: 12, weight: 600 };
  const font = fontOf(theme, style);
  const text = fitted(box.text, place.wide, font);
  const [wide, high] = [textWidth(text, font) + 8, 16 * theme.unit];
  const left = Math.min(Math.max(0, x), place.wide - wide);
  const inside = y - high < place.top;
  const top = inside ? y : y - high;
  surface.rect(left, top, wide, high, { fill: css(theme.paper), alpha: 0.88 });
  surface.text(left + 4, top + high / 2, text, { ...style, fill: colour });
}

/** @param {Surface} surface @param {number} x @param {number} y @param {number} w @param {number} h @param {string} stroke @param {number} width @param {number} alpha */
function drawDashes(surface, x, y, w, h, stroke, width, alpha) {
  const step = 6;
  const style = { stroke, width, alpha };
  for (let at = 0; at < w; at += 2 * step) {
    const end = Math.min(at + step, w);
    surface.line(x + at, y, x + end, y, style);
    surface.line(x + at, y + h, x + end, y + h, style);
  }
  for (let at = 0; at < h; at += 2 * step) {
    const end = Math.min(at + step, h);
    surface.line(x, y + at, x, y + end, style);
    surface.line(x + w, y + at, x + w, y + end, style);
  }
}

/**
 * A box moved by so many shares of the picture, whole or by one corner.
 * @param {number[]} from centre x, centre y, width, height @param {number[] | null} corner @param {number} dx @param {number} dy
 */
function pulledBox([x, y, w, h], corner, dx, dy) {
  const hold = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
    Math.min(high, Math.max(low, value));
  const rounded = (/** @type {number[]} */ box) => box.map((value) => Math.round(1000 * hold(value, 0, 1)) / 1000);
  if (!corner) return rounded([hold(x + dx, w / 2, 1 - w / 2), hold(y + dy, h / 2, 1 - h / 2), w, h]);
  /** @param {number} centre @param {number} size @param {number} sign @param {number} by */
  const side = (centre, size, sign, by) => {
    const fixed = centre - (sign * size) / 2;
    const free = hold(centre + (sign * size) / 2 + by, 0, 1);
    const long = Math.max(SMALLEST_BOX, sign * (free - fixed));
    return [fixed + (sign * long) / 2, long];
  };
  const [[cx, cw], [cy, ch]] = [side(x, w, corner[0], dx), side(y, h, corner[1], dy)];
  return rounded([cx, cy, cw, ch]);
}
