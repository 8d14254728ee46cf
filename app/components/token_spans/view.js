// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="layout.js" />
/// <reference path="detail.js" />
/// <reference path="painting.js" />
/**
 * Lanes of tokens under the text. The base canvas holds boxes; a second one above it what is
 * pointed at, so that hovering repaints outlines only.
 */

const BESIDE = 900; // px from which the detail stands beside the lanes
const NARROW = 560; // px below which names stand above their lanes
const MOST_ROWS = 400; // tokens a lane in the table for screen readers

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    bar.appendChild(element("div", "quiet grow legend"));
    const tools = bar.appendChild(element("div", "tools"));
    const split = root.appendChild(element("div", "split"));
    const place = split.appendChild(element("div", "place"));
    const detail = split.appendChild(element("div", "detail"));
    const stack = place.appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const spoken = root.appendChild(element("div", "unseen"));
    const table = root.appendChild(element("div", "unseen"));
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    stack.setAttribute("aria-roledescription", "tokens of several tokenizers");
    base.setAttribute("role", "img");
    spoken.setAttribute("aria-live", "polite");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {any} */ let plan;
    /** @type {[number, number] | null} */ let selected = null;
    /** @type {any} */ let hover = null; // {place, only}
    /** @type {any} */ let cursor = null; // {lane, i}: the keyboard's

    /** @param {number} width */
    function arrange(width) {
      const { unit } = theme;
      const narrow = width < NARROW * unit;
      const gutter = narrow ? 0 : Math.min(200 * unit, 0.24 * width);
      const found = spanLayout(frame, theme, width, gutter);
      const high = (frame.header.show_ids ? 38 : 25) * unit;
      const ruler = (frame.header.show_bytes ? 42 : 27) * unit;
      const name = narrow ? 16 * unit : 0;
      let y = 2;
      const lines = found.lines.map((/** @type {any} */ line, /** @type {number} */ number) => {
        const top = y;
        const above = number === 0 ? name : 0; // names stand above the first line's lanes
        const lanes = found.lanes.map(
          (/** @type {any} */ _, /** @type {number} */ i) => top + ruler + i * (high + 4 * unit + above) + above,
        );
        y = top + ruler + found.lanes.length * (high + 4 * unit + above) + 16 * unit;
        const boxes = found.lanes.map((/** @type {any} */ lane) => boxesOn(found, lane, line));
        return { ...line, top, lanes, boxes };
      });
      return { ...found, lines, gutter, high, ruler, name, narrow, width, height: Math.max(y, 40) };
    }

    const draw = (/** @type {Surface} */ surface) => drawSpans(surface, frame, plan);

    function paintAll() {
      const beside = root.clientWidth >= BESIDE * theme.unit;
      split.classList.toggle("beside", beside);
      plan = arrange(Math.floor(place.clientWidth));
      draw(new CanvasSurface(base, plan.width, plan.height, theme));
      const tokens = plan.lanes.map((/** @type {any} */ lane) => lane.tokens.length);
      root.dataset.painted = `tokens ${tokens.join(" ")} in ${plan.lines.length} lines, ${frame.header.cuts.length} disputed`;
      root.dataset.geometry = JSON.stringify(
        plan.lanes.map((/** @type {any} */ lane) =>
          lane.tokens.slice(0, MOST_ROWS).map((/** @type {any} */ token) => {
            const line = plan.lines.find((/** @type {any} */ one) => spanBox(plan, token, one));
            const found = line && spanBox(plan, token, line);
            return found ? [plan.gutter + found[0] + found[1] / 2, line.lanes[lane.number] + plan.high / 2] : null;
          }),
        ),
      );
      paintOver();
    }

    function paintOver() {
      const surface = new CanvasSurface(over, plan.width, plan.height, theme);
      const outline = (
        /** @type {[number, number]} */ [first, last],
        /** @type {any} */ only,
        /** @type {string} */ stroke,
        /** @type {number} */ wide,
      ) => {
        for (const line of plan.lines) {
          for (const lane of plan.lanes) {
            for (const { token, x, w } of line.boxes[lane.number]) {
              if (only ? only.lane !== lane.number || only.i !== token.i : !covers(token, first, last)) continue;
              surface.rect(plan.gutter + x - 0.5, line.lanes[lane.number] - 0.5, w + 1, plan.high + 1, {
                stroke,
                width: wide,
                radius: 3,
              });
            }
          }
          if (last <= line.first || first >= line.last) continue;
          const [x, end] = [
            plan.gutter + line.left(Math.max(first, line.first)),
            plan.gutter + line.right(Math.min(last, line.last)),
          ];
          surface.rect(x, line.top + plan.ruler - 4, end - x - GAP, 2 * theme.line, { fill: stroke });
        }
      };
      if (selected) outline(selected, null, css(theme.accent), 2 * theme.line);
      if (hover) outline(hover.place, hover.only, css(theme.ink), 1.6 * theme.line);
      const shown = hover ?? (selected ? { place: selected, only: null } : null);
      detail.replaceChildren(...detailOf(frame, plan.lanes, shown?.place ?? null, shown?.only ?? null));
      root.dataset.selection = JSON.stringify(selected);
      root.dataset.hover = JSON.stringify(hover?.place ?? null);
    }

    /** @param {any} token @param {number} lane */
    const target = (token, lane) => ({
      place: [token.first, token.last],
      only: token.first === token.last ? { lane, i: token.i } : null,
      lane,
      i: token.i,
    });

    /** @param {MouseEvent} event */
    function locate(event) {
      const [x, y] = placeIn(stack, event);
      const line = plan.lines.findLast((/** @type {any} */ one) => y >= one.top);
      if (!line) return null;
      const lane = plan.lanes.find(
        (/** @type {any} */ one) => y >= line.lanes[one.number] && y <= line.lanes[one.number] + plan.high,
      );
      if (lane) {
        const at = x - plan.gutter;
        const found = line.boxes[lane.number].find(
          (/** @type {any} */ one) => at >= one.x && at <= one.x + one.w + GAP,
        );
        return found ? target(found.token, lane.number) : null;
      }
      if (y > line.top + plan.ruler) return null;
      const starts = frame.arrays.glyph_bytes;
      for (let g = line.glyphs[0]; g < line.glyphs[1]; g++) {
        const [from, to] = [starts[g], starts[g + 1] ?? plan.size];
        if (x >= plan.gutter + line.left(from) && x <= plan.gutter + line.right(to))
          return { place: [from, to], only: null };
      }
      return null;
    }

    /** @param {any} found */
    function point(found) {
      if (JSON.stringify(found) === JSON.stringify(hover)) return;
      hover = found;
      paintOver();
    }

    /** @param {any} found */
    function choose(found) {
      const next =
        found && found.place[0] < found.place[1] ? [Math.floor(found.place[0]), Math.ceil(found.place[1])] : null;
      selected = /** @type {any} */ (JSON.stringify(next) === JSON.stringify(selected) ? null : next);
      paintOver();
      selection.choose(selected ?? []);
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => plan && point(locate(event)));
    stack.addEventListener("pointerleave", () => plan && point(null));
    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => plan && choose(locate(event)));
    stack.addEventListener("blur", () => plan && point(null));
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!plan?.lanes.length) return;
      const lane = plan.lanes[cursor?.lane ?? 0];
      if (event.key === "Escape") {
        hover = null;
        if (selected) choose(null);
        else paintOver();
      } else if ((event.key === "Enter" || event.key === " ") && hover) choose(hover);
      else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        const next = cursor ? cursor.i + (event.key === "ArrowRight" ? 1 : -1) : 0;
        walk(lane, Math.max(0, Math.min(lane.tokens.length - 1, next)));
      } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        const number = lane.number + (event.key === "ArrowDown" ? 1 : -1);
        const other = plan.lanes[Math.max(0, Math.min(plan.lanes.length - 1, number))];
        const at = lane.tokens[cursor?.i ?? 0]?.first ?? 0;
        const next = other.tokens.findIndex((/** @type {any} */ token) => token.last > at);
        walk(other, next < 0 ? other.tokens.length - 1 : next);
      } else return;
      event.preventDefault();
    });

    /** @param {any} lane @param {number} i */
    function walk(lane, i) {
      const token = lane.tokens[i];
      if (!token) return;
      cursor = { lane: lane.number, i };
      hover = target(token, lane.number);
      paintOver();
      spoken.textContent = `${lane.name}: ${token.label}, id ${token.id}`;
    }

    function fillTable() {
      const body = element("table");
      body.append(element("caption", "", "Tokens of each tokenizer, with ids and characters"));
      for (const lane of plan.lanes) {
        const row = body.appendChild(element("tr"));
        row.append(element("th", "", `${lane.name}, ${lane.note}`));
        for (const token of lane.tokens.slice(0, MOST_ROWS)) {
          const [start, end] = lane.places[token.i];
          row.append(element("td", "", `${token.label} ${token.id} [${start}, ${end})`));
        }
      }
      table.replaceChildren(body);
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, {
        root,
        name: "tokens",
        caption: frame.header.caption,
        width: plan.width,
        height: plan.height,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        if (selection.asked) selected = selection.seed.length ? selection.seed : null;
        hover = cursor = null;
        const marks = ["▎disputed cut"];
        if (frame.header.lanes.some((/** @type {any} */ lane) => lane.unknown.length)) marks.push("■ unknown");
        bar.firstChild.textContent = `Colours tell words apart, in every row alike · ${marks.join(" · ")} · underlined: a token with a part of a glyph`;
        paintAll();
        base.setAttribute(
          "aria-label",
          `The text in tokens: ${plan.lanes.map((/** @type {any} */ lane) => `${lane.name} ${lane.note}`).join("; ")}`,
        );
        stack.setAttribute(
          "aria-label",
          "Left and right walk a tokenizer's tokens, up and down the tokenizers, Enter keeps a token, Escape lets go.",
        );
        fillTable();
      },
      retheme(next) {
        theme = next;
        paintAll();
      },
      resize() {
        paintAll();
      },
    };
  });
}
