// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="../player.js" />
/**
 * Points on their way: trails behind them, a count beside those that have met. Between two
 * neighbouring steps the points glide, unless the reader wants no motion.
 */

const LARGEST = 460; // px of the square
const GLIDE = 220; // ms from one step to the next
const PACE = 420; // ms a step while playing
const NEAR = 14; // px within which the pointer finds a point
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    root.classList.add("drift");
    root.tabIndex = -1;
    const bar = root.appendChild(element("div"));
    const player = new Player(root, bar, {
      name: "Step of the iteration",
      pace: PACE,
      show: () => glide(),
      tell: (step) => selection.choose(step),
    });
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save, "this step");
    const says = root.appendChild(element("div", "says quiet"));
    says.setAttribute("aria-live", "polite");
    const stack = root.appendChild(element("div", "stack"));
    const canvas = stack.appendChild(element("canvas"));
    canvas.setAttribute("role", "img");
    const tip = new Tooltip(root);
    const table = root.appendChild(element("div", "unseen"));

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    let size = 0; // px of the square
    let from = 0; // the step that the points glide away from
    let begun = 0; // when; 0: they stand
    let hover = -1;

    /** @param {number} step @param {number} point @param {0 | 1} axis */
    const coordinate = (step, point, axis) =>
      frame.arrays.points[(step * frame.arrays.points.shape[1] + point) * 2 + axis];
    const across = (/** @type {number} */ value) => (0.5 + value / (2 * frame.header.extent)) * size;

    /** Where a point stands while `share` of the way from `from` is done. @param {number} point @param {number} share */
    function place(point, share) {
      const [x, y] = [0, 1].map((axis) => {
        const [before, after] = [
          coordinate(from, point, /** @type {0} */ (axis)),
          coordinate(player.at, point, /** @type {0} */ (axis)),
        ];
        return before + share * (after - before);
      });
      return [across(x), across(-y)];
    }

    /** @param {Surface} surface @param {number} share */
    function draw(surface, share) {
      const { unit } = theme;
      const count = frame.arrays.points.shape[1];
      const rule = css(theme.rule);
      surface.rect(0.5, 0.5, size - 1, size - 1, { stroke: rule });
      surface.line(across(0), 0, across(0), size, { stroke: rule });
      surface.line(0, across(0), size, across(0), { stroke: rule });
      const places = Array.from({ length: count }, (_, point) => place(point, share));
      for (let point = 0; point < count; point++) trail(surface, point, places[point]);
      const radius = 4.5 * unit;
      places.forEach(([x, y], point) => {
        const style = {
          fill: css(theme.hues.encoder),
          stroke: css(point === hover ? theme.accent : theme.paper),
          width: point === hover ? 2 : 1,
          radius,
        };
        surface.rect(x - radius, y - radius, 2 * radius, 2 * radius, style);
      });
      for (const { x, y, members } of groups(places)) {
        if (members > 1) surface.text(x + 8 * unit, y - 9 * unit, `×${members}`, { size: 13, weight: 600 });
      }
    }

    /** @param {Surface} surface @param {number} point @param {number[]} end */
    function trail(surface, point, end) {
      const lit = point === hover;
      const style = {
        stroke: css(lit ? theme.accent : theme.quiet),
        width: (lit ? 1.8 : 0.8) * theme.line,
        alpha: lit ? 1 : 0.35,
      };
      let [x, y] = [across(coordinate(0, point, 0)), across(-coordinate(0, point, 1))];
      const corners = Array.from({ length: Math.min(from, player.at) }, (_, step) => [
        across(coordinate(step + 1, point, 0)),
        across(-coordinate(step + 1, point, 1)),
      ]);
      for (const [nextX, nextY] of [...corners, end]) {
        if (Math.hypot(nextX - x, nextY - y) > 0.3) surface.line(x, y, nextX, nextY, style);
        [x, y] = [nextX, nextY];
      }
    }

    /** Points that stand at one place, counted. @param {number[][]} places */
    function groups(places) {
      const apart = Math.max(0.5, (frame.header.same / (2 * frame.header.extent)) * size);
      /** @type {{x: number, y: number, members: number}[]} */ const found = [];
      for (const [x, y] of places) {
        const group = found.find((one) => Math.hypot(one.x - x, one.y - y) <= apart);
        if (group) group.members++;
        else found.push({ x, y, members: 1 });
      }
      return found;
    }

    function glide() {
      const neighbour = Math.abs(player.at - from) === 1;
      begun = neighbour && !still.matches ? performance.now() : 0;
      if (!begun) from = player.at;
      paint();
    }

    function paint() {
      const share = begun ? Math.min(1, (performance.now() - begun) / GLIDE) : 1;
      draw(new CanvasSurface(canvas, size, size, theme), share);
      if (begun && share < 1) return void requestAnimationFrame(paint);
      [from, begun] = [player.at, 0];
      const at = player.at;
      const words = wordsAt(at);
      says.textContent = words;
      canvas.setAttribute("aria-label", `${frame.header.label}, step ${at} of ${player.last}: ${words}`);
      root.dataset.painted = `step ${at} of ${player.last}, ${frame.header.clusters[at]} groups`;
    }

    /** @param {number} at */
    function wordsAt(at) {
      const { clusters } = frame.header;
      const { diameters, moves } = frame.arrays;
      return `${clusters[at]} ${clusters[at] === 1 ? "group" : "groups"} · diameter ${number(diameters[at])} · largest move of this step ${number(moves[at])}`;
    }

    function tabulate() {
      const rows = Array.from({ length: frame.arrays.points.shape[1] }, (_, point) => {
        const row = element("tr");
        const ends = [0, player.last].map(
          (step) => `${number(coordinate(step, point, 0))}, ${number(coordinate(step, point, 1))}`,
        );
        row.append(...[`point ${point + 1}`, ...ends].map((text) => element("td", "", text)));
        return row;
      });
      const head = element("tr");
      head.append(...["point", "first step", "last step"].map((text) => element("th", "", text)));
      const made = element("table");
      made.append(head, ...rows);
      table.replaceChildren(made);
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const [x, y] = placeIn(canvas, event);
      const distances = Array.from({ length: frame.arrays.points.shape[1] }, (_, point) => {
        const [left, top] = place(point, 1);
        return Math.hypot(left - x, top - y);
      });
      const nearest = distances.indexOf(Math.min(...distances));
      light(distances[nearest] <= NEAR ? nearest : -1);
      if (hover < 0) return tip.hide();
      const [left, top] = place(hover, 1);
      tip.show(canvas, left, top, [
        element(
          "div",
          "",
          `point ${hover + 1}: ${number(coordinate(player.at, hover, 0))}, ${number(coordinate(player.at, hover, 1))}`,
        ),
      ]);
    });
    stack.addEventListener("pointerleave", () => {
      tip.hide();
      light(-1);
    });

    /** @param {number} point */
    function light(point) {
      if (point === hover) return;
      hover = point;
      if (!begun) paint();
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      const caption = `${frame.header.caption} · step ${player.at} of ${player.last}`;
      exportFigure(format, {
        root,
        name: "iterated-attention",
        caption,
        width: size,
        height: size,
        theme,
        draw: (surface) => draw(surface, 1),
      });
    }

    const resize = (/** @type {number} */ width) => {
      size = Math.min(width, LARGEST * theme.unit);
      holdTallest(
        says,
        Array.from({ length: player.last + 1 }, (_, at) => wordsAt(at)),
      );
      paint();
    };
    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        hover = -1;
        player.reset(frame.arrays.points.shape[0] - 1, selection.asked ? selection.seed : player.at);
        [from, begun] = [player.at, 0];
        tabulate();
        resize(Math.floor(root.clientWidth));
      },
      retheme(next) {
        theme = next;
        resize(Math.floor(root.clientWidth));
      },
      resize,
    };
  });
}
