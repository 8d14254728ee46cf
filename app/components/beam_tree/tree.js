// @ts-check
/** The search as data: hypotheses by node, their paths, and what is said about them. */

const FATES = /** @type {Record<string, {mark: string, words: string}>} */ ({
  live: { mark: "", words: "lives on" },
  finished: { mark: "■", words: "finished: it ends here" },
  limit: { mark: "■", words: "cut off at the longest length allowed" },
  outside: { mark: "×", words: "dropped: not among the best" },
  "word-margin": { mark: "×", words: "pruned: its word lies beyond the margin of the best word" },
  "hypothesis-margin": { mark: "×", words: "pruned: beyond the margin of the best finished hypothesis" },
});

/**
 * @typedef {{id: number, parent: number, token: string, word: number, score: number, normalised: number, fate: string, column: number, rank: number}} TreeNode
 */

class Tree {
  /** @param {any} data @param {number} beams */
  constructor(data, beams) {
    this.beams = beams;
    this.penalties = data.columns.map((/** @type {any} */ one) => one.penalty);
    /** @type {TreeNode[][]} */
    this.columns = data.columns.map((/** @type {any} */ one, /** @type {number} */ column) =>
      one.nodes.map(
        (/** @type {any[]} */ [id, parent, token, word, score, normalised, fate], /** @type {number} */ rank) => ({
          id,
          parent,
          token,
          word,
          score,
          normalised,
          fate,
          column,
          rank,
        }),
      ),
    );
    /** @type {Map<number, TreeNode>} */
    this.byId = new Map(this.columns.flat().map((one) => [one.id, one]));
    /** @type {{node: number, text: string}[]} */
    this.endings = data.endings.map((/** @type {any[]} */ [node, text]) => ({ node, text }));
    this.best = new Set(this.path(this.endings[0]?.node ?? -1).map((one) => one.id));
  }

  /** From the first token to the node's own. @param {number} id */
  path(id) {
    /** @type {TreeNode[]} */
    const found = [];
    for (let one = this.byId.get(id); one; one = this.byId.get(one.parent)) found.unshift(one);
    return found;
  }

  /** The tokens as the model has them, joined. @param {number} id */
  text(id) {
    return (
      this.path(id)
        .map((one) => one.token)
        .join("")
        .replace(/▁/g, " ")
        .trim() || "∅"
    );
  }

  /** Those of the first `step` columns that ended, best first. @param {number} step */
  finished(step) {
    const ended = this.columns
      .slice(0, step)
      .flat()
      .filter((one) => one.fate === "finished" || one.fate === "limit");
    return ended.sort((a, b) => a.normalised - b.normalised).slice(0, this.beams);
  }
}
