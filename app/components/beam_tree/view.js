// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="../player.js" />
/// <reference path="tree.js" />
/**
 * Columns are steps, rows the candidates of a step, best score on top. The tree grows as far as
 * the player has come; a click shows a hypothesis's arithmetic.
 */

const COLUMN = 128; // px
const ROW = 44;
const TOP = 26;
const NODE = 37;

/** @param {any} component */
export default function (component) {
  return mount(component, (root, report) => {
    root.tabIndex = -1;
    root.style.outline = "none";
    const bar = root.appendChild(element("div"));
    const player = new Player(root, bar, { name: "Tokens searched", show: () => paint(true), tell: () => tell(), escape: () => choose(-1) });
    const tools = bar.appendChild(element("div", "tools"));
    for (const format of /** @type {const} */ (["png", "svg"])) {
      tools.append(quietButton(format.toUpperCase(), `Download the tree as ${format.toUpperCase()}`, () => save(format)));
    }
    const scroll = root.appendChild(element("div", "scroll"));
    const stack = scroll.appendChild(element("div", "stack"));
    const canvas = stack.appendChild(element("canvas"));
    canvas.setAttribute("role", "img");
    const legend = root.appendChild(element("div", "legend quiet"));
    const sums = root.appendChild(element("div", "sums"));
    sums.setAttribute("aria-live", "polite");
    const beams = root.appendChild(element("div", "beams"));
    const tip = new Tooltip(root);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {Tree} */ let tree;
    /** @type {any} */ let plan;
    let [serial, selected] = [-1, -1];

    function tell() {
      report("place", { seed: serial, value: [player.at, selected] });
    }

    /** @param {number} id */
    function choose(id) {
      selected = selected === id ? -1 : id;
      paint(false);
      tell();
    }

    function arrange() {
      const { unit } = theme;
      const columns = tree.columns.slice(0, player.at).map((nodes) => nodes.filter((one) => frame.header.pruned || one.fate === "live" || one.fate === "finished" || one.fate === "limit"));
      const rows = Math.max(2, ...tree.columns.map((nodes) => (frame.header.pruned ? nodes.length : tree.beams)));
      /** @type {Map<number, any>} */
      const boxes = new Map([[0, { x: 0, y: TOP * unit, w: 52 * unit, h: NODE * unit, root: true }]]);
      columns.forEach((nodes, column) =>
        nodes.forEach((one, row) => boxes.set(one.id, { x: 80 * unit + column * COLUMN * unit, y: (TOP + row * ROW) * unit, w: 96 * unit, h: NODE * unit, one })),
      );
      const width = Math.max(scroll.clientWidth, (80 + player.at * COLUMN) * unit + 8);
      return { boxes, width: Math.floor(width), height: Math.ceil((TOP + rows * ROW + 4) * unit) };
    }

    /** @param {Surface} surface */
    function draw(surface) {
      const { unit, hues, line } = theme;
      const quiet = css(theme.quiet);
      const path = new Set(tree.path(selected).map((one) => one.id));
      for (let column = 0; column < player.at; column++) {
        surface.text((80 + column * COLUMN + 48) * unit, 11 * unit, `token ${column + 1}`, { size: 12, align: "center", fill: column === player.at - 1 ? css(theme.ink) : quiet, weight: column === player.at - 1 ? 600 : 400 });
      }
      const edges = [...plan.boxes.values()].filter((/** @type {any} */ box) => box.one && plan.boxes.has(box.one.parent));
      const rank = (/** @type {any} */ box) => (path.has(box.one.id) ? 2 : tree.best.has(box.one.id) ? 1 : 0);
      for (const box of edges.sort((/** @type {any} */ a, /** @type {any} */ b) => rank(a) - rank(b))) {
        const from = plan.boxes.get(box.one.parent);
        const alive = box.one.fate === "live" || box.one.fate === "finished" || box.one.fate === "limit";
        const stroke = path.has(box.one.id) ? css(theme.accent) : tree.best.has(box.one.id) ? css(hues.decoder) : css(alive ? theme.quiet : theme.rule);
        surface.curve(from.x + from.w, from.y + from.h / 2, box.x, box.y + box.h / 2, { stroke, width: (path.has(box.one.id) || tree.best.has(box.one.id) ? 2.6 : 1.1) * line });
      }
      const start = plan.boxes.get(0);
      surface.rect(start.x + 1, start.y, start.w, start.h, { stroke: css(theme.rule), radius: 4 });
      surface.text(start.x + 1 + start.w / 2, start.y + start.h / 2, "start", { size: 12, align: "center", fill: quiet });
      const ramp = hueRamp(theme, hues.decoder);
      for (const box of plan.boxes.values()) {
        const one = box.one;
        if (!one) continue;
        const ended = one.fate === "finished" || one.fate === "limit";
        const dropped = !ended && one.fate !== "live";
        const chosen = one.id === selected;
        surface.rect(box.x, box.y, box.w, box.h, {
          fill: ended ? css(hues.decoder) : dropped ? css(theme.paper) : css(fromLookup(ramp, tree.best.has(one.id) ? 70 : 28)),
          stroke: chosen ? css(theme.accent) : dropped ? css(theme.rule) : css(hues.decoder),
          width: (chosen ? 2.5 : 1) * line,
          radius: 4,
        });
        const ink = ended ? css(theme.paper) : dropped ? quiet : css(theme.ink);
        const style = { size: 13, code: true, weight: tree.best.has(one.id) ? 600 : 400 };
        const text = fitted(`${FATES[one.fate].mark} ${visible(one.token)}`.trim(), box.w - 8, fontOf(theme, style));
        surface.text(box.x + box.w / 2, box.y + 11 * unit, text, { ...style, align: "center", fill: ink });
        surface.text(box.x + box.w / 2, box.y + 28 * unit, ended ? `${number(one.score)} → ${number(one.normalised)}` : number(one.score), { size: 11, align: "center", fill: ended ? css(theme.paper) : quiet });
        if (one.fate.endsWith("margin")) {
          const wide = textWidth(text, fontOf(theme, style));
          surface.line(box.x + (box.w - wide) / 2, box.y + 11 * unit, box.x + (box.w + wide) / 2, box.y + 11 * unit, { stroke: quiet });
        }
      }
    }

    function paintSums() {
      const path = tree.path(selected);
      const one = path[path.length - 1];
      if (!one) {
        sums.replaceChildren(element("span", "quiet", "Click a hypothesis to see its sum. Its score is Σ −log P over its tokens: 0 is certainty, and smaller is better."));
        return;
      }
      const terms = path.map((each) => number(each.word)).join(" + ");
      const line = element("div");
      line.append(element("b", "token", tree.text(one.id)), `: Σ −log P = ${terms} = `, element("b", "", number(one.score)), " nats");
      const second = element("div", "", `÷ penalty ${frame.header.penalty} with |Y| = ${path.length}: ${number(one.score)} ÷ ${number(tree.penalties[one.column])} = ${number(one.normalised)}. ${FATES[one.fate].words.replace(/^./, (c) => c.toUpperCase())}.`);
      sums.replaceChildren(line, second);
    }

    function paintTable() {
      const step = player.at;
      const current = step ? tree.columns[step - 1].filter((one) => one.fate === "live") : [];
      const parts = [table(`The beam after ${step} ${step === 1 ? "token" : "tokens"} `, `${current.length} live, at most ${tree.beams}`, current, false)];
      const ended = tree.finished(step);
      if (ended.length) parts.push(table("Finished so far ", `the best ${tree.beams} are kept, by score ÷ ${frame.header.penalty}`, ended, true));
      beams.replaceChildren(...parts.flat());
    }

    /** @param {string} title @param {string} note @param {TreeNode[]} nodes @param {boolean} ended */
    function table(title, note, nodes, ended) {
      const heading = element("h3", "", title);
      heading.append(element("span", "quiet", note));
      const body = element("table");
      const head = body.appendChild(element("tr"));
      for (const name of ["hypothesis", "last −log P", "Σ −log P", "÷ penalty"]) head.append(element("th", "", name));
      nodes.forEach((one, i) => {
        const row = body.appendChild(element("tr", ended && i === 0 ? "best" : ""));
        row.dataset.node = String(one.id);
        row.tabIndex = 0;
        row.setAttribute("aria-selected", String(one.id === selected));
        row.append(element("td", "text token", tree.text(one.id)), ...[one.word, one.score, one.normalised].map((value) => element("td", "number", number(value))));
        const pick = () => choose(one.id);
        row.addEventListener("click", pick);
        row.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && pick());
      });
      return nodes.length ? [heading, body] : [heading];
    }

    /** @param {boolean} moved */
    function paint(moved) {
      plan = arrange();
      draw(new CanvasSurface(canvas, plan.width, plan.height, theme));
      canvas.setAttribute("aria-label", `${frame.header.label}, after ${player.at} of ${player.last} tokens`);
      paintSums();
      paintTable();
      if (moved) scroll.scrollLeft = plan.width;
      const counts = Object.keys(FATES).map((fate) => `${tree.columns.slice(0, player.at).flat().filter((one) => one.fate === fate).length} ${fate}`);
      root.dataset.painted = `step ${player.at} of ${player.last}: ${counts.join(", ")}`;
      root.dataset.geometry = JSON.stringify([...plan.boxes].map(([id, box]) => [id, box.x + box.w / 2, box.y + box.h / 2]));
      root.dataset.selected = String(selected);
    }

    const under = (/** @type {PointerEvent} */ event) => {
      const bounds = stack.getBoundingClientRect();
      const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
      const box = [...plan.boxes.values()].find((/** @type {any} */ one) => one.one && x >= one.x && x <= one.x + one.w && y >= one.y && y <= one.y + one.h);
      return { one: /** @type {TreeNode | undefined} */ (box?.one), x, y };
    };
    stack.addEventListener("click", (/** @type {any} */ event) => {
      const { one } = under(event);
      if (one) choose(one.id);
      root.focus({ preventScroll: true });
    });
    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const { one, x, y } = under(event);
      if (!one) return tip.hide();
      tip.show(stack, x, y, [
        element("div", "head", tree.text(one.id)),
        element("div", "", `−log P(${visible(one.token)}) = ${number(one.word)}, P = ${number(Math.exp(-one.word))}`),
        element("div", "", `Σ −log P = ${number(one.score)}; ${FATES[one.fate].words}`),
      ]);
    });
    stack.addEventListener("pointerleave", () => tip.hide());

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, { name: "beam-search", caption: frame.header.caption, width: plan.width, height: plan.height, theme, draw });
    }

    return {
      update(next, nextTheme) {
        const other = frame && frame.header.seed.serial !== next.header.seed.serial;
        [frame, theme] = [next, nextTheme];
        tree = new Tree(JSON.parse(new TextDecoder().decode(frame.arrays.tree)), frame.header.beams);
        if (frame.header.seed.serial !== serial) {
          ({ serial, node: selected } = frame.header.seed);
          player.reset(tree.columns.length, frame.header.seed.step);
        } else if (player.last !== tree.columns.length) player.reset(tree.columns.length, tree.columns.length);
        if (!tree.byId.has(selected)) selected = -1;
        legend.replaceChildren("numbers: Σ −log P", "filled ■: finished, Σ → ÷ penalty", "× dropped: outside the beam", "struck out: beyond a margin", "thick: the translation");
        legend.replaceChildren(...Array.from(legend.childNodes, (node) => element("span", "", node.textContent)));
        tip.hide();
        paint(true);
        if (other) takeKeys(root);
      },
      retheme(next) {
        theme = next;
        paint(false);
      },
      resize() {
        paint(false);
      },
    };
  });
}
