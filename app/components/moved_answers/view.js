// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/**
 * Answers as rows on a scale from 0 to 1: what is left of the former probability, what was gained
 * or lost beside it, a hairline where it stood. Rows keep their nodes, so that bars move.
 */

const LINE = 28; // px a row of an exported figure

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const list = root.appendChild(element("div", "moved"));
    const foot = root.appendChild(element("div", "bar"));
    foot.appendChild(element("div", "grow quiet", "hairline: before the change · bar: after it"));
    const tools = foot.appendChild(element("div", "tools"));
    list.setAttribute("role", "group");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {Map<string, any>} */ let nodes = new Map();

    const worked = (/** @type {any} */ row) =>
      workedStep([row.after, row.before], row.after - row.before, (after, before) => after - before);
    const change = (/** @type {any} */ row) => signed(row.after - row.before, worked(row).result);
    const rank = (/** @type {any} */ row) =>
      row.rank_before === row.rank_after ? `${row.rank_after}` : `${row.rank_before} → ${row.rank_after}`;
    const values = (/** @type {any} */ row) => {
      const [after, before] = worked(row).operands;
      return `${before} → ${after}`;
    };

    /** @param {number} value @param {string} text */
    function signed(value, text) {
      if (Math.abs(value) < 5e-6) return "±0";
      return value > 0 ? `+${text}` : text;
    }

    /** @param {string} text @param {boolean} clickable */
    function made(text, clickable) {
      const node = clickable ? quietButton("", "", () => selection.click(Number(node.dataset.index))) : element("div");
      node.classList.add("row");
      node.removeAttribute("title");
      const track = element("div", "track");
      for (const part of ["kept", "moved-part", "was"]) track.append(element("div", part));
      node.append(
        element("span", "rank quiet"),
        element("span", "name", text),
        track,
        element("span", "value quiet"),
        element("span", "change"),
      );
      return node;
    }

    function fill() {
      const { rows, clickable } = frame.header;
      /** @type {Map<string, any>} */ const next = new Map();
      const share = (/** @type {number} */ value) => `${100 * Math.min(1, Math.max(0, value))}%`;
      rows.forEach((/** @type {any} */ row, /** @type {number} */ index) => {
        const key = `${clickable} ${row.text}`;
        const node = nodes.get(key) ?? made(row.text, clickable);
        next.set(key, node);
        node.dataset.index = String(index);
        node.dataset.before = String(row.before);
        node.dataset.after = String(row.after);
        node.classList.toggle("lit", row.lit);
        const [kept, part, was] = node.querySelector(".track").children;
        const [low, high] = [Math.min(row.before, row.after), Math.max(row.before, row.after)];
        kept.style.width = share(low);
        kept.style.background = css(theme.hues[frame.header.hue]);
        part.style.left = share(low);
        part.style.width = share(high - low);
        const gained = row.after > row.before;
        part.style.background = gained ? css(theme.hues[frame.header.hue]) : css(theme.hues.negative, 0.3);
        was.style.left = share(row.before);
        node.querySelector(".rank").textContent = rank(row);
        node.querySelector(".value").textContent = values(row);
        node.querySelector(".change").textContent = change(row);
        const spoken = `${row.text}: ${number(row.before)} before, ${number(row.after)} after, rank ${rank(row)}`;
        if (clickable) node.setAttribute("aria-label", spoken);
        if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
      });
      while (list.children.length > rows.length) list.lastElementChild?.remove();
      nodes = next;
      tools.hidden = !frame.header.caption;
      root.dataset.painted = `${rows.length} answers`;
    }

    list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const buttons = Array.from(list.querySelectorAll("button"));
      const at = buttons.indexOf(/** @type {any} */ (event.target));
      if (!step || at < 0) return;
      buttons[Math.min(buttons.length - 1, Math.max(0, at + step))].focus();
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { rows, caption } = frame.header;
      const { unit } = theme;
      const width = Math.max(480, Math.floor(root.clientWidth));
      const widest = (/** @type {(row: any) => string} */ text, size = 13) =>
        Math.max(...rows.map((/** @type {any} */ row) => textWidth(text(row), fontOf(theme, { size }))));
      const left = Math.min(0.4 * width, widest((row) => row.text, 14) + 12 * unit);
      const right = widest((row) => `${values(row)}   ${change(row)}`) + 10 * unit;
      const draw = (/** @type {Surface} */ surface) => {
        rows.forEach((/** @type {any} */ row, /** @type {number} */ i) => {
          const y = (i + 0.5) * LINE * unit;
          const room = width - left - right;
          const [low, high] = [Math.min(row.before, row.after), Math.max(row.before, row.after)];
          surface.text(0, y, fitted(row.text, left - 8, fontOf(theme, { size: 14 })), { size: 14 });
          surface.rect(left, y - 6 * unit, room, 12 * unit, { stroke: css(theme.rule), radius: 2 });
          surface.rect(left, y - 6 * unit, Math.max(1, room * row.after), 12 * unit, {
            fill: css(theme.hues[frame.header.hue]),
            radius: 2,
          });
          if (row.after < row.before)
            surface.rect(left + room * low, y - 6 * unit, room * (high - low), 12 * unit, {
              fill: css(theme.hues.negative, 0.3),
            });
          surface.rect(left + room * row.before, y - 9 * unit, 2 * unit, 18 * unit, { fill: css(theme.ink) });
          surface.text(width, y, `${values(row)}   ${change(row)}`, { size: 13, align: "right" });
        });
      };
      exportFigure(format, {
        root,
        name: "before-and-after",
        caption,
        width,
        height: rows.length * LINE * unit,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        list.setAttribute("aria-label", frame.header.label);
        fill();
      },
      retheme(next) {
        theme = next;
        fill();
      },
      resize() {},
    };
  });
}
