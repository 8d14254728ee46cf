// @ts-check
/// <reference path="../draw.js" />
/**
 * Where every byte of the text stands, so that each tokenizer's label has room: a byte is as
 * wide as the widest label above it asks for, and lines break where no token is cut, if they can.
 */

const GAP = 3; // px between two tokens of a lane

/**
 * @param {Frame} frame @param {Theme} theme @param {number} width @param {number} left px before the text
 */
function spanLayout(frame, theme, width, left) {
  const { header, arrays } = frame;
  const { unit } = theme;
  const textFont = fontOf(theme, { size: 17 });
  const tokenFont = fontOf(theme, { size: 13, code: true });
  const idFont = fontOf(theme, { size: 11.5 });
  const byteRoom = header.show_bytes ? 19 * unit : 0;
  const starts = arrays.glyph_bytes;
  const size = header.glyphs.length ? arrays.data.length : 0;
  const wide = new Float64Array(size); // of each byte
  header.glyphs.forEach((/** @type {any} */ glyph, /** @type {number} */ g) => {
    const [from, to] = [starts[g], starts[g + 1] ?? size];
    const natural = textWidth(glyph.visible ? glyph.shown : visible(glyph.text), textFont) + 2 * unit;
    wide.fill(Math.max(natural / (to - from), byteRoom), from, to);
  });
  const gaps = new Float64Array(size + 1); // room before a byte for tokens without bytes
  /** Labels of every token, and how wide its box must be. */
  const lanes = header.lanes.map((/** @type {any} */ lane, /** @type {number} */ number) => {
    const places = arrays[`lane${number}`];
    /** @type {Map<number, number>} */
    const marks = new Map();
    const tokens = lane.tokens.map((/** @type {string} */ token, /** @type {number} */ i) => {
      const label = visible(token);
      const id = lane.ids[i] === null ? "–" : String(lane.ids[i]);
      let need = textWidth(label, tokenFont) + 8 * unit + GAP;
      if (header.show_ids) need = Math.max(need, textWidth(id, idFont) + 8 * unit + GAP);
      const [first, last] = [places[2 * i], places[2 * i + 1]];
      if (first === last) {
        const offset = marks.get(first) ?? 0;
        marks.set(first, offset + need);
        gaps[first] = Math.max(gaps[first], offset + need);
        return { i, label, id, first, last, offset, need };
      }
      widen(wide, first, last, Math.min(need, width - left));
      return { i, label, id, first, last, offset: 0, need };
    });
    return { ...lane, number, tokens };
  });
  const lines = broken(header, starts, wide, gaps, lanes, width - left);
  return { lines, lanes, wide, gaps, size };
}

/** @param {Float64Array} wide @param {number} first @param {number} last @param {number} need */
function widen(wide, first, last, need) {
  let has = 0;
  for (let byte = Math.floor(first); byte < last; byte++) has += wide[byte] * share(byte, first, last);
  if (has >= need) return;
  const extra = (need - has) / (last - first);
  for (let byte = Math.floor(first); byte < last; byte++) wide[byte] += extra;
}

const share = (/** @type {number} */ byte, /** @type {number} */ first, /** @type {number} */ last) =>
  Math.min(byte + 1, last) - Math.max(byte, first);

/**
 * Lines of the text: as many glyphs as fit, broken where every tokenizer is between two tokens.
 * @param {any} header @param {Int32Array} starts @param {Float64Array} wide @param {Float64Array} gaps @param {any[]} lanes @param {number} room
 */
function broken(header, starts, wide, gaps, lanes, room) {
  const size = wide.length;
  const inside = new Uint8Array(size + 1); // places within a token of some lane
  for (const lane of lanes) {
    for (const { first, last } of lane.tokens) {
      for (let byte = Math.floor(first) + 1; byte < last; byte++) inside[byte] = 1;
    }
  }
  /** @type {[number, number][]} */
  const lines = [];
  let [from, place, used] = [0, 0, 0];
  let good = -1; // the last place where the line may end
  while (place < header.glyphs.length) {
    const [start, end] = [starts[place], starts[place + 1] ?? size];
    let glyph = gaps[start];
    for (let byte = start; byte < end; byte++) glyph += wide[byte];
    if (used + glyph > room && place > from) {
      const stop = good > from ? good : place;
      lines.push([from, stop]);
      [from, place, used, good] = [stop, stop, 0, -1];
      continue;
    }
    used += glyph;
    place++;
    if (header.glyphs[place - 1].newline) {
      lines.push([from, place]);
      [from, used, good] = [place, 0, -1];
    } else if (!inside[end]) good = place;
  }
  if (from < header.glyphs.length || lines.length === 0) lines.push([from, header.glyphs.length]);
  return lines.map(([g0, g1]) => {
    const [first, last] = [starts[g0] ?? size, g1 < header.glyphs.length ? starts[g1] : size];
    const edges = new Float64Array(last - first + 1);
    let x = 0;
    for (let byte = first; byte < last; byte++) {
      x += gaps[byte];
      edges[byte - first] = x;
      x += wide[byte];
    }
    if (last === size) x += gaps[size];
    edges[last - first] = x;
    /** Where a byte begins; an end lies before the room of what has no bytes. @param {number} byte */
    const left = (byte) => {
      const whole = Math.floor(byte);
      return whole >= last ? edges[last - first] : edges[whole - first] + (byte - whole) * wide[whole];
    };
    const right = (/** @type {number} */ byte) =>
      byte === size || (byte < last && byte === Math.floor(byte)) ? left(byte) - gaps[byte] : left(byte);
    return { first, last, glyphs: [g0, g1], left, right, width: x };
  });
}
