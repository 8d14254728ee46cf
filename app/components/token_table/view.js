// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** A table of tokens: the browser lays it out, the first column stays when it scrolls. */

const LINE = 24; // px a row of an exported figure
const NOTHING = [-1, -1];

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const readout = bar.appendChild(element("div", "readout grow quiet"));
    const tools = bar.appendChild(element("div", "tools"));
    const scroll = root.appendChild(element("div", "scroll"));
    const legend = root.appendChild(element("div", "quiet legend"));
    readout.setAttribute("aria-live", "polite");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "group");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {HTMLElement[][]} */ let nodes = [];
    let selected = NOTHING;

    const label = (/** @type {string} */ text) => (text && frame.header.tokens ? visible(text) : text);
    const shadeOf = (/** @type {number} */ i) =>
      fromLookup(
        hueRamp(theme, theme.hues[frame.header.hue]),
        Math.round(255 * Math.min(1, Math.max(0, frame.arrays.shades[i]))),
      );

    function fill() {
      const { header, arrays } = frame;
      const table = element("table", "tokens");
      table.append(element("caption", "unseen", header.label));
      const head = table.appendChild(element("tr"));
      head.append(element("th", "corner", header.row_title));
      for (const text of header.columns) head.append(element("th", "code", label(text)));
      nodes = header.rows.map((/** @type {string} */ text, /** @type {number} */ row) => {
        const line = table.appendChild(element("tr"));
        line.append(element("th", "", text));
        return header.cells[row].map((/** @type {string} */ token, /** @type {number} */ column) => {
          const i = row * header.columns.length + column;
          const cell = line.appendChild(element("td", "", label(token)));
          const shade = shadeOf(i);
          cell.style.background = css(shade);
          cell.style.color = css(inkOn(theme, shade));
          if (arrays.marked?.[i]) cell.classList.add("marked");
          cell.addEventListener("click", () => choose([row, column]));
          cell.addEventListener("pointerenter", () => tell([row, column]));
          return cell;
        });
      });
      table.addEventListener("pointerleave", () => tell(selected));
      scroll.replaceChildren(table);
      tools.hidden = !header.caption;
      sayHowWide();
      root.dataset.painted = `${header.rows.length} x ${header.columns.length} tokens`;
      light();
    }

    /** Its width is known once it stands in the page, and changes with the column's. */
    function sayHowWide() {
      const { columns, shade_title } = frame.header;
      const wider = scroll.scrollWidth > scroll.clientWidth + 1;
      legend.textContent = [shade_title, wider ? `${columns.length} columns: scroll sideways to see all.` : ""]
        .filter(Boolean)
        .join(" ");
    }

    function light() {
      nodes.forEach((line, row) =>
        line.forEach((node, column) => node.classList.toggle("lit", row === selected[0] && column === selected[1])),
      );
      root.dataset.selected = JSON.stringify(selected);
      tell(selected);
    }

    /** @param {number[]} cell */
    function tell([row, column]) {
      readout.textContent = "";
      if (row < 0) return;
      const { header, arrays } = frame;
      const i = row * header.columns.length + column;
      const place = [
        `${header.row_title} ${header.rows[row]}`,
        `${header.column_title} ${label(header.columns[column])}`,
      ];
      tellParts(readout, [
        label(header.cells[row][column]),
        number(arrays.shades[i]),
        header.notes[row]?.[column],
        ...place,
        idsTold(header.cell_ids[row]?.[column], header.column_ids[column]),
      ]);
    }

    /** @param {number[]} cell */
    function choose(cell) {
      selected = cell;
      selection.choose(cell);
      light();
      if (cell[0] >= 0) nodes[cell[0]][cell[1]].scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    scroll.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = arrowStep(event.key);
      if (!step && event.key !== "Escape") return;
      const hold = (/** @type {number} */ i, /** @type {number} */ n) => Math.min(n - 1, Math.max(0, i));
      if (!step) choose(NOTHING);
      else if (selected[0] < 0) choose([nodes.length - 1, nodes[0].length - 1]);
      else choose([hold(selected[0] + step[0], nodes.length), hold(selected[1] + step[1], nodes[0].length)]);
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { header, arrays } = frame;
      const line = LINE * theme.unit;
      const code = { size: 13, code: true };
      const widest = (/** @type {string[]} */ texts) =>
        Math.min(110 * theme.unit, Math.max(...texts.map((text) => textWidth(label(text), fontOf(theme, code))))) + 10;
      const left = widest([header.row_title, ...header.rows]);
      const wide = header.columns.map((/** @type {string} */ text, /** @type {number} */ column) =>
        widest([text, ...header.cells.map((/** @type {string[]} */ row) => row[column])]),
      );
      const width = left + wide.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
      const draw = (/** @type {Surface} */ surface) => {
        header.rows.forEach((/** @type {string} */ text, /** @type {number} */ row) =>
          surface.text(left - 6, (row + 1.5) * line, text, { size: 12, align: "right", fill: css(theme.quiet) }),
        );
        let x = left;
        header.columns.forEach((/** @type {string} */ text, /** @type {number} */ column) => {
          const w = wide[column];
          surface.text(x + w / 2, line / 2, fitted(label(text), w - 4, fontOf(theme, code)), {
            ...code,
            align: "center",
            fill: css(theme.quiet),
          });
          header.cells.forEach((/** @type {string[]} */ cells, /** @type {number} */ row) => {
            const i = row * header.columns.length + column;
            const shade = shadeOf(i);
            surface.rect(x, (row + 1) * line, w - 1, line - 1, {
              fill: css(shade),
              stroke: arrays.marked?.[i] ? css(theme.ink) : undefined,
              width: 2,
            });
            surface.text(x + w / 2, (row + 1.5) * line, fitted(label(cells[column]), w - 4, fontOf(theme, code)), {
              ...code,
              align: "center",
              fill: css(inkOn(theme, shade)),
            });
          });
          x += w;
        });
      };
      exportFigure(format, {
        root,
        name: "tokens",
        caption: header.caption,
        width,
        height: (header.rows.length + 1) * line,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        const { header } = frame;
        if (selection.asked || selected[0] >= header.rows.length || selected[1] >= header.columns.length)
          selected = selection.seed;
        scroll.setAttribute("aria-label", `${header.label}. Arrow keys move the selected cell, Escape clears.`);
        fill();
      },
      retheme(next) {
        theme = next;
        fill();
      },
      resize() {
        sayHowWide();
      },
    };
  });
}
