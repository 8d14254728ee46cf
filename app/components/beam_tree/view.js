// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="../player.js" />
/// <reference path="tree.js" />
/// <reference path="drawing.js" />
/**
 * Columns are steps, rows the candidates of a step, best score on top. The tree grows as far as
 * the player has come; a click shows a hypothesis's arithmetic.
 */

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    root.tabIndex = -1;
    root.style.outline = "none";
    const bar = root.appendChild(element("div"));
    const player = new Player(root, bar, {
      name: "Tokens searched",
      show: () => paint(true),
      tell: () => tell(),
      escape: () => choose(-1),
    });
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save, "the tree");
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
    /** @type {ReturnType<typeof arrangeTree>} */ let plan;
    let selected = -1;

    function tell() {
      selection.choose([player.at, selected]);
    }

    /** @param {number} id */
    function choose(id) {
      selected = selected === id ? -1 : id;
      paint(false);
      tell();
    }

    const draw = (/** @type {Surface} */ surface) => drawTree(surface, tree, plan, { step: player.at, selected });

    function paintSums() {
      const path = tree.path(selected);
      const one = path[path.length - 1];
      if (!one) {
        sums.replaceChildren(
          element(
            "span",
            "quiet",
            "Click a hypothesis to see its sum. Its score is Σ −log P over its tokens: 0 is certainty, and smaller is better.",
          ),
        );
        return;
      }
      const words = path.map((_, i) => `word ${i}`);
      const texts = follow(
        {
          ...Object.fromEntries(path.map((each, i) => [`word ${i}`, each.word])),
          sum: one.score,
          penalty: tree.penalties[one.column],
          divided: one.normalised,
        },
        [
          { result: "sum", operands: words, compute: summed },
          { result: "divided", operands: ["sum", "penalty"], compute: (sum, penalty) => sum / penalty },
        ],
      );
      const terms = words.map((name) => texts[name]).join(" + ");
      const line = element("div");
      line.append(
        element("b", "token", tree.text(one.id)),
        `: Σ −log P = ${terms} = `,
        element("b", "", texts.sum),
        " nats",
      );
      const second = element(
        "div",
        "",
        `÷ penalty ${frame.header.penalty} with |Y| = ${path.length}: ${texts.sum} ÷ ${texts.penalty} = ${texts.divided}. ${FATES[one.fate].words.replace(/^./, (c) => c.toUpperCase())}.`,
      );
      sums.replaceChildren(line, second);
    }

    function paintTable() {
      const step = player.at;
      const current = step ? tree.columns[step - 1].filter((one) => one.fate === "live") : [];
      const parts = [
        table(
          `The beam after ${step} ${step === 1 ? "token" : "tokens"} `,
          `${current.length} live, at most ${tree.beams}`,
          current,
          false,
        ),
      ];
      const ended = tree.finished(step);
      if (ended.length)
        parts.push(
          table("Finished so far ", `the best ${tree.beams} are kept, by score ÷ ${frame.header.penalty}`, ended, true),
        );
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
        row.append(
          element("td", "text token", tree.text(one.id)),
          ...[one.word, one.score, one.normalised].map((value) => element("td", "number", number(value))),
        );
        const pick = () => choose(one.id);
        row.addEventListener("click", pick);
        row.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && pick());
      });
      return nodes.length ? [heading, body] : [heading];
    }

    /** @param {boolean} moved */
    function paint(moved) {
      const { pruned } = frame.header;
      plan = arrangeTree(tree, { step: player.at, pruned, wide: scroll.clientWidth }, theme);
      draw(new CanvasSurface(canvas, plan.width, plan.height, theme));
      canvas.setAttribute("aria-label", `${frame.header.label}, after ${player.at} of ${player.last} tokens`);
      paintSums();
      paintTable();
      if (moved) scroll.scrollLeft = plan.width;
      const counts = Object.keys(FATES).map(
        (fate) =>
          `${
            tree.columns
              .slice(0, player.at)
              .flat()
              .filter((one) => one.fate === fate).length
          } ${fate}`,
      );
      root.dataset.painted = `step ${player.at} of ${player.last}: ${counts.join(", ")}`;
      root.dataset.geometry = JSON.stringify(
        [...plan.boxes].map(([id, box]) => [id, box.x + box.w / 2, box.y + box.h / 2]),
      );
      root.dataset.selected = String(selected);
    }

    const under = (/** @type {PointerEvent} */ event) => {
      const [x, y] = placeIn(stack, event);
      const box = [...plan.boxes.values()].find(
        (/** @type {any} */ one) => one.one && x >= one.x && x <= one.x + one.w && y >= one.y && y <= one.y + one.h,
      );
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
      const chance = workedStep([one.word], Math.exp(-one.word), (word) => Math.exp(-word));
      tip.show(stack, x, y, [
        element("div", "head", tree.text(one.id)),
        element("div", "", `−log P(${visible(one.token)}) = ${chance.operands[0]}, P = ${chance.result}`),
        element("div", "", `Σ −log P = ${number(one.score)}; ${FATES[one.fate].words}`),
      ]);
    });
    stack.addEventListener("pointerleave", () => tip.hide());

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, {
        root,
        name: "beam-search",
        caption: frame.header.caption,
        width: plan.width,
        height: plan.height,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        const other = frame && selection.asked;
        [frame, theme] = [next, nextTheme];
        tree = new Tree(JSON.parse(new TextDecoder().decode(frame.arrays.tree)), frame.header.beams);
        if (selection.asked) {
          selected = selection.seed[1];
          player.reset(tree.columns.length, selection.seed[0]);
        } else if (player.last !== tree.columns.length) player.reset(tree.columns.length, tree.columns.length);
        if (!tree.byId.has(selected)) selected = -1;
        legend.replaceChildren(
          "numbers: Σ −log P",
          "filled ■: finished, Σ → ÷ penalty",
          "× dropped: outside the beam",
          "struck out: beyond a margin",
          "thick: the translation",
        );
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
