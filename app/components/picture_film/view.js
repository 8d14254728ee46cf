// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="../player.js" />
/// <reference path="../picture_map/sheet.js" />
/**
 * A picture whose patches change with the layers, or a film's pictures. Every frame is here, so play and scrub ask
 * nobody; the page hears of the frame once the reader stays there, and of a token at once.
 */

const PACE = 700; // ms a layer while playing
const NOBODY = -1; // no token

/** The pictures of (frame, height, width, 3). @param {any} all */
function eachOf(all) {
  const [count, ...shape] = all.shape;
  const size = all.length / count;
  return Array.from({ length: count }, (_, i) => Object.assign(all.subarray(i * size, (i + 1) * size), { shape }));
}

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    root.classList.add("film");
    root.tabIndex = -1;
    const bar = root.appendChild(element("div"));
    const player = new Player(root, bar, {
      name: "Layer",
      unit: "frame",
      pace: PACE,
      show: () => paint(),
      tell: () => selection.choose([player.at, selected]),
      escape: () => choose(NOBODY),
    });
    const where = bar.appendChild(element("span", "quiet"));
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save);
    const says = root.appendChild(element("div", "says"));
    says.setAttribute("aria-live", "polite");
    const prefixes = root.appendChild(element("div", "prefixes"));
    prefixes.setAttribute("role", "group");
    prefixes.setAttribute("aria-label", "Prefix tokens");
    const sheet = root.appendChild(element("div", "sheet"));
    const [base, over] = [sheet.appendChild(element("canvas")), sheet.appendChild(element("canvas"))];
    base.setAttribute("role", "img");
    sheet.tabIndex = 0;
    const readout = root.appendChild(element("div", "readout quiet"));
    const tip = new Tooltip(root);
    const table = root.appendChild(element("div", "unseen"));

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {HTMLCanvasElement[]} */ let pictures; // one, or one a frame
    /** @type {SheetPlace} */ let place;
    let selected = NOBODY;
    let hover = NOBODY; // a patch

    const nPrefix = () => frame.header.prefix_names.length;
    const nPatches = () => frame.header.sheet.rows * frame.header.sheet.columns;
    const picture = () => pictures[Math.min(player.at, pictures.length - 1)];
    const limit = () => frame.header.limits[player.at];
    const patchValues = () => frame.arrays.values.subarray(player.at * nPatches(), (player.at + 1) * nPatches());
    const isShared = () => frame.header.limits.every((/** @type {number} */ top) => top === limit());
    const scale = () => scaleOf(figure(), isShared() ? frame.arrays.values : patchValues(), theme);
    const valueAt = (/** @type {number} */ token) =>
      token < nPrefix() ? frame.arrays.prefix[player.at * nPrefix() + token] : patchValues()[token - nPrefix()];
    const figure = () => ({ ...frame.header.sheet, limit: limit(), uniform: frame.header.uniform, title: "" });

    /** @param {Surface} surface */
    function draw(surface) {
      drawSheet(surface, figure(), { picture: picture(), values: patchValues() }, place, false);
      const { lut, ends, title } = scale();
      drawLegend(surface, 0, place.top + place.high + 14 * theme.unit, {
        lut,
        left: ends[0],
        right: ends[1],
        title: `${title}, ${frame.header.scale}`,
        width: Math.min(120 * theme.unit, place.wide / 3),
      });
    }

    function paint() {
      place = arrangeSheet(figure(), picture(), Math.max(48, Math.floor(root.clientWidth)), theme, true);
      draw(new CanvasSurface(base, place.width, place.height, theme));
      const name = frame.header.frames[player.at];
      where.textContent = name === `frame ${player.at}` ? "" : name; // the player says so already
      says.textContent = frame.header.lines[player.at];
      base.setAttribute(
        "aria-label",
        `${frame.header.sheet.label}, ${frame.header.frames[player.at]}: ${frame.header.lines[player.at]}`,
      );
      paintPrefixes();
      paintOver();
      let sum = 0;
      for (const value of patchValues()) sum += value;
      root.dataset.painted = `frame ${player.at} of ${player.last}, patches ${sum.toFixed(3)}`;
      root.dataset.patches = JSON.stringify([place.top, place.cellWide, place.cellHigh]);
      selection.stand([player.at, selected]);
    }

    function paintPrefixes() {
      const { lut, at } = scale();
      for (const [token, button] of /** @type {any[]} */ ([...prefixes.children]).entries()) {
        button.lastChild.textContent = `${frame.header.prefix_names[token]} ${number(valueAt(token))}`;
        button.firstChild.style.background = css(fromLookup(lut, Math.round(255 * at(valueAt(token)))));
        button.setAttribute("aria-pressed", String(token === selected));
      }
    }

    function paintOver() {
      const surface = new CanvasSurface(over, place.width, place.height, theme);
      const { columns } = frame.header.sheet;
      const box = (/** @type {number} */ patch, /** @type {string} */ stroke, /** @type {number} */ width) => {
        if (patch < 0) return;
        surface.rect(
          (patch % columns) * place.cellWide,
          place.top + Math.floor(patch / columns) * place.cellHigh,
          place.cellWide,
          place.cellHigh,
          { stroke, width },
        );
      };
      const own = selected - nPrefix();
      box(own, css(theme.paper), 5 * theme.line);
      box(own, css(theme.accent), 2.5 * theme.line);
      box(hover, css(theme.ink), 1.2 * theme.line);
      root.dataset.selected = String(selected);
      const at = hover >= 0 ? hover : own;
      tellParts(readout, at >= 0 ? describe(at) : []);
    }

    /** The weight with its context. @param {number} patch */
    function describe(patch) {
      const values = patchValues();
      const value = values[patch];
      let rank = 1;
      for (const other of values) if (other > value) rank++;
      const { columns } = frame.header.sheet;
      const { uniform } = frame.header;
      const times = uniform === null ? "" : ` · ${number(value / uniform)} × uniform`;
      return [
        `${number(value)} · rank ${rank} of ${values.length}${times}`,
        `row ${Math.floor(patch / columns)}, column ${patch % columns}`,
        frame.header.frames[player.at],
      ];
    }

    /** @param {number} token */
    function choose(token) {
      selected = token;
      selection.choose([player.at, token]);
      paintPrefixes();
      paintOver();
    }

    /** @param {MouseEvent} event */
    function locate(event) {
      const [x, y] = placeIn(base, event);
      const { rows, columns } = frame.header.sheet;
      const row = Math.floor((y - place.top) / place.cellHigh);
      const column = Math.floor(x / place.cellWide);
      return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : NOBODY;
    }

    sheet.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!place) return;
      hover = locate(event);

      if (hover < 0) tip.hide();
      else tip.say(sheet, ...placeIn(sheet, event), describe(hover));
      paintOver();
    });
    sheet.addEventListener("pointerleave", () => {
      if (!place) return;
      hover = NOBODY;
      tip.hide();
      paintOver();
    });
    sheet.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const patch = place ? locate(event) : NOBODY;
      if (patch >= 0) choose(nPrefix() + patch);
    });
    // on the picture itself, arrows walk over patches; elsewhere they are the player's
    sheet.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const { rows, columns } = frame.header.sheet;
      const step = arrowStep(event.key);
      if (!step) return;
      const own = selected - nPrefix();
      const [row, column] = own < 0 ? [0, 0] : [Math.floor(own / columns) + step[0], (own % columns) + step[1]];
      choose(nPrefix() + Math.min(rows - 1, Math.max(0, row)) * columns + Math.min(columns - 1, Math.max(0, column)));
      event.preventDefault();
      event.stopPropagation();
    });

    function buildPrefixes() {
      const names = frame.header.prefix_names;
      if (prefixes.children.length === names.length) return;
      prefixes.replaceChildren(
        ...names.map((/** @type {string} */ _, /** @type {number} */ token) => {
          const button = quietButton("", "Show where this token's information comes from", () => choose(token));
          button.append(element("span", "swatch"), element("span"));
          return button;
        }),
      );
    }

    function tabulate() {
      const made = element("table");
      frame.header.frames.forEach((/** @type {string} */ name, /** @type {number} */ i) => {
        const row = made.appendChild(element("tr"));
        row.append(element("th", "", name), element("td", "", frame.header.lines[i]));
      });
      table.replaceChildren(made);
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { header } = frame;
      const tokens = header.prefix_names.map(
        (/** @type {string} */ name, /** @type {number} */ token) => `${name} ${number(valueAt(token))}`,
      );
      const caption = [header.sheet.caption, header.frames[player.at], ...tokens].join(" · ");
      exportFigure(format, { root, name: "film", caption, width: place.width, height: place.height, theme, draw });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        const { frames } = frame.header;
        const [step, token] = selection.seed;
        player.slider.setAttribute("aria-label", frame.header.player);
        pictures = eachOf(frame.arrays.pictures).map(asCanvas);
        const stays = !selection.asked || selection.before?.[0] === step; // played on since it was told
        if (selection.asked) selected = token;
        if (selected >= nPrefix() + nPatches()) selected = NOBODY;
        hover = NOBODY;
        tip.hide();
        player.reset(frames.length - 1, stays ? player.at : step);
        buildPrefixes();
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
