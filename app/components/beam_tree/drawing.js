// @ts-check
/// <reference path="../draw.js" />
/// <reference path="tree.js" />
/** The tree of a beam search on a surface: columns are steps, edges lead to what was extended. */

const TREE_COLUMN = 128; // px
const TREE_ROW = 44;
const TREE_TOP = 26;
const TREE_NODE = 37;

/**
 * A box a hypothesis, by its id, as far as `step` has come.
 * @param {Tree} tree @param {{step: number, pruned: boolean, wide: number}} choice @param {Theme} theme
 */
function arrangeTree(tree, { step, pruned, wide }, theme) {
  const { unit } = theme;
  const columns = tree.columns
    .slice(0, step)
    .map((nodes) =>
      nodes.filter((one) => pruned || one.fate === "live" || one.fate === "finished" || one.fate === "limit"),
    );
  const rows = Math.max(2, ...tree.columns.map((nodes) => (pruned ? nodes.length : tree.beams)));
  /** @type {Map<number, any>} */
  const boxes = new Map([[0, { x: 0, y: TREE_TOP * unit, w: 52 * unit, h: TREE_NODE * unit, root: true }]]);
  columns.forEach((nodes, column) =>
    nodes.forEach((one, row) =>
      boxes.set(one.id, {
        x: 80 * unit + column * TREE_COLUMN * unit,
        y: (TREE_TOP + row * TREE_ROW) * unit,
        w: 96 * unit,
        h: TREE_NODE * unit,
        one,
      }),
    ),
  );
  const width = Math.max(wide, (80 + step * TREE_COLUMN) * unit + 8);
  return { boxes, width: Math.floor(width), height: Math.ceil((TREE_TOP + rows * TREE_ROW + 4) * unit) };
}

/** @param {Surface} surface @param {Tree} tree @param {ReturnType<typeof arrangeTree>} plan @param {{step: number, selected: number}} state */
function drawTree(surface, tree, plan, { step, selected }) {
  const { theme } = surface;
  const { unit, hues, line } = theme;
  const quiet = css(theme.quiet);
  const path = new Set(tree.path(selected).map((one) => one.id));
  for (let column = 0; column < step; column++) {
    surface.text((80 + column * TREE_COLUMN + 48) * unit, 11 * unit, `token ${column + 1}`, {
      size: 12,
      align: "center",
      fill: column === step - 1 ? css(theme.ink) : quiet,
      weight: column === step - 1 ? 600 : 400,
    });
  }
  const edges = [...plan.boxes.values()].filter((/** @type {any} */ box) => box.one && plan.boxes.has(box.one.parent));
  const rank = (/** @type {any} */ box) => (path.has(box.one.id) ? 2 : tree.best.has(box.one.id) ? 1 : 0);
  for (const box of edges.sort((/** @type {any} */ a, /** @type {any} */ b) => rank(a) - rank(b))) {
    const from = plan.boxes.get(box.one.parent);
    const alive = box.one.fate === "live" || box.one.fate === "finished" || box.one.fate === "limit";
    const best = tree.best.has(box.one.id);
    const width = (best ? 2.6 : 1.1) * line;
    const edge = (/** @type {Rgb} */ colour, /** @type {number} */ wide) =>
      surface.curve(from.x + from.w, from.y + from.h / 2, box.x, box.y + box.h / 2, {
        stroke: css(colour),
        width: wide,
      });
    if (path.has(box.one.id)) {
      edge(theme.accent, width + 6 * line);
      edge(theme.paper, width + 4 * line);
    }
    edge(best ? hues.decoder : alive ? theme.quiet : theme.rule, width);
  }
  const start = plan.boxes.get(0);
  surface.rect(start.x + 1, start.y, start.w, start.h, { stroke: css(theme.rule), radius: 4 });
  surface.text(start.x + 1 + start.w / 2, start.y + start.h / 2, "start", {
    size: 12,
    align: "center",
    fill: quiet,
  });
  const ramp = hueRamp(theme, hues.decoder);
  for (const box of plan.boxes.values()) {
    const one = box.one;
    if (!one) continue;
    const ended = one.fate === "finished" || one.fate === "limit";
    const dropped = !ended && one.fate !== "live";
    const chosen = one.id === selected;
    surface.rect(box.x, box.y, box.w, box.h, {
      fill: ended
        ? css(hues.decoder)
        : dropped
          ? css(theme.paper)
          : css(fromLookup(ramp, tree.best.has(one.id) ? 70 : 28)),
      stroke: dropped ? css(theme.rule) : css(hues.decoder),
      width: line,
      radius: 4,
    });
    if (chosen)
      surface.rect(box.x - 2, box.y - 2, box.w + 4, box.h + 4, {
        stroke: css(theme.accent),
        width: 2 * line,
        radius: 5,
      });
    const ink = ended ? css(theme.paper) : dropped ? quiet : css(theme.ink);
    const style = { size: 13, code: true, weight: tree.best.has(one.id) ? 600 : 400 };
    const text = fitted(`${FATES[one.fate].mark} ${visible(one.token)}`.trim(), box.w - 8, fontOf(theme, style));
    surface.text(box.x + box.w / 2, box.y + 11 * unit, text, { ...style, align: "center", fill: ink });
    surface.text(
      box.x + box.w / 2,
      box.y + 28 * unit,
      ended ? `${number(one.score)} → ${number(one.normalised)}` : number(one.score),
      { size: 11.5, align: "center", fill: ended ? css(theme.paper) : quiet },
    );
    if (one.fate.endsWith("margin")) {
      const wide = textWidth(text, fontOf(theme, style));
      surface.line(box.x + (box.w - wide) / 2, box.y + 11 * unit, box.x + (box.w + wide) / 2, box.y + 11 * unit, {
        stroke: quiet,
      });
    }
  }
}
