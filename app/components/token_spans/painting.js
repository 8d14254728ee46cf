// @ts-check
/// <reference path="../draw.js" />
/// <reference path="layout.js" />
/** The lanes on a surface: glyphs, boxes, and where tokenizers do not agree. */

const TINTS = [15, 2, 11, 14]; // of the heads' palette: words take turns

/** The number of the word that each byte lies in. @param {Frame} frame @param {number} size */
function wordsOf(frame, size) {
  const words = new Int32Array(size + 1);
  let word = 0;
  frame.header.glyphs.forEach((/** @type {any} */ glyph, /** @type {number} */ g) => {
    if (!glyph.visible) word++;
    words.fill(word, frame.arrays.glyph_bytes[g], frame.arrays.glyph_bytes[g + 1] ?? size);
  });
  words[size] = word;
  return words;
}

/** Where a token is on a line: [x, width], or null. @param {any} plan @param {any} token @param {any} line */
function spanBox(plan, token, line) {
  if (token.first === token.last) {
    const here =
      token.first >= line.first && (token.first < line.last || (token.first === line.last && line.last === plan.size));
    return here ? [line.left(token.first) - plan.gaps[token.first] + token.offset, token.need - GAP] : null;
  }
  if (token.first >= line.last || token.last <= line.first) return null;
  const x = line.left(Math.max(token.first, line.first));
  return [x, Math.max(3, line.right(Math.min(token.last, line.last)) - x - GAP)];
}

/** A lane's tokens on a line, with their places. @param {any} plan @param {any} lane @param {any} line */
const boxesOn = (plan, lane, line) =>
  lane.tokens.flatMap((/** @type {any} */ token) => {
    const found = spanBox(plan, token, line);
    return found ? [{ token, x: found[0], w: found[1] }] : [];
  });

/** The word of a token: of its last byte; a mark without bytes goes with what it touches. @param {Int32Array} words @param {any} token */
function wordOf(words, token) {
  if (token.last > token.first) return words[Math.max(Math.floor(token.first), Math.ceil(token.last) - 1)];
  const ends = token.first > 0 && words[token.first - 1] !== words[token.first];
  return words[ends ? token.first - 1 : token.first];
}

/** @param {Surface} surface @param {Frame} frame @param {any} plan */
function drawSpans(surface, frame, plan) {
  const { theme } = surface;
  const words = wordsOf(frame, plan.size);
  const edges = new Set(frame.arrays.glyph_bytes);
  const paper = toOklab(theme.paper);
  const tints = TINTS.map((head) => {
    const hue = toOklab(theme.heads[head]);
    return css(fromOklab(paper.map((value, i) => value + (theme.dark ? 0.38 : 0.2) * (hue[i] - value))));
  });
  plan.lines.forEach((/** @type {any} */ line, /** @type {number} */ number) => {
    drawGlyphs(surface, frame, plan, line);
    for (const lane of plan.lanes) {
      const y = line.lanes[lane.number];
      drawName(surface, plan, lane, y, number === 0);
      const unknown = new Set(lane.unknown);
      for (const { token, x, w } of line.boxes[lane.number]) {
        const place = { x: plan.gutter + x, y, wide: w };
        const lost = unknown.has(token.i);
        drawToken(surface, frame, plan, token, place, { lost, tint: tints[wordOf(words, token) % tints.length] });
        const partial =
          token.last > token.first &&
          [token.first, token.last].some((at) => at > 0 && at < plan.size && !edges.has(at));
        if (partial) surface.rect(place.x, y + plan.high - 2.5, place.wide, 2.5, { fill: css(theme.ink) });
      }
      drawCuts(surface, frame, plan, line, lane);
    }
  });
}

/** @param {Surface} surface @param {Frame} frame @param {any} plan @param {any} line */
function drawGlyphs(surface, frame, plan, line) {
  const { header, arrays } = frame;
  const { theme } = surface;
  const { unit } = theme;
  const quiet = css(theme.quiet);
  for (let g = line.glyphs[0]; g < line.glyphs[1]; g++) {
    const [from, to] = [arrays.glyph_bytes[g], arrays.glyph_bytes[g + 1] ?? plan.size];
    const [x, end] = [plan.gutter + line.left(from), plan.gutter + line.right(to)];
    const glyph = header.glyphs[g];
    surface.text((x + end) / 2, line.top + 12 * unit, glyph.visible ? glyph.shown : visible(glyph.text), {
      size: 17,
      align: "center",
      fill: glyph.visible ? undefined : quiet,
    });
    if (!header.show_bytes) continue;
    for (let byte = from; byte < to; byte++) {
      const hex = arrays.data[byte].toString(16).padStart(2, "0");
      surface.text(plan.gutter + (line.left(byte) + line.right(byte + 1)) / 2, line.top + 32 * unit, hex, {
        size: 11.5,
        align: "center",
        code: true,
        fill: quiet,
      });
    }
    if (to - from > 1)
      surface.line(x + 2, line.top + 24 * unit, end - 2, line.top + 24 * unit, { stroke: css(theme.rule) });
  }
}

/** @param {Surface} surface @param {any} plan @param {any} lane @param {number} y @param {boolean} first */
function drawName(surface, plan, lane, y, first) {
  const { theme } = surface;
  const { unit } = theme;
  const note = { size: 12, fill: css(theme.quiet) };
  if (plan.narrow) {
    if (first)
      surface.text(0, y - 8 * unit, fitted(`${lane.name} · ${lane.note}`, plan.width, fontOf(theme, note)), note);
    return;
  }
  const style = { size: 13, weight: 600 };
  const room = plan.gutter - (first ? textWidth(lane.note, fontOf(theme, note)) : 0) - 18 * unit;
  surface.text(0, y + plan.high / 2, fitted(lane.name, room, fontOf(theme, style)), style);
  if (first) surface.text(plan.gutter - 8 * unit, y + plan.high / 2, lane.note, { ...note, align: "right" });
}

/** @param {Surface} surface @param {Frame} frame @param {any} plan @param {any} token @param {{x: number, y: number, wide: number}} place @param {{lost: boolean, tint: string}} look */
function drawToken(surface, frame, plan, token, { x, y, wide }, { lost, tint }) {
  const { theme } = surface;
  const { unit } = theme;
  surface.rect(x, y, wide, plan.high, { fill: lost ? css(theme.ink) : tint, radius: 3 });
  const style = { size: 13, code: true };
  const id = { size: 11.5 };
  const fill = css(lost ? theme.paper : theme.ink);
  const middle = frame.header.show_ids ? y + 13 * unit : y + plan.high / 2;
  surface.text(x + wide / 2, middle, fitted(token.label, wide + 2, fontOf(theme, style)), {
    ...style,
    align: "center",
    fill,
  });
  if (!frame.header.show_ids) return;
  surface.text(x + wide / 2, y + 28 * unit, fitted(token.id, wide + 2, fontOf(theme, id)), {
    ...id,
    align: "center",
    fill: lost ? fill : css(theme.quiet),
  });
}

/** A thick line where this tokenizer cuts and others do not; dots where others do. @param {Surface} surface @param {Frame} frame @param {any} plan @param {any} line @param {any} lane */
function drawCuts(surface, frame, plan, line, lane) {
  const { theme } = surface;
  const y = line.lanes[lane.number];
  for (const cut of frame.header.cuts) {
    if (cut.byte <= line.first || cut.byte >= line.last) continue;
    const x = plan.gutter + line.right(cut.byte) - GAP / 2;
    if (cut.by[lane.number])
      surface.rect(x - theme.line, y - 2, 2 * theme.line, plan.high + 4, { fill: css(theme.ink) });
    else for (const at of [y + 1, y + plan.high - 4]) surface.rect(x - 1, at, 2, 3, { fill: css(theme.quiet) });
  }
}
