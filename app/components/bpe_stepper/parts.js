// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** The stepper's parts, each made anew for a step: chips, words, pairs, vocabulary. */

/**
 * @typedef {[string, string, number, number, number, string]} PairRow left, right, count, replacements, tied, what the rule compares
 * @typedef {[string, number, string[], number[], number]} WordRow word, count, tokens, where the merge strikes, number of tokens
 * @typedef {[string, string, number, number, number, number]} MergeRow left, right, count, replacements, tied pairs, forced
 * @typedef {{n_pairs: number, n_tied: number, n_too_long: number, rows: PairRow[], taken: number, why: string, overlap: string, words: WordRow[], touched: number[], changes: [string, string, number, number][]}} Step
 * @typedef {{alphabet: string[], n_initial: number, merges: MergeRow[], lengths: number[], n_words: number, total_words: number, small: boolean, rule: string, end: string, marker: string}} Run
 */

/** @param {string} token @param {string} [kind] */
function chip(token, kind = "") {
  const node = element("span", `token ${kind}`, visible(token));
  node.dataset.token = token;
  return node;
}

/** The tokens of a word now; the pair that is merged next is lit. @param {WordRow} word @param {string} marker @param {boolean} lit */
function cutNow([, , tokens, places, total], marker, lit) {
  const [lefts, rights] = [new Set(places), new Set(places.map((place) => place + 1))];
  const nodes = tokens.map((token, i) => {
    const end = token === marker ? " end" : "";
    if (lit && lefts.has(i)) return chip(token, `lit left${end}`);
    return chip(token, lit && rights.has(i) ? `lit right${end}` : end);
  });
  return [...nodes, ...rest(tokens, total)];
}

/** The tokens of a word after the merge. @param {WordRow} word @param {string} marker */
function cutAfter([, , tokens, places, total], marker) {
  /** @type {HTMLElement[]} */
  const nodes = [];
  for (let i = 0; i < tokens.length; i++) {
    const made = places.includes(i);
    if (made) nodes.push(chip(tokens[i] + tokens[++i], "new"));
    else nodes.push(chip(tokens[i], tokens[i] === marker ? "end" : ""));
  }
  return total > tokens.length ? [...nodes, element("span", "quiet", " …")] : nodes;
}

/** @param {string[]} tokens @param {number} total */
const rest = (tokens, total) =>
  total > tokens.length ? [element("span", "quiet", ` … ${whole(total)} tokens in all`)] : [];

/** @param {Run} run @param {Step} step @param {boolean} hidden whether the next merge is not told yet @param {boolean} last */
function wordTable(run, step, hidden, last) {
  const table = element("table", "words");
  const head = table.createTHead().insertRow();
  const titles = ["word", "×", "cut now", ...(last ? [] : ["after this merge"])];
  titles.forEach((title) => head.append(element("th", title === "×" ? "count" : "", title)));
  const body = table.createTBody();
  for (const word of hidden && !run.small ? [] : step.words) {
    const row = body.insertRow();
    row.append(element("td", "name", visible(word[0])), element("td", "count", whole(word[1])));
    row.insertCell().append(...cutNow(word, run.marker, !hidden));
    if (last) continue;
    const after = row.insertCell();
    if (hidden) after.append(element("span", "quiet", "?"));
    else if (word[3].length) after.append(...cutAfter(word, run.marker));
    else after.append(element("span", "quiet", "unchanged"));
  }
  return table;
}

/** The newest token is the last. @param {HTMLElement} box */
function showNewest(box) {
  const list = box.querySelector(".list");
  if (list) list.scrollTop = list.scrollHeight;
}

/** A merge in a word below the fold is brought into view. @param {HTMLElement} box */
function showLit(box) {
  const row = /** @type {HTMLElement | null | undefined} */ (box.querySelector(".token.lit")?.closest("tr"));
  if (!row) return;
  const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}

/** What is shown of the words, and how much that is. @param {Run} run @param {Step} step @param {boolean} last */
function wordsShown(run, step, last) {
  if (run.small) return `all ${whole(run.n_words)} distinct, ${whole(run.total_words)} in the running text`;
  if (last) return `the ${whole(step.words.length)} most frequent of ${whole(run.n_words)}`;
  const [distinct, running] = step.touched;
  return `this merge changes ${whole(distinct)} of ${whole(run.n_words)} (${whole(running)} of ${whole(run.total_words)} running); the ${whole(step.words.length)} most frequent`;
}

/**
 * @param {Step} step @param {number} selected
 * @param {(row: number) => void} choose
 */
function pairTable(step, selected, choose) {
  const table = element("table", "pairs");
  const head = table.createTHead().insertRow();
  const compares = step.rows.some((row) => row[5]);
  for (const [title, kind] of [
    ["#", "count"],
    ["pair", ""],
    ["joined", ""],
    ["count", "count"],
    ["", "bar-cell"],
  ]) {
    head.append(element("th", kind, title));
  }
  if (compares) head.append(element("th", "value", "what the tie rule compares"));
  const body = table.createTBody();
  const most = Math.max(1, ...step.rows.map((row) => row[2]));
  step.rows.forEach(([left, right, count, replacements, tied, value], i) => {
    const row = body.insertRow();
    row.dataset.row = String(i);
    row.tabIndex = 0;
    row.className = `${tied ? "tied" : ""} ${i === step.taken ? "taken" : ""}`;
    row.setAttribute("aria-selected", String(i === selected));
    row.append(element("td", "count", String(i + 1)));
    const names = row.insertCell();
    names.className = "pair";
    names.append(chip(left, i === step.taken ? "lit left" : ""), chip(right, i === step.taken ? "lit right" : ""));
    row.insertCell().append(chip(left + right));
    const number = row.insertCell();
    number.className = "count";
    number.textContent = count === replacements ? whole(count) : `${whole(count)} (${whole(replacements)} replaced)`;
    const length = element("span", "length");
    length.style.width = `${(100 * count) / most}%`;
    const cell = row.insertCell();
    cell.className = "bar-cell";
    cell.append(length);
    if (compares) row.append(element("td", "value quiet", value));
    row.addEventListener("click", () => choose(i));
    row.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      choose(i);
    });
  });
  return table;
}

/** @param {Run} run @param {Step} step @param {number} row @param {boolean} last */
function versusWords(run, step, row, last) {
  const [l, r, count, , tied, value] = step.rows[row];
  const name = `${visible(l)} + ${visible(r)}`;
  const winner = step.rows[step.taken] ?? step.rows[0];
  const taken = `${visible(winner[0])} + ${visible(winner[1])}`;
  if (last) return `${name} stands ${whole(count)} times. `;
  if (tied && step.n_tied > 1)
    return `Why not ${name}? As frequent as ${taken} (${whole(count)}), so the tie rule “${run.rule}” compares ${winner[5]} with ${value}, and takes ${taken}. `;
  return `Why not ${name}? It stands ${whole(count)} times, ${taken} ${whole(winner[2])} times. `;
}

/** The candidates in no telling order, as buttons. @param {Step} step @param {Map<number, string>} tried @param {(row: number) => void} guess */
function guessTable(step, tried, guess) {
  const table = element("table", "pairs");
  const order = step.rows
    .map((_, i) => i)
    .sort((a, b) => (step.rows[a][0] + step.rows[a][1] < step.rows[b][0] + step.rows[b][1] ? -1 : 1));
  const body = table.createTBody();
  for (const i of order) {
    const row = body.insertRow();
    const button = element("button", "");
    button.type = "button";
    button.append(chip(step.rows[i][0], "left"), chip(step.rows[i][1], "right"));
    button.disabled = tried.has(i);
    button.addEventListener("click", () => guess(i));
    row.insertCell().append(button);
    row.append(element("td", "value quiet", tried.get(i) ?? ""));
  }
  return table;
}

/** How the merge changes the counts of other pairs: neighbours part, others meet. @param {Step} step */
function changeList(step) {
  const nodes = [element("h3", "", "Counts that this merge changes")];
  for (const [left, right, before, after] of step.changes) {
    const node = element("span", "change");
    node.append(
      chip(left, "left"),
      chip(right, "right"),
      element("span", "quiet", `${whole(before)} → ${whole(after)}`),
    );
    nodes.push(node);
  }
  return nodes;
}

/** Initial symbols, and each merged token as a way to its step. @param {Run} run @param {number} at @param {(step: number) => void} jump */
function vocabularyList(run, at, jump) {
  const list = element("div", "list");
  const first = Math.max(0, at - 300);
  list.append(...run.alphabet.map((token) => chip(token, "old")));
  if (run.n_initial > run.alphabet.length) list.append(element("span", "quiet", " … "));
  if (first > 0) list.append(element("span", "quiet", ` ${whole(first)} merged tokens … `));
  for (let i = first; i < at; i++) {
    const [left, right] = run.merges[i];
    const button = element("button");
    button.type = "button";
    button.title = `merge ${i + 1}`;
    button.append(chip(left + right, i === at - 1 ? "new" : ""));
    button.addEventListener("click", () => jump(i + 1));
    list.append(button);
  }
  return list;
}
