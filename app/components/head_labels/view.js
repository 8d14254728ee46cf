// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** Heads as coloured cells, a row a layer: hover says what the label means, a click selects. */

const WIDEST = 62; // px of a cell
const HIGHEST = 27;
const TALLEST = 400; // px of all rows
const MARGIN = 40; // px for layers' numbers

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const legend = bar.appendChild(element("div", "legend grow"));
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save);
    const stack = root.appendChild(element("div", "scroll")).appendChild(element("div", "stack"));
    const [base, over] = [stack.appendChild(element("canvas")), stack.appendChild(element("canvas"))];
    const readout = root.appendChild(element("div", "readout quiet"));
    readout.setAttribute("aria-live", "polite");
    const tip = new Tooltip(root);
    const table = root.appendChild(element("div", "unseen"));
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    base.setAttribute("role", "img");

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    let place = { left: 0, top: 0, wide: 0, high: 0, width: 0, height: 0 };
    let selected = [0, 0];
    /** @type {number[] | null} */ let hover = null;

    const rows = () => /** @type {number[][]} */ (frame.header.labels);
    /** @param {number} layer @param {number} head */
    const scoreOf = (layer, head) =>
      frame.arrays.scores[
        rows()
          .slice(0, layer)
          .reduce((sum, row) => sum + row.length, 0) + head
      ];
    /** @param {number} label @returns {Rgb} */
    const colourOf = (label) => {
      const index = frame.header.legend[label][2];
      return index === null ? theme.rule : theme.heads[index];
    };

    function arrange() {
      const { unit } = theme;
      const most = Math.max(...rows().map((row) => row.length));
      const [left, top] = [MARGIN * unit, 34 * unit];
      const wide = Math.max(9, Math.min(WIDEST * unit, (root.clientWidth - left - 2) / most));
      const high = Math.max(8, Math.min(HIGHEST * unit, (TALLEST * unit) / rows().length));
      place = {
        left,
        top,
        wide,
        high,
        width: Math.max(root.clientWidth, left + most * wide + 2),
        height: top + rows().length * high + 4,
      };
    }

    /** @param {Surface} surface */
    function draw(surface) {
      const { left, top, wide, high } = place;
      const quiet = { size: 12, fill: css(theme.quiet) };
      const most = Math.max(...rows().map((row) => row.length));
      surface.text(left, 8 * theme.unit, "head", quiet);
      surface.text(0, 8 * theme.unit, "layer", quiet);
      const every = wide < 18 * theme.unit ? 4 : 1;
      for (let head = 0; head < most; head += every)
        surface.text(left + (head + 0.5) * wide, 25 * theme.unit, String(head), { ...quiet, align: "center" });
      const printed = numbersFor(frame.arrays.scores, wide - 3, high, theme);
      rows().forEach((row, layer) => {
        const y = top + layer * high;
        if (high >= 12 || layer % 2 === 0)
          surface.text(left - 8, y + high / 2, String(layer), { ...quiet, align: "right" });
        row.forEach((label, head) => {
          const colour = colourOf(label);
          surface.rect(left + head * wide + 1, y + 1, wide - 2, high - 2, { fill: css(colour), radius: 2 });
          if (printed)
            surface.text(left + (head + 0.5) * wide, y + high / 2, printed.of(scoreOf(layer, head)), {
              size: printed.size,
              align: "center",
              fill: css(inkOn(theme, colour)),
            });
        });
      });
    }

    function paint() {
      arrange();
      draw(new CanvasSurface(base, place.width, place.height, theme));
      paintLegend();
      paintOver();
      root.dataset.painted = rows()
        .map((row) => row.map((label) => frame.header.legend[label][0]).join(" "))
        .join(" / ");
      root.dataset.geometry = JSON.stringify([place.left, place.top, place.wide, place.high]);
    }

    function paintLegend() {
      const counts = frame.header.legend.map(
        (/** @type {any} */ _, /** @type {number} */ label) =>
          rows()
            .flat()
            .filter((one) => one === label).length,
      );
      legend.replaceChildren(
        ...frame.header.legend.map((/** @type {[string, string]} */ [name, meaning]) => {
          const label = frame.header.legend.findIndex((/** @type {any} */ one) => one[0] === name);
          const item = element("span");
          const swatch = item.appendChild(element("span", "swatch"));
          swatch.style.background = css(colourOf(label));
          item.append(`${name} ${counts[label]}`);
          item.title = meaning;
          return item;
        }),
      );
    }

    function paintOver() {
      const surface = new CanvasSurface(over, place.width, place.height, theme);
      const box = (/** @type {number[]} */ [layer, head], /** @type {string} */ stroke, /** @type {number} */ width) =>
        surface.rect(place.left + head * place.wide, place.top + layer * place.high, place.wide, place.high, {
          stroke,
          width,
          radius: 2,
        });
      box(selected, css(theme.accent), 2.5 * theme.line);
      if (hover) box(hover, css(theme.ink), 1.4 * theme.line);
      root.dataset.selected = JSON.stringify(selected);
      readout.textContent = describe(hover ?? selected).join(" · ");
    }

    /** @param {number[]} at */
    function describe([layer, head]) {
      const [name, meaning] = frame.header.legend[rows()[layer][head]];
      return [
        `layer ${layer}, head ${head}: ${name} ${number(scoreOf(layer, head))}`,
        meaning,
        frame.header.notes[layer][head],
      ];
    }

    /** @param {PointerEvent | MouseEvent} event */
    function locate(event) {
      const bounds = stack.getBoundingClientRect();
      const layer = Math.floor((event.clientY - bounds.top - place.top) / place.high);
      const head = Math.floor((event.clientX - bounds.left - place.left) / place.wide);
      return rows()[layer]?.[head] === undefined ? null : [layer, head];
    }

    /** @param {number[]} at */
    function choose(at) {
      selected = at;
      selection.choose(at);
      paintOver();
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!frame) return;
      hover = locate(event);

      if (hover) tip.say(stack, ...placeIn(stack, event), describe(hover));
      else tip.hide();
      paintOver();
    });
    stack.addEventListener("pointerleave", () => {
      hover = null;
      tip.hide();
      if (frame) paintOver();
    });
    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const at = frame ? locate(event) : null;
      if (at) choose(at);
    });
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = arrowStep(event.key);
      if (!frame || !step) return;
      const layer = Math.min(rows().length - 1, Math.max(0, selected[0] + step[0]));
      choose([layer, Math.min(rows()[layer].length - 1, Math.max(0, selected[1] + step[1]))]);
      event.preventDefault();
    });

    function tabulate() {
      const made = element("table");
      made.append(element("caption", "", frame.header.label));
      rows().forEach((row, layer) => {
        const line = made.appendChild(element("tr"));
        line.append(element("th", "", `layer ${layer}`));
        row.forEach((label, head) =>
          line.append(element("td", "", `${frame.header.legend[label][0]} ${number(scoreOf(layer, head))}`)),
        );
      });
      table.replaceChildren(made);
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      const key = frame.header.legend
        .map((/** @type {[string, string]} */ [name, meaning]) => `${name}: ${meaning}`)
        .join("; ");
      const row = 22 * theme.unit;
      const swatches = (/** @type {Surface} */ surface) => {
        let x = 0;
        frame.header.legend.forEach((/** @type {[string, string]} */ [name], /** @type {number} */ label) => {
          surface.rect(x, 4, 12, 12, { fill: css(colourOf(label)) });
          surface.text(x + 18, 10, name, { size: 12 });
          x += 34 + textWidth(name, fontOf(theme, { size: 12 }));
        });
        surface.shifted(0, row, () => draw(surface));
      };
      exportFigure(format, {
        root,
        name: "head-labels",
        caption: `${frame.header.caption} · ${key}`,
        width: place.width,
        height: place.height + row,
        theme,
        draw: swatches,
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        const { label } = frame.header;
        if (selection.asked || rows()[selected[0]]?.[selected[1]] === undefined) selected = selection.seed;
        hover = null;
        tip.hide();
        base.setAttribute("aria-label", label);
        stack.setAttribute("aria-label", `${label}. Arrow keys move the selected head.`);
        tabulate();
        paint();
      },
      retheme(next) {
        theme = next;
        paint();
      },
      resize() {
        tip.hide();
        paint();
      },
    };
  });
}
