// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/**
 * Bars over letters. Every bar spans the letters that its piece is made of, so a cutting is
 * a row without holes, and a lattice shows all cuttings at once.
 */

const SMALLEST_COLUMN = 26; // px a letter
const LARGEST_COLUMN = 150;
const BAR = 26;
const NARROW_WIDTH = 560; // px below which names stand above their rows

/** @param {Component} component */
export default function (component) {
  return mount(component, (root) => {
    const bar = root.appendChild(element("div", "bar"));
    bar.appendChild(element("div", "quiet grow"));
    const tools = bar.appendChild(element("div", "tools"));
    const scroll = root.appendChild(element("div", "scroll"));
    const stack = scroll.appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const tip = new Tooltip(root);
    const table = root.appendChild(element("div", "unseen"));
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    base.setAttribute("role", "img");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {any} */ let plan;
    let cursor = -1;

    function arrange() {
      const { header } = frame;
      const { unit } = theme;
      const width = Math.floor(scroll.clientWidth) - 8;
      const narrow = width < NARROW_WIDTH * unit;
      const rows = header.sections.flatMap((/** @type {any} */ section) => section.rows);
      const widest = (/** @type {"name" | "note"} */ part) =>
        Math.max(0, ...rows.map((/** @type {any} */ row) => textWidth(row[part], fontOf(theme, { size: 13 }))));
      const left = narrow ? 0 : Math.min(widest("name") + 14 * unit, 0.26 * width);
      const right = narrow
        ? 0
        : Math.max(
            widest("note") + 12 * unit,
            header.marks.length ? textWidth(header.marks_title, fontOf(theme, { size: 12 })) + 32 * unit : 0,
          );
      const letters = Math.max(1, header.letters.length);
      const label = fontOf(theme, { size: 13, code: true });
      const needed = Math.max(
        SMALLEST_COLUMN * unit,
        ...rows.flatMap((/** @type {any} */ row) =>
          row.bars.map(
            (/** @type {any} */ one) => (textWidth(visible(one.label), label) + 14 * unit) / (one.end - one.start),
          ),
        ),
      );
      const column = Math.max(
        Math.min(needed, LARGEST_COLUMN * unit),
        Math.min((width - left - right) / letters, LARGEST_COLUMN * unit),
      );
      const x = (/** @type {number} */ place) => left + place * column;
      let y = 40 * unit;
      /** @type {any[]} */
      const bars = [];
      const sections = header.sections.map((/** @type {any} */ section, /** @type {number} */ number) => {
        const title = y + 8 * unit;
        if (section.title) y += 24 * unit;
        const tall = section.rows.map((/** @type {any} */ row) => {
          const above = narrow && (row.name || row.note) ? 16 * unit : 0;
          const top = y + above;
          y = top + (BAR + 4) * unit;
          row.bars.forEach((/** @type {any} */ one) =>
            bars.push({
              ...one,
              row,
              section: number,
              x: x(one.start) + 1.5,
              y: top,
              w: (one.end - one.start) * column - 3,
              h: BAR * unit,
            }),
          );
          return { ...row, top };
        });
        const bottom = y;
        y += 6 * unit;
        let marks = 0;
        if (number === 0 && header.marks.length) {
          marks = y + 8 * unit;
          y += 26 * unit;
        }
        return { ...section, title, text: section.title, rows: tall, bottom, marks };
      });
      return {
        left,
        column,
        x,
        sections,
        bars,
        narrow,
        width: Math.max(width, left + letters * column + right),
        height: y,
      };
    }

    /** @param {Surface} surface */
    function draw(surface) {
      const { header } = frame;
      const { unit } = theme;
      const paper = toOklab(theme.paper);
      const hue = toOklab(theme.hues.encoder);
      const tint = (/** @type {number} */ part) =>
        css(fromOklab(paper.map((value, i) => value + part * (hue[i] - value))));
      const quiet = css(theme.quiet);
      header.letters.forEach((/** @type {string} */ letter, /** @type {number} */ i) =>
        surface.text(plan.x(i + 0.5), 16 * unit, visible(letter), { size: 20, align: "center", code: true }),
      );
      for (const section of plan.sections) {
        const bottom = section.marks ? section.marks - 9 * unit : section.bottom;
        for (let place = 0; place <= header.letters.length && section.rows.length; place++) {
          surface.line(plan.x(place), section.rows[0].top - 3, plan.x(place), bottom, { stroke: css(theme.rule) });
        }
        if (section.text) surface.text(0, section.title + 4 * unit, section.text, { size: 13, weight: 600 });
        for (const row of section.rows) {
          const style = { size: plan.narrow ? 12 : 13, fill: quiet };
          if (plan.narrow) surface.text(0, row.top - 8 * unit, [row.name, row.note].filter(Boolean).join(" · "), style);
          else {
            surface.text(0, row.top + (BAR / 2) * unit, fitted(row.name, plan.left - 8, fontOf(theme, style)), style);
            surface.text(plan.x(header.letters.length) + 10 * unit, row.top + (BAR / 2) * unit, row.note, style);
          }
        }
        if (section.marks) {
          if (!plan.narrow)
            surface.text(plan.x(header.letters.length) + 30 * unit, section.marks, header.marks_title, {
              size: 12,
              fill: quiet,
            });
          header.marks.forEach((/** @type {string} */ mark, /** @type {number} */ i) => {
            const align = i ? "center" : "left";
            surface.text(plan.x(i), section.marks, mark, { size: 11.5, align, fill: quiet });
          });
        }
      }
      plan.sections.forEach((/** @type {any} */ section, /** @type {number} */ number) => {
        if (!section.joined) return;
        const path = plan.bars
          .filter((/** @type {any} */ one) => one.section === number && one.state === "lit")
          .sort((/** @type {any} */ a, /** @type {any} */ b) => a.start - b.start);
        for (let i = 0; i + 1 < path.length; i++) {
          const x = plan.x(path[i].end);
          surface.line(x, path[i].y + path[i].h / 2, x, path[i + 1].y + path[i + 1].h / 2, {
            stroke: css(theme.hues.encoder),
            width: 3 * theme.line,
          });
        }
      });
      for (const one of plan.bars) {
        const lit = one.state === "lit";
        const failed = one.state === "failed";
        const lost = one.state === "unknown";
        const fill = lost
          ? css(theme.ink)
          : lit
            ? css(theme.hues.encoder)
            : failed
              ? css(theme.paper)
              : tint(0.1 + 0.45 * Math.sqrt(one.strength));
        surface.rect(one.x, one.y, one.w, one.h, { fill, radius: 3 });
        if (failed)
          surface.rect(one.x + 0.5, one.y + 0.5, one.w - 1, one.h - 1, { stroke: css(theme.rule), radius: 3 });
        const style = { size: 13, code: true, weight: lit ? 600 : 400 };
        const ink = lit || lost ? css(theme.paper) : failed ? quiet : css(theme.ink);
        const text = fitted(visible(one.label), one.w - 2, fontOf(theme, style));
        surface.text(one.x + one.w / 2, one.y + one.h / 2, text, { ...style, align: "center", fill: ink });
        if (failed) {
          const wide = textWidth(text, fontOf(theme, style));
          surface.line(
            one.x + one.w / 2 - wide / 2 - 2,
            one.y + one.h / 2,
            one.x + one.w / 2 + wide / 2 + 2,
            one.y + one.h / 2,
            { stroke: quiet },
          );
        }
      }
    }

    function paintAll() {
      plan = arrange();
      draw(new CanvasSurface(base, plan.width, plan.height, theme));
      const lit = plan.bars.filter((/** @type {any} */ one) => one.state === "lit").length;
      root.dataset.painted = `${plan.bars.length} bars over ${frame.header.letters.length} letters, ${lit} lit`;
      root.dataset.geometry = JSON.stringify(
        plan.bars.map((/** @type {any} */ one) => [one.label, one.x + one.w / 2, one.y + one.h / 2]),
      );
      paintOver();
    }

    function paintOver() {
      const surface = new CanvasSurface(over, plan.width, plan.height, theme);
      const at = plan.bars[cursor];
      if (!at) return;
      for (const one of plan.bars) {
        if (one.start !== at.start || one.end !== at.end) continue;
        surface.rect(one.x - 0.5, one.y - 0.5, one.w + 1, one.h + 1, {
          stroke: css(theme.ink),
          width: 1.6 * theme.line,
          radius: 3,
        });
      }
    }

    /** @param {number} index @param {number} x @param {number} y */
    function point(index, x, y) {
      if (index !== cursor) {
        cursor = index;
        paintOver();
      }
      const at = plan.bars[index];
      if (!at) return tip.hide();
      const lines = at.tip.length ? at.tip : [at.label];
      tip.say(stack, x, y, lines);
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!plan) return;
      const [x, y] = placeIn(stack, event);
      point(
        plan.bars.findIndex(
          (/** @type {any} */ one) => x >= one.x && x <= one.x + one.w && y >= one.y && y <= one.y + one.h,
        ),
        x,
        y,
      );
    });
    for (const gone of ["pointerleave", "blur"]) stack.addEventListener(gone, () => plan && point(-1, 0, 0));
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!plan || (!step && event.key !== "Escape")) return;
      const index = step ? Math.max(0, Math.min(plan.bars.length - 1, cursor + step)) : -1;
      const one = plan.bars[index];
      point(index, one ? one.x + one.w / 2 : 0, one ? one.y + one.h / 2 : 0);
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, {
        root,
        name: "pieces",
        caption: frame.header.caption,
        width: plan.width,
        height: plan.height,
        theme,
        draw,
      });
    }

    function fillTable() {
      const body = element("table");
      body.append(element("caption", "", frame.header.label));
      for (const section of frame.header.sections) {
        for (const row of section.rows) {
          const line = body.appendChild(element("tr"));
          line.append(element("th", "", [section.title, row.name, row.note].filter(Boolean).join(", ")));
          for (const one of row.bars)
            line.append(
              element("td", "", one.tip.length ? one.tip.join("; ") : `${one.label} [${one.start}, ${one.end})`),
            );
        }
      }
      table.replaceChildren(body);
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        cursor = -1;
        tip.hide();
        base.setAttribute("aria-label", frame.header.label);
        stack.setAttribute("aria-label", `${frame.header.label}. Arrows walk the pieces.`);
        paintAll();
        fillTable();
      },
      retheme(next) {
        theme = next;
        paintAll();
      },
      resize: paintAll,
    };
  });
}
