// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** Boxes and arrows on a grid of units; the second canvas holds what lights up. */

const LARGEST_UNIT = 56; // px a unit of the grid
const SMALLEST_UNIT = 30; // below it the drawing scrolls sideways
const HEAD = 6; // px of an arrow's head

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    bar.appendChild(element("div", "quiet grow"));
    const tools = bar.appendChild(element("div", "tools"));
    const stack = root.appendChild(element("div", "scroll")).appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const tip = new Tooltip(root);
    const list = root.appendChild(element("ul", "unseen"));
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    base.setAttribute("role", "img");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    let unit = 40;
    let selected = "";
    let hover = "";

    const size = () => [frame.header.width * unit + 2, frame.header.height * unit + 2];
    const boxOf = (/** @type {string} */ id) => frame.header.boxes.find((/** @type {any} */ box) => box.id === id);

    /** @param {string | null} hue */
    function fillOf(hue) {
      if (!hue) return css(theme.paper);
      const [paper, ink] = [toOklab(theme.paper), toOklab(theme.hues[hue])];
      return css(fromOklab(paper.map((value, i) => value + 0.2 * (ink[i] - value))));
    }

    /** @param {Surface} surface */
    function draw(surface) {
      const frames = frame.header.boxes.filter((/** @type {any} */ box) => !box.text);
      for (const box of frames) drawFrame(surface, box);
      for (const arrow of frame.header.arrows) drawArrow(surface, arrow);
      for (const box of frame.header.boxes) if (box.text) drawBox(surface, box);
    }

    /** A box without a text stands around others: no fill, its note in a corner. @param {Surface} surface @param {any} box */
    function drawFrame(surface, box) {
      const [x, y, w, h] = [box.x * unit + 1, box.y * unit + 1, box.w * unit, box.h * unit];
      for (const side of dashes(x, y, w, h))
        surface.line(side[0], side[1], side[2], side[3], { stroke: css(theme.quiet), width: theme.line });
      surface.text(x + 5, y + h + 9 * theme.unit, box.sub, { size: 11.5, fill: css(theme.quiet) });
    }

    /** @param {Surface} surface @param {any} box */
    function drawBox(surface, box) {
      const [x, y, w, h] = [box.x * unit + 1, box.y * unit + 1, box.w * unit, box.h * unit];
      const stroke = css(box.hue ? theme.hues[box.hue] : theme.quiet);
      surface.rect(x, y, w, h, { fill: fillOf(box.hue), radius: 5 });
      if (box.dashed)
        for (const side of dashes(x, y, w, h))
          surface.line(side[0], side[1], side[2], side[3], { stroke, width: 1.2 * theme.line });
      else surface.rect(x, y, w, h, { stroke, width: 1.2 * theme.line, radius: 5 });
      const main = { size: 13, weight: 600 };
      const second = { size: 11.5 };
      const lines =
        h >= 40 * theme.unit
          ? wrapped(box.text, w - 8, fontOf(theme, main))
          : [fitted(box.text, w - 6, fontOf(theme, main))];
      const rows = lines.length + (box.sub ? 1 : 0);
      const line = Math.min(16 * theme.unit, (h - 4) / rows);
      lines.forEach((text, i) =>
        surface.text(x + w / 2, y + h / 2 + (i - (rows - 1) / 2) * line, text, { ...main, align: "center" }),
      );
      if (box.sub) {
        const text = fitted(box.sub, w - 6, fontOf(theme, second));
        surface.text(x + w / 2, y + h / 2 + ((rows - 1) / 2) * line, text, {
          ...second,
          align: "center",
          fill: css(theme.quiet),
        });
      }
    }

    /** @param {number} x @param {number} y @param {number} w @param {number} h */
    function dashes(x, y, w, h) {
      /** @type {number[][]} */
      const pieces = [];
      for (let at = 0; at < w; at += 9) {
        const to = Math.min(w, at + 5);
        pieces.push([x + at, y, x + to, y], [x + at, y + h, x + to, y + h]);
      }
      for (let at = 0; at < h; at += 9) {
        const to = Math.min(h, at + 5);
        pieces.push([x, y + at, x, y + to], [x + w, y + at, x + w, y + to]);
      }
      return pieces;
    }

    /** @param {Surface} surface @param {any} arrow */
    function drawArrow(surface, { points, label, dashed }) {
      const style = { stroke: css(theme.quiet), width: 1.3 * theme.line };
      const at = points.map((/** @type {number[]} */ [x, y]) => [x * unit + 1, y * unit + 1]);
      for (let i = 1; i < at.length; i++) {
        const [[x1, y1], [x2, y2]] = [at[i - 1], at[i]];
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        if (!dashed) surface.line(x1, y1, x2, y2, style);
        for (let s = 0; dashed && s < length; s += 9) {
          const [from, to] = [s / length, Math.min(1, (s + 5) / length)];
          surface.line(x1 + from * (x2 - x1), y1 + from * (y2 - y1), x1 + to * (x2 - x1), y1 + to * (y2 - y1), style);
        }
      }
      const [[x1, y1], [x2, y2]] = at.slice(-2);
      const angle = Math.atan2(y2 - y1, x2 - x1);
      for (const turn of [2.6, -2.6]) {
        surface.line(
          x2,
          y2,
          x2 + HEAD * theme.line * Math.cos(angle + turn),
          y2 + HEAD * theme.line * Math.sin(angle + turn),
          style,
        );
      }
      if (!label) return;
      const middle = Math.floor((at.length - 1) / 2);
      const [[ax, ay], [bx, by]] = [at[middle], at[middle + 1]];
      const upright = Math.abs(by - ay) > Math.abs(bx - ax);
      surface.text((ax + bx) / 2 + (upright ? 6 : 0), (ay + by) / 2 - (upright ? 0 : 9 * theme.unit), label, {
        size: 11.5,
        fill: css(theme.quiet),
        align: upright ? "left" : "center",
      });
    }

    function paintAll() {
      const { width } = frame.header;
      const room = Math.floor(root.clientWidth) - 4;
      unit = Math.max(SMALLEST_UNIT * theme.unit, Math.min(LARGEST_UNIT * theme.unit, room / width));
      const [w, h] = size();
      draw(new CanvasSurface(base, w, h, theme));
      root.dataset.painted = `${frame.header.boxes.length} boxes, ${frame.header.arrows.length} arrows`;
      root.dataset.geometry = JSON.stringify(
        Object.fromEntries(
          frame.header.boxes.map((/** @type {any} */ box) => [
            box.id,
            [(box.x + box.w / 2) * unit, (box.y + box.h / 2) * unit],
          ]),
        ),
      );
      paintOver();
    }

    function paintOver() {
      const [w, h] = size();
      const surface = new CanvasSurface(over, w, h, theme);
      for (const [id, stroke, width] of /** @type {[string, string, number][]} */ ([
        [selected, css(theme.accent), 2.4 * theme.line],
        [hover, css(theme.ink), 1.4 * theme.line],
      ])) {
        const box = id && boxOf(id);
        if (box)
          surface.rect(box.x * unit + 1, box.y * unit + 1, box.w * unit, box.h * unit, { stroke, width, radius: 5 });
      }
      root.dataset.selected = selected;
    }

    /** @param {MouseEvent} event */
    function locate(event) {
      const [x, y] = placeIn(stack, event).map((px) => px / unit);
      const under = frame.header.boxes.filter(
        (/** @type {any} */ box) => x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h,
      );
      return under.length ? under[under.length - 1].id : ""; // the last lies on top
    }

    /** @param {string} id */
    function choose(id) {
      selected = id;
      selection.choose(id);
      paintOver();
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!frame) return;
      hover = locate(event);
      const box = hover ? boxOf(hover) : undefined;

      if (box?.tip.length) tip.say(stack, ...placeIn(stack, event), box.tip);
      else tip.hide();
      paintOver();
    });
    stack.addEventListener("pointerleave", () => {
      hover = "";
      tip.hide();
      if (frame) paintOver();
    });
    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      if (frame?.header.clickable && locate(event)) choose(locate(event));
    });
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!frame?.header.clickable) return;
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!step && event.key !== "Escape") return;
      const ids = frame.header.boxes.map((/** @type {any} */ box) => box.id);
      choose(step ? ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(selected) + step))] : "");
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      const [width, height] = size();
      exportFigure(format, { root, name: "diagram", caption: frame.header.caption, width, height, theme, draw });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        const { header } = frame;
        if (selection.asked || (selected && !boxOf(selected))) selected = selection.seed;
        hover = "";
        tip.hide();
        stack.classList.toggle("choice", header.clickable);
        base.setAttribute("aria-label", header.label);
        stack.setAttribute(
          "aria-label",
          header.clickable ? `${header.label}. Arrow keys walk the boxes, Escape clears.` : header.label,
        );
        list.replaceChildren(
          ...header.boxes.map((/** @type {any} */ box) =>
            element("li", "", [box.text, box.sub, ...box.tip].filter(Boolean).join(": ")),
          ),
        );
        paintAll();
      },
      retheme(next) {
        theme = next;
        paintAll();
      },
      resize() {
        tip.hide();
        paintAll();
      },
    };
  });
}
