// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** The tree of a word's merges on a canvas, and its states as lines; either lights the other. */

/** @typedef {[string, number, number, number | null, number | null, number[]]} TreeNode token, start, end, rank, step, children */

/** @param {Component} component */
export default function (component) {
  return mount(component, (root) => {
    const bar = root.appendChild(element("div", "bar"));
    const result = bar.appendChild(element("div", "result grow"));
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save, "the tree");
    const halves = root.appendChild(element("div", "halves"));
    const stack = halves.appendChild(element("div", "scroll tree"));
    const canvas = stack.appendChild(element("canvas"));
    canvas.setAttribute("role", "img");
    const lines = halves.appendChild(element("div", "scroll"));

    /** @type {any} */ let header;
    /** @type {Theme} */ let theme;
    let selected = -1;

    const chip = (/** @type {string} */ token, fresh = false) =>
      element("span", `token${fresh ? " new" : ""}${token === header.marker ? " end" : ""}`, visible(token));

    /** Where each node of the tree lies: leaves in a row at the foot, a token above its parts. */
    function arrange() {
      /** @type {TreeNode[]} */ const nodes = header.nodes;
      const { unit } = theme;
      const font = fontOf(theme, { size: 13, code: true });
      const gap = 10 * unit;
      const small = fontOf(theme, { size: 11.5 });
      const label = (/** @type {TreeNode} */ node) => (node[3] === null ? "" : String(node[3] + 1));
      const extra = nodes.map((node) => (label(node) ? textWidth(label(node), small) + 4 * unit : 0));
      const wide = nodes.map((node, i) => textWidth(visible(node[0]), font) + extra[i] + 10 * unit);
      const level = nodes.map(() => 0);
      const x = nodes.map(() => 0);
      let right = gap;
      nodes.forEach(([, , , , , children], i) => {
        if (children.length === 0) {
          x[i] = right + wide[i] / 2;
          right += wide[i] + gap;
          return;
        }
        level[i] = 1 + Math.max(...children.map((child) => level[child]));
        x[i] = (x[children[0]] + x[children[children.length - 1]]) / 2;
        const over = x[i] + wide[i] / 2 + gap - right; // a token wider than its parts pushes on
        if (over > 0) right += over;
      });
      const rise = 38 * unit;
      const top = Math.max(0, ...level);
      const y = level.map((value) => (top - value) * rise + 16 * unit);
      return { nodes, x, y, wide, extra, width: right + gap, height: top * rise + 44 * unit };
    }

    /** @param {Surface} surface @param {ReturnType<typeof arrange>} place @param {number} lit */
    function draw(surface, { nodes, x, y, wide, extra, height }, lit) {
      const { unit } = theme;
      nodes.forEach(([, , , , , children], i) => {
        for (const child of children)
          surface.line(x[i], y[i] + 9 * unit, x[child], y[child] - 9 * unit, {
            stroke: css(theme.quiet),
            width: theme.line,
          });
      });
      const roots = new Set(nodes.keys());
      nodes.forEach((node) => node[5].forEach((child) => roots.delete(child)));
      nodes.forEach(([token, , , rank, step], i) => {
        const on = step !== null && step === lit;
        surface.rect(x[i] - wide[i] / 2, y[i] - 10 * unit, wide[i], 20 * unit, {
          fill: css(theme.paper),
          stroke: css(on ? theme.accent : roots.has(i) ? theme.ink : theme.rule),
          width: (on ? 2.2 : roots.has(i) ? 1.6 : 1) * theme.line,
          radius: 4,
        });
        surface.text(x[i] - extra[i] / 2, y[i], visible(token), {
          size: 13,
          code: true,
          align: "center",
          weight: roots.has(i) ? 600 : 400,
        });
        if (rank !== null)
          surface.text(x[i] + wide[i] / 2 - 4 * unit, y[i] - 2 * unit, String(rank + 1), {
            size: 11.5,
            align: "right",
            fill: css(theme.quiet),
          });
      });
      for (const [start, end] of header.asked) {
        const leaves = nodes
          .map((node, i) => ({ node, i }))
          .filter(({ node }) => node[5].length === 0 && node[1] >= start && node[2] <= end);
        if (!leaves.length) continue;
        const [from, to] = [leaves[0].i, leaves[leaves.length - 1].i];
        surface.rect(
          x[from] - wide[from] / 2,
          height - 10 * unit,
          x[to] + wide[to] / 2 - x[from] + wide[from] / 2,
          4 * unit,
          { fill: css(theme.accent) },
        );
      }
    }

    function paint() {
      const place = arrange();
      draw(new CanvasSurface(canvas, place.width, place.height, theme), place, selected);
      canvas.setAttribute(
        "aria-label",
        `Tree of merges of ${header.word}: ${header.tokens.map(visible).join(" · ")}. The lines below say the same.`,
      );
      root.dataset.painted = `encoding ${header.tokens.length} tokens in ${header.steps.length} steps`;
      root.dataset.selected = String(selected);
      for (const row of lines.querySelectorAll("tr[data-step]"))
        row.setAttribute("aria-selected", String(/** @type {HTMLElement} */ (row).dataset.step === String(selected)));
      root.dataset.tokens = JSON.stringify(header.tokens);
    }

    function fill() {
      result.replaceChildren(
        element("b", "", `${header.tokens.length} ${header.tokens.length === 1 ? "token" : "tokens"} `),
        ...header.tokens.map((/** @type {string} */ token) => chip(token)),
      );
      const table = element("table");
      const head = table.createTHead().insertRow();
      ["#", "rule", "the word after it"].forEach((title) => head.append(element("th", "", title)));
      const body = table.createTBody();
      const start = body.insertRow();
      start.append(element("td", "rank", "–"), element("td", "rule quiet", "at first"));
      start.insertCell().append(...header.symbols.map((/** @type {string} */ token) => chip(token)));
      header.steps.forEach(
        (
          /** @type {[number, string, string, string, number[], string[]]} */ [
            rank,
            left,
            right,
            token,
            merged,
            tokens,
          ],
          /** @type {number} */ i,
        ) => {
          const row = body.insertRow();
          row.dataset.step = String(i);
          row.tabIndex = 0;
          row.className = i === header.culprit ? "culprit" : "";
          const rule = element("td", "rule");
          rule.append(chip(left), chip(right), " → ", chip(token));
          row.append(element("td", "rank", String(rank + 1)), rule);
          row.insertCell().append(...tokens.map((name, place) => chip(name, merged.includes(place))));
          const light = (/** @type {number} */ step) => {
            selected = step;
            paint();
          };
          row.addEventListener("pointerenter", () => light(i));
          row.addEventListener("focus", () => light(i));
          row.addEventListener("pointerleave", () => light(header.culprit));
        },
      );
      lines.replaceChildren(table);
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      const place = arrange();
      exportFigure(format, {
        root,
        name: "bpe-tree",
        caption: header.caption,
        theme,
        width: place.width,
        height: place.height,
        draw: (surface) => draw(surface, place, header.culprit),
      });
    }

    return {
      update(frame, nextTheme) {
        [header, theme] = [frame.header, nextTheme];
        selected = header.culprit;
        fill();
        paint();
      },
      retheme(next) {
        theme = next;
        paint();
      },
      resize() {
        paint();
      },
    };
  });
}
