// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="../player.js" />
/// <reference path="../picture_map/sheet.js" />
/// <reference path="../heat_map/layout.js" />
/// <reference path="layout.js" />
/// <reference path="drawing.js" />
/**
 * Heads through a training, on one canvas; what lights up is on a second one above it. All
 * moments are here, so play and scrub ask nobody; the page hears of the moment once the reader
 * stays there, and of a head at once.
 */

const PACE = 900; // ms a moment while playing

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    root.classList.add("film");
    root.tabIndex = -1;
    const bar = root.appendChild(element("div"));
    const player = new Player(root, bar, {
      name: "Moment of the training",
      unit: "moment",
      pace: PACE,
      show: () => paint(),
      tell: () => selection.choose([player.at, head]),
    });
    const where = bar.appendChild(element("span", "quiet"));
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save);
    const says = root.appendChild(element("div", "says"));
    says.setAttribute("aria-live", "polite");
    const stack = root.appendChild(element("div", "scroll")).appendChild(element("div", "stack"));
    const [base, over] = [stack.appendChild(element("canvas")), stack.appendChild(element("canvas"))];
    base.setAttribute("role", "img");
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    const readout = root.appendChild(element("div", "readout quiet"));
    readout.setAttribute("aria-live", "polite");
    const tip = new Tooltip(root);
    const table = root.appendChild(element("div", "unseen"));

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {FilmPlace} */ let place;
    /** @type {[number, number]} */ let head = [0, 0];
    /** @type {any} */ let hover = null; // {head} | {cell} | {moment}

    const exists = (/** @type {number} */ layer, /** @type {number} */ index) =>
      index >= 0 && index < (frame.header.heads[layer] ?? 0);
    const valuesOf = (/** @type {number} */ moment, /** @type {[number, number]} */ of) =>
      filmValues(frame, moment, headIndex(frame.header, of));

    /** @param {Surface} surface */
    function draw(surface) {
      drawFilm(surface, { frame, place, at: player.at, head });
    }

    function paint() {
      place = arrangeFilm(frame, Math.max(240, Math.floor(root.clientWidth)), theme);
      draw(new CanvasSurface(base, place.width, place.height, theme));
      where.textContent = frame.header.moments[player.at];
      says.textContent = frame.header.lines[player.at];
      base.setAttribute(
        "aria-label",
        `${frame.header.label}, ${frame.header.moments[player.at]}, ${headName(frame.header, head)} large`,
      );
      let sum = 0;
      for (const value of valuesOf(player.at, head)) sum += value;
      root.dataset.painted = `moment ${player.at} of ${player.last}, ${headName(frame.header, head)}, sum ${sum.toFixed(3)}`;
      const { grid, large } = place;
      root.dataset.geometry = JSON.stringify({
        grid: [grid.left, grid.top, grid.wide + grid.gap, grid.high + grid.gap],
        large: [large.x + large.left, large.y + large.top, large.cellWide, large.cellHigh],
      });
      selection.stand([player.at, head]);
      paintOver();
    }

    function paintOver() {
      const surface = new CanvasSurface(over, place.width, place.height, theme);
      const { grid, large, strip } = place;
      const box = (
        /** @type {number} */ x,
        /** @type {number} */ y,
        /** @type {number} */ w,
        /** @type {number} */ h,
        /** @type {string} */ stroke,
        /** @type {number} */ wide,
      ) => surface.rect(x - wide / 2, y - wide / 2, w + wide, h + wide, { stroke, width: wide });
      const own = thumbnailAt(place, head);
      box(own.x, own.y, grid.wide, grid.high, css(theme.accent), 2 * theme.line);
      const now = momentPlace(place, player.at);
      box(now.x, now.y, strip.wide, strip.high, css(theme.ink), 1.5 * theme.line);
      if (hover?.head) {
        const { x, y } = thumbnailAt(place, hover.head);
        box(x, y, grid.wide, grid.high, css(theme.ink), 1.2 * theme.line);
      } else if (hover?.cell) {
        const [row, column] = hover.cell;
        box(
          large.x + large.left + column * large.cellWide,
          large.y + large.top + row * large.cellHigh,
          large.cellWide,
          large.cellHigh,
          css(theme.ink),
          1.2 * theme.line,
        );
      } else if (hover && "moment" in hover) {
        const { x, y } = momentPlace(place, hover.moment);
        box(x, y, strip.wide, strip.high, css(theme.ink), 1.2 * theme.line);
      }
      tellParts(readout, describe(hover));
    }

    /** What the pointer is at; without one, the head that is large. @param {any} at @returns {string[]} */
    function describe(at) {
      const { header } = frame;
      if (at?.cell) {
        const [row, column] = at.cell;
        const value = valuesOf(player.at, head)[row * header.columns.length + column];
        const named = (/** @type {string} */ title, /** @type {string} */ label) => `${title} ${visible(label)}`.trim();
        return [
          number(value),
          named(header.row_title, header.rows[row]),
          named(header.column_title, header.columns[column]),
          header.moments[player.at],
          idsTold(header.row_ids[row], header.column_ids[column]),
        ].filter(Boolean);
      }
      if (at && "moment" in at) return [header.moments[at.moment], header.lines[at.moment], "click to go there"];
      const of = at?.head ?? head;
      return [headName(header, of), strongest(player.at, of)];
    }

    /** @param {number} moment @param {[number, number]} of */
    function strongest(moment, of) {
      const { header } = frame;
      const values = valuesOf(moment, of);
      const ofTokens = header.row_title === "query";
      let best = -1;
      for (let i = 0; i < values.length; i++) {
        const onItself =
          ofTokens && header.rows[Math.floor(i / header.columns.length)] === header.columns[i % header.columns.length];
        if (!onItself && (best < 0 || Math.abs(values[i]) > Math.abs(values[best]))) best = i;
      }
      if (best < 0) return "";
      const [row, column] = [Math.floor(best / header.columns.length), best % header.columns.length];
      const [from, to] = [visible(header.rows[row]), visible(header.columns[column])];
      if (ofTokens) return `most to another word: ${number(values[best])}, ${from} → ${to}`;
      return `largest: ${number(values[best])}, ${header.row_title} ${from}, ${header.column_title} ${to}`;
    }

    /** @param {[number, number]} chosen */
    function choose(chosen) {
      head = chosen;
      selection.choose([player.at, head]);
      paint();
      tabulate();
    }

    /** @param {MouseEvent} event */
    function locate(event) {
      const [x, y] = placeIn(base, event);
      const { grid, large, strip } = place;
      const layer = Math.floor((y - grid.top) / (grid.high + grid.gap));
      const column = Math.floor((x - grid.left) / (grid.wide + grid.gap));
      if (layer >= 0 && exists(layer, column)) return { head: /** @type {[number, number]} */ ([layer, column]) };
      const cell = [
        Math.floor((y - large.y - large.top) / large.cellHigh),
        Math.floor((x - large.x - large.left) / large.cellWide),
      ];
      if (cell[0] >= 0 && cell[0] < frame.header.rows.length && cell[1] >= 0 && cell[1] < frame.header.columns.length)
        return { cell };
      for (let moment = 0; moment <= player.last; moment++) {
        const at = momentPlace(place, moment);
        if (x >= at.x && x < at.x + strip.wide && y >= at.y && y < at.y + strip.high) return { moment };
      }
      return null;
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!place) return;
      hover = locate(event);

      if (hover) tip.say(stack, ...placeIn(stack, event), describe(hover));
      else tip.hide();
      paintOver();
    });
    stack.addEventListener("pointerleave", () => {
      if (!place) return;
      hover = null;
      tip.hide();
      paintOver();
    });
    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const found = place && locate(event);
      if (found?.head) choose(found.head);
      else if (found && "moment" in found) player.walk(Number(found.moment));
    });
    // on the figure itself, arrows walk over heads; elsewhere they are the player's
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = arrowStep(event.key);
      if (!place || !step) return;
      const [layer, column] = [head[0] + step[0], head[1] + step[1]];
      if (exists(layer, column)) choose([layer, column]);
      event.preventDefault();
      event.stopPropagation();
    });

    /** The large head at every moment, for those who hear it. */
    function tabulate() {
      const made = element("table");
      made.append(element("caption", "", `${frame.header.label}: ${headName(frame.header, head)}`));
      frame.header.moments.forEach((/** @type {string} */ name, /** @type {number} */ moment) => {
        const row = made.appendChild(element("tr"));
        row.append(
          element("th", "", name),
          element("td", "", frame.header.lines[moment]),
          element("td", "", strongest(moment, head)),
        );
      });
      table.replaceChildren(made);
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      const caption = [frame.header.caption, frame.header.moments[player.at], frame.header.lines[player.at]]
        .filter(Boolean)
        .join(" · ");
      exportFigure(format, {
        root,
        name: "heads-in-training",
        caption,
        width: place.width,
        height: place.height,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        frame.picture = frame.arrays.picture ? asCanvas(frame.arrays.picture) : null;
        const { moments } = frame.header;
        const [moment, asked] = selection.seed;
        const stays = !selection.asked || selection.before?.[0] === moment; // played on since it was told
        if (selection.asked || !exists(head[0], head[1])) head = asked;
        hover = null;
        tip.hide();
        if (frame.header.unit === "layer") player.call("Layer", "frame");
        player.reset(moments.length - 1, stays ? player.at : moment);
        stack.setAttribute(
          "aria-label",
          `${frame.header.label}. Arrow keys walk over the ${frame.header.names.length ? "maps" : "heads"}; outside the figure they walk through the ${frame.header.unit}s, space plays.`,
        );
        tabulate();
        holdTallest(says, frame.header.lines);
        paint();
      },
      retheme(next) {
        theme = next;
        holdTallest(says, frame.header.lines);
        paint();
      },
      resize() {
        tip.hide();
        holdTallest(says, frame.header.lines);
        paint();
      },
    };
  });
}
