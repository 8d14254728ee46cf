// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** What stands beside the lanes: the tokens that cover a range of bytes, and its glyphs. */

const MOST_GLYPHS = 8; // shown with their code points

/** @param {any} token @param {number} first @param {number} last */
const covers = (token, first, last) => token.first < last && token.last > first;

/**
 * @param {Frame} frame @param {any[]} lanes @param {[number, number] | null} place
 * @param {{lane: number, i: number} | null} only a token without bytes, which no range finds
 * @returns {Node[]}
 */
function detailOf(frame, lanes, place, only) {
  if (!place) {
    return [
      element(
        "div",
        "quiet",
        "Point at a token: every tokenizer's tokens for the same characters light up. A click keeps them.",
      ),
    ];
  }
  const { header, arrays } = frame;
  const [first, last] = place;
  const text = new TextDecoder().decode(arrays.data.subarray(Math.floor(first), Math.ceil(last)));
  const table = element("table");
  let characters = "";
  for (const lane of lanes) {
    const found = lane.tokens.filter((/** @type {any} */ token) =>
      only ? lane.number === only.lane && token.i === only.i : covers(token, first, last),
    );
    for (const token of found) {
      const [start, end, from, to] = lane.places[token.i];
      if (from <= first && to >= last) characters ||= `characters ${start}–${end}, bytes ${from}–${to}`;
    }
    const row = table.appendChild(element("tr"));
    row.append(element("th", "", lane.name));
    const cell = row.appendChild(element("td"));
    found.forEach((/** @type {any} */ token, /** @type {number} */ i) => {
      if (i) cell.append(" · ");
      cell.append(element("code", "", token.label), element("span", "quiet", ` ${token.id}`));
    });
    if (!found.length) cell.append(element("span", "quiet", only ? "–" : "drops it"));
  }
  return [
    element("h4", "", first === last ? "a mark without characters" : visible(text)),
    element("div", "quiet", characters),
    table,
    ...(first === last ? [] : glyphTable(header, arrays, first, last)),
  ];
}

/** @param {any} header @param {any} arrays @param {number} first @param {number} last */
function glyphTable(header, arrays, first, last) {
  const starts = arrays.glyph_bytes;
  /** @type {any[]} */
  const touched = header.glyphs.flatMap((/** @type {any} */ glyph, /** @type {number} */ g) => {
    const [from, to] = [starts[g], starts[g + 1] ?? arrays.data.length];
    return from < last && to > first ? [{ ...glyph, from, to }] : [];
  });
  const table = element("table");
  const head = table.appendChild(element("tr"));
  for (const title of ["glyph", "code points", "UTF-8 bytes"]) head.append(element("th", "", title));
  for (const glyph of touched.slice(0, MOST_GLYPHS)) {
    const row = table.appendChild(element("tr"));
    row.append(element("td", "", glyph.visible ? glyph.shown : visible(glyph.text)));
    row.append(
      element(
        "td",
        "quiet",
        glyph.points
          .map((/** @type {string} */ point, /** @type {number} */ i) => `${point} ${glyph.names[i].toLowerCase()}`)
          .join(", "),
      ),
    );
    const bytes = [...arrays.data.subarray(glyph.from, glyph.to)].map((/** @type {number} */ b) =>
      b.toString(16).padStart(2, "0"),
    );
    const cell = row.appendChild(element("td"));
    cell.append(element("code", "", bytes.join(" ")), element("span", "quiet", ` = ${glyph.aliases}`));
  }
  const more = touched.length - MOST_GLYPHS;
  return [table, ...(more > 0 ? [element("div", "quiet", `and ${more} more`)] : [])];
}
