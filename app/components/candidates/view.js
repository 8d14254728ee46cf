// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** Candidates as rows: the token, a bar on a scale from 0 to 1, the probability, a note. */

const ROW = 26; // px a row of an exported figure

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const list = root.appendChild(element("div", "rows"));
    const foot = root.appendChild(element("div", "bar"));
    const tools = foot.appendChild(element("div", "tools"));
    const tip = new Tooltip(root);
    list.setAttribute("role", "group");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;

    function fill() {
      const { rows, clickable, hue } = frame.header;
      const focused = Array.from(list.children).indexOf(/** @type {any} */ (root.getRootNode()).activeElement);
      list.replaceChildren(
        ...rows.map((/** @type {any} */ row, /** @type {number} */ i) => {
          const node = clickable ? quietButton("", "", () => selection.click(i)) : element("div");
          node.classList.add("row");
          if (row.lit) node.classList.add("lit");
          node.removeAttribute("title");
          const track = element("div", "track");
          const bar = track.appendChild(element("div", "fill"));
          bar.style.width = `${100 * Math.min(1, Math.max(0, row.probability))}%`;
          bar.style.background = css(theme.hues[hue]);
          const value = element("span", "value", number(row.probability));
          if (row.note) value.append(element("span", "quiet", row.note));
          node.append(element("span", "token", visible(row.text)), track, value);
          node.dataset.probability = String(row.probability);
          tipOn(tip, node, 60, [...row.tip, idsTold(row.token_id)].filter(Boolean));
          return node;
        }),
      );
      if (focused >= 0) /** @type {any} */ (list.children[Math.min(focused, list.children.length - 1)])?.focus();
      tools.hidden = !frame.header.caption;
      root.dataset.painted = `${rows.length} candidates`;
    }

    list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const nodes = Array.from(list.querySelectorAll("button"));
      const at = nodes.indexOf(/** @type {any} */ (event.target));
      if (!step || at < 0) return;
      nodes[Math.min(nodes.length - 1, Math.max(0, at + step))].focus();
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { rows, hue, caption } = frame.header;
      const { unit } = theme;
      const width = Math.max(360, Math.floor(root.clientWidth));
      const token = { size: 14, code: true };
      const left = Math.min(
        0.4 * width,
        Math.max(...rows.map((/** @type {any} */ row) => textWidth(visible(row.text), fontOf(theme, token)))) +
          12 * unit,
      );
      const values = rows.map((/** @type {any} */ row) =>
        [number(row.probability), row.note].filter(Boolean).join("  "),
      );
      const right =
        Math.max(...values.map((/** @type {string} */ text) => textWidth(text, fontOf(theme, { size: 13 })))) +
        10 * unit;
      const draw = (/** @type {Surface} */ surface) => {
        rows.forEach((/** @type {any} */ row, /** @type {number} */ i) => {
          const y = (i + 0.5) * ROW * unit;
          surface.text(0, y, fitted(visible(row.text), left - 8, fontOf(theme, token)), {
            ...token,
            weight: row.lit ? 600 : 400,
          });
          const room = width - left - right;
          surface.rect(left, y - 6 * unit, room, 12 * unit, { stroke: css(theme.rule), radius: 2 });
          surface.rect(left, y - 6 * unit, Math.max(1, room * Math.min(1, row.probability)), 12 * unit, {
            fill: css(theme.hues[hue]),
            radius: 2,
          });
          surface.text(width, y, values[i], { size: 13, align: "right", weight: row.lit ? 600 : 400 });
        });
      };
      exportFigure(format, { root, name: "candidates", caption, width, height: rows.length * ROW * unit, theme, draw });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        tip.hide();
        list.setAttribute("aria-label", frame.header.label);
        fill();
      },
      retheme(next) {
        theme = next;
        fill();
      },
      resize() {
        tip.hide();
      },
    };
  });
}
