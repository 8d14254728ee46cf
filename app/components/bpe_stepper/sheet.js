// @ts-check
/// <reference path="parts.js" />
/** The compression curve, and one step as a picture to take along. */

/**
 * Tokens in the running text after each merge; what is still to come is faint.
 * @param {Surface} surface @param {Run} run @param {number} at @param {{x: number, y: number, width: number, height: number}} box
 */
function drawCurve(surface, run, at, { x, y, width, height }) {
  const { theme } = surface;
  const quiet = { size: 11.5, fill: css(theme.quiet) };
  const { unit } = theme;
  const plot = curvePlot({ x, y, width, height }, unit, run);
  surface.text(plot.x - 6 * unit, plot.y + 4 * unit, short3(run.lengths[0]), { ...quiet, align: "right" });
  surface.text(plot.x - 6 * unit, plot.y + plot.height - 4 * unit, "0", { ...quiet, align: "right" });
  surface.line(plot.x, plot.y + plot.height, plot.x + plot.width, plot.y + plot.height, { stroke: css(theme.rule) });
  const stride = Math.max(1, Math.floor(run.lengths.length / (2 * plot.width)));
  for (let i = 0; i + 1 < run.lengths.length; i += stride) {
    const next = Math.min(i + stride, run.lengths.length - 1);
    surface.line(plot.at(i), plot.level(run.lengths[i]), plot.at(next), plot.level(run.lengths[next]), {
      stroke: css(i < at ? theme.ink : theme.rule),
      width: (i < at ? 1.6 : 1.2) * theme.line,
    });
  }
  surface.line(plot.at(at), plot.y, plot.at(at), plot.y + plot.height, {
    stroke: css(theme.accent),
    width: theme.line,
  });
  surface.rect(plot.at(at) - 3.5, plot.level(run.lengths[at]) - 3.5, 7, 7, { fill: css(theme.accent), radius: 3.5 });
  surface.text(plot.x, plot.y + plot.height + 9 * unit, "merges: 0", quiet);
  surface.text(plot.x + plot.width, plot.y + plot.height + 9 * unit, whole(run.merges.length), {
    ...quiet,
    align: "right",
  });
}

/** @param {number} value */
const short3 = (value) => (value < 1e5 ? whole(value) : `${number(value / 1e6)} M`);

/** @param {{x: number, y: number, width: number, height: number}} box @param {number} unit @param {Run} run */
function curvePlot({ x, y, width, height }, unit, run) {
  const left = 50 * unit;
  const plot = { x: x + left, y: y + 4, width: width - left - 8, height: height - 22 * unit };
  const steps = Math.max(1, run.merges.length);
  return {
    ...plot,
    at: (/** @type {number} */ step) => plot.x + (plot.width * step) / steps,
    level: (/** @type {number} */ value) => plot.y + plot.height * (1 - value / run.lengths[0]),
    step: (/** @type {number} */ px) => Math.round(Math.min(1, Math.max(0, (px - plot.x) / plot.width)) * steps),
  };
}

/** @param {Run} run @param {number} at */
function lengthWords(run, at) {
  const now = run.lengths[at];
  const share = run.lengths[0] ? now / run.lengths[0] : 1;
  return `${whole(now)} tokens in the corpus, ${number(100 * share)} % of the ${whole(run.lengths[0])} at first`;
}

/** One step as a picture: the merge, why, words, pairs, curve. @param {Run} run @param {Step} step @param {number} at @param {Theme} theme */
function sheet(run, step, at, theme) {
  const { unit } = theme;
  const [width, line, half] = [980 * unit, 22 * unit, 560 * unit];
  const merge = run.merges[at];
  const reasons = wrapped(step.why, width, fontOf(theme));
  const top = (2 + reasons.length) * line;
  const tableHeight = line * (1.5 + Math.max(step.words.length, step.rows.length));
  const height = top + tableHeight + 130 * unit;
  /** @param {Surface} surface @param {number} x @param {number} y @param {string[]} tokens @param {Set<number>} accented */
  const row = (surface, x, y, tokens, accented) => {
    const style = { size: 13, code: true };
    for (const [i, token] of tokens.entries()) {
      const wide = textWidth(visible(token), fontOf(theme, style)) + 8;
      const stroke = accented.has(i) ? css(theme.accent) : css(theme.rule);
      surface.rect(x, y - 8 * unit, wide, 16 * unit, { stroke, radius: 3, width: accented.has(i) ? 1.6 : 1 });
      surface.text(x + 4, y, visible(token), style);
      x += wide + 3;
    }
    return x;
  };
  /** @param {Surface} surface */
  const draw = (surface) => {
    const quiet = { size: 12, fill: css(theme.quiet) };
    const title = merge
      ? `Merge ${at + 1} of ${run.merges.length}:  ${visible(merge[0])} + ${visible(merge[1])} → ${visible(merge[0] + merge[1])}`
      : `After ${at} merges`;
    surface.text(0, line / 2, title, { size: 17, weight: 600 });
    reasons.forEach((text, i) => surface.text(0, (i + 1.6) * line, text, { size: 13 }));
    surface.text(0, top + line / 2, "word, cut now", quiet);
    surface.text(
      half + 40 * unit,
      top + line / 2,
      `pair, count (${step.rows.length} of ${whole(step.n_pairs)})`,
      quiet,
    );
    step.words.forEach((word, i) => {
      const y = top + (i + 1.5) * line;
      surface.text(0, y, fitted(`${visible(word[0])} × ${whole(word[1])}`, 150 * unit, fontOf(theme)), { size: 13 });
      const lit = new Set(word[3].flatMap((place) => [place, place + 1]));
      row(surface, 160 * unit, y, word[2].slice(0, 24), lit);
    });
    step.rows.forEach(([left, right, count, , tied], i) => {
      const y = top + (i + 1.5) * line;
      row(surface, half + 40 * unit, y, [left, right], new Set(i === step.taken ? [0, 1] : []));
      surface.text(width - 60 * unit, y, whole(count), { size: 13, align: "right" });
      if (tied && step.n_tied > 1) surface.text(width - 50 * unit, y, "tie", quiet);
    });
    surface.text(0, height - 118 * unit, lengthWords(run, at), quiet);
    drawCurve(surface, run, at, { x: 0, y: height - 106 * unit, width, height: 104 * unit });
  };
  return { width, height, draw };
}
