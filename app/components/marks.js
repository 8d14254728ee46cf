// @ts-check
/**
 * Tokens as the model sees them, with visible white space, and what their marks mean: said in one
 * line below the first figure of the page that shows them. Python's half: app/style/visible_space.py.
 */

// SentencePiece writes a space as ▁, a loose dash at the head of a turned column: it gets the space's mark.
const NAMED_SPACES = /** @type {Record<string, string>} */ ({
  " ": "␣",
  "\u2581": "␣",
  "\n": "⏎",
  "\t": "⇥",
  "\r": "␍",
});
const MEANT = /** @type {[RegExp, string][]} */ ([
  [/[ \u2581]/, "␣ a space"],
  [/\u0120/, "Ġ a space, at byte level"],
  [/\n/, "⏎ a line break"],
  [/\u010a/, "Ċ a line break, at byte level"],
  [/\t/, "⇥ a tab"],
  [/^##./, "## goes on with a word"],
  [/<\/w>$/, "</w> ends a word"],
]);
/** @type {Set<string>} what was shown since it was emptied */
const meant = new Set();

/** A token as the model sees it; what has no shape gets one. @param {string} token */
function visible(token) {
  if (token === "") return "∅";
  for (const [mark, meaning] of MEANT) if (mark.test(token)) meant.add(meaning);
  return token.replace(/[\s\p{Cc}\p{Cf}\u2581]/gu, (c) => {
    if (c in NAMED_SPACES) return NAMED_SPACES[c];
    if (c === "\u200d") return c; // joins emoji
    const code = /** @type {number} */ (c.codePointAt(0));
    if (code < 32) return String.fromCodePoint(0x2400 + code);
    return `‹${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

/** Every figure's line on the page, in all components' modules, and what its tokens' marks mean. */
const lines = /** @type {Map<HTMLElement, string[]>} */ (/** @type {any} */ (globalThis).gfMarks ?? new Map());
/** @type {any} */ (globalThis).gfMarks = lines;

/** Say below the figure what its marks mean, unless a figure above does. @param {HTMLElement} line */
function tellMarks(line) {
  lines.set(line, [...meant]);
  meant.clear();
  const host = (/** @type {HTMLElement} */ one) => /** @type {ShadowRoot} */ (one.getRootNode()).host ?? one;
  const standing = [...lines.keys()].filter((one) => one.isConnected || !lines.delete(one));
  standing.sort((a, b) => (host(a).compareDocumentPosition(host(b)) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  const told = new Set();
  for (const one of standing) {
    const own = /** @type {string[]} */ (lines.get(one)).filter((meaning) => !told.has(meaning));
    for (const meaning of own) told.add(meaning);
    one.textContent = own.join(" · ");
  }
}
