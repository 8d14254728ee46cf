// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="layout.js" />
/// <reference path="names.js" />
/**
 * Layers × heads thumbnails on one canvas. A second canvas above it holds frames and
 * the focus, so hovering repaints a few rectangles and no map.
 */

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const status = bar.appendChild(element("div", "status grow"));
    const tools = bar.appendChild(element("div", "tools"));
    const stack = root.appendChild(element("div", "scroll")).appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const legend = root.appendChild(element("div", "names"));
    const spoken = root.appendChild(element("div", "unseen"));
    const table = root.appendChild(element("div", "unseen"));
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    stack.setAttribute("aria-roledescription", "grid of attention heads");
    base.setAttribute("role", "img");
    spoken.setAttribute("aria-live", "polite");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {ReturnType<typeof arrangeGrid>} */ let place;
    let width = 0;
    /** @type {[number, number][]} */ let selected = [];
    /** @type {[number, number]} */ let focus = [0, 0];
    /** @type {{layer: number | null, head: number | null} | null} */ let hover = null;
    /** @type {number | null} */ let pointedName = null; // of the legend

    /** @param {Surface} surface */
    function draw(surface) {
      const { header, arrays } = frame;
      const [, rows, columns] = arrays.codes.shape;
      const lut = hueRamp(theme, theme.hues[header.kind]);
      const largest = arrays.maxima.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), 0);
      const label = { size: 11.5, fill: css(theme.quiet) };
      const { unit } = theme;
      surface.text(place.left - 5 * unit, place.top - 9 * unit, "head", { ...label, align: "right" });
      surface.text(7 * unit, place.top + place.gridHeight / 2, "layer", { ...label, angle: -90, align: "center" });
      for (let head = 0; head < place.columns; head++) {
        if (head % place.everyColumn) continue;
        surface.text(place.x(head) + place.wide / 2, place.top - 9 * unit, String(head), { ...label, align: "center" });
      }
      let index = 0;
      header.heads.forEach((/** @type {number} */ count, /** @type {number} */ layer) => {
        if (layer % place.everyRow === 0) {
          surface.text(place.left - 5 * unit, place.y(layer) + place.high / 2, String(layer), {
            ...label,
            align: "right",
          });
        }
        for (let head = 0; head < count; head++, index++) {
          const codes = arrays.codes.subarray(index * rows * columns, (index + 1) * rows * columns);
          const share = header.shared && largest > 0 ? Math.sqrt(arrays.maxima[index] / largest) : 1;
          const own = Uint32Array.from(
            { length: header.top_code + 1 },
            (_, code) => lut[Math.round((255 * code * share) / header.top_code)],
          );
          surface.cells(place.x(head), place.y(layer), place.wide, place.high, { codes, rows, columns, lut: own });
          surface.rect(place.x(head) - 0.5, place.y(layer) - 0.5, place.wide + 1, place.high + 1, {
            stroke: css(theme.rule),
          });
          const { wide, high } = place;
          drawName(surface, header.names, layer, head, { x: place.x(head), y: place.y(layer), wide, high });
        }
      });
      const y = place.top + place.gridHeight + 14 * unit;
      const pooled = header.pool > 1 ? ` · each pixel is the maximum of ${header.pool} × ${header.pool} weights` : "";
      const [right, title] = header.shared
        ? [number(largest), "√ scale, one for all heads"]
        : ["its maximum", "√ scale, each head its own"];
      if (width < 480) {
        drawLegend(surface, 0, y, { lut, left: "0", right, title: "", width: 70 });
        surface.text(0, y + 16 * unit, title + pooled, { size: 12, fill: css(theme.quiet) });
      } else drawLegend(surface, place.left, y, { lut, left: "0", right, title: title + pooled });
    }

    /** @param {number | null} name */
    function point(name) {
      pointedName = name;
      paintOver();
    }

    function paintBase() {
      place = arrangeGrid(frame, width, theme);
      bar.style.maxWidth = `${Math.max(560 * theme.unit, place.right)}px`; // the buttons stay with the grid
      draw(new CanvasSurface(base, place.width, place.height, theme));
      const { codes } = frame.arrays;
      let sum = 0;
      for (let i = 0; i < codes.length; i++) sum += codes[i];
      const [heads, rows, columns] = codes.shape;
      root.dataset.painted = `${heads} heads of ${rows} x ${columns} codes, sum ${sum}`;
      root.dataset.geometry = JSON.stringify([place.left, place.top, place.wide, place.high, place.gap]);
      paintOver();
    }

    function paintOver() {
      const surface = new CanvasSurface(over, place.width, place.height, theme);
      const box = (
        /** @type {number} */ layer,
        /** @type {number} */ head,
        /** @type {string} */ stroke,
        /** @type {number} */ wide,
      ) =>
        surface.rect(place.x(head) - wide / 2, place.y(layer) - wide / 2, place.wide + wide, place.high + wide, {
          stroke,
          width: wide,
        });
      for (const [layer, head] of selected) box(layer, head, css(theme.accent), 2 * theme.line);
      if (hover) {
        frame.header.heads.forEach((/** @type {number} */ count, /** @type {number} */ layer) => {
          for (let head = 0; head < count; head++) {
            if ((hover?.layer ?? layer) === layer && (hover?.head ?? head) === head)
              box(layer, head, css(theme.ink), 1);
          }
        });
      }
      frame.header.names?.named.forEach((/** @type {number[]} */ row, /** @type {number} */ layer) => {
        row.forEach((name, head) => {
          if (name === pointedName) box(layer, head, css(theme.ink), 2 * theme.line);
        });
      });
      if (stack.matches(":focus-visible")) box(focus[0], focus[1], css(theme.ink), 2 * theme.line);
      root.dataset.selected = JSON.stringify(selected);
      say();
    }

    /** What the pointer, else the keyboard, else the selection is at. */
    function say() {
      const pointed = hover && hover.layer !== null && hover.head !== null ? [hover.layer, hover.head] : null;
      const [layer, head] =
        pointed ?? (stack.matches(":focus-visible") ? focus : (selected[selected.length - 1] ?? focus));
      if (hover && !pointed) {
        const text = hover.layer !== null ? `layer ${hover.layer}: all its heads` : `head ${hover.head} of every layer`;
        status.replaceChildren(element("b", "", text));
        return;
      }
      const [name, ...rest] = describe(layer, head);
      const words = element("span", "quiet");
      status.replaceChildren(element("b", "", name), words);
      tellParts(words, rest.join("").split(/(?=, | \()/), "", status); // clause by clause
      const pair = frame.header.strongest[layer][head];
      status.dataset.value = pair ? String(pair[2]) : "";
    }

    /** @param {number} layer @param {number} head @returns {string[]} */
    function describe(layer, head) {
      const [name, ...rest] = ofThisInput(layer, head);
      const { names } = frame.header;
      if (!names) return [name, ...rest];
      return [name, ` — ${names.notes[layer][head]}`, ...rest.map((told) => told.replace(" — ", " · "))];
    }

    /** @param {number} layer @param {number} head @returns {string[]} */
    function ofThisInput(layer, head) {
      const { notes, strongest, special_mass: special, query_tokens: queries, key_tokens: keys } = frame.header;
      if (notes.length) return [`layer ${layer} · head ${head}`, ` — ${notes[layer][head]}`];
      const pair = strongest[layer][head];
      const mass = special ? ` · ${number(special[layer][head])} of its mass on special tokens` : "";
      const name = `layer ${layer} · head ${head}`;
      if (!pair) return [name, " — no weight between different words", mass];
      return [name, ` — ${visible(queries[pair[0]])} → ${visible(keys[pair[1]])} ${number(pair[2])}`, mass];
    }

    function fillTable() {
      const body = element("table");
      body.append(
        element(
          "caption",
          "",
          frame.header.notes.length ? frame.header.label : `${frame.header.label}: the strongest pair of each head`,
        ),
      );
      frame.header.heads.forEach((/** @type {number} */ count, /** @type {number} */ layer) => {
        const row = element("tr");
        for (let head = 0; head < count; head++) row.append(element("td", "", describe(layer, head).join("")));
        body.append(row);
      });
      table.replaceChildren(body);
    }

    /** @param {[number, number][]} heads */
    function choose(heads) {
      selected = heads;
      focus = heads[heads.length - 1];
      paintOver();
      spoken.textContent = `selected: ${heads.map(([layer, head]) => `layer ${layer} head ${head}`).join(", ")}`;
      selection.choose(selected);
    }

    /** @param {[number, number][]} heads @param {boolean} add */
    function pick(heads, add) {
      if (!add) return choose(heads);
      const has = (/** @type {[number, number]} */ [layer, head]) =>
        selected.some(([l, h]) => l === layer && h === head);
      const rest = selected.filter(([layer, head]) => !heads.some(([l, h]) => l === layer && h === head));
      if (heads.every(has)) {
        if (rest.length) choose(rest); // the last one stays: a page always shows a head
      } else choose([...rest, ...heads]);
    }

    /** @param {PointerEvent | MouseEvent} event */
    function locate(event) {
      return place.at(...placeIn(stack, event));
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!frame) return;
      const found = locate(event);
      if (found?.layer === hover?.layer && found?.head === hover?.head) return;
      hover = found;
      paintOver();
    });
    stack.addEventListener("pointerleave", () => {
      hover = null;
      if (frame) paintOver();
    });
    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const found = frame && locate(event);
      if (!found) return;
      /** @type {[number, number][]} */
      const heads = [];
      frame.header.heads.forEach((/** @type {number} */ count, /** @type {number} */ layer) => {
        for (let head = 0; head < count; head++) {
          if ((found.layer ?? layer) === layer && (found.head ?? head) === head) heads.push([layer, head]);
        }
      });
      pick(heads, adds(event));
    });
    stack.addEventListener("focus", () => frame && paintOver());
    stack.addEventListener("blur", () => frame && paintOver());
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!frame) return;
      const step = arrowStep(event.key);
      if (step) {
        const [layer, head] = [focus[0] + step[0], focus[1] + step[1]];
        if (headExists(frame, layer, head)) focus = [layer, head];
        paintOver();
        spoken.textContent = describe(focus[0], focus[1]).join("");
      } else if (event.key === "Enter" || event.key === " ") pick([focus], adds(event));
      else if (event.key === "Escape" && selected.length > 1) choose([selected[selected.length - 1]]);
      else return;
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, {
        root,
        name: "all-heads",
        caption: [frame.header.caption, ...keyOfNames(frame.header.names)].filter(Boolean).join(" · "),
        width: place.width,
        height: place.height,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme, width] = [next, nextTheme, Math.floor(root.clientWidth)];
        if (selection.asked || !selected.every(([layer, head]) => headExists(frame, layer, head))) {
          selected = /** @type {[number, number][]} */ (selection.seed);
          focus = selected[selected.length - 1] ?? [0, 0];
        }
        hover = null;
        stack.setAttribute(
          "aria-label",
          `${frame.header.label}. Arrow keys walk, Enter selects, Ctrl-Enter adds, Escape keeps one.`,
        );
        base.setAttribute("aria-label", frame.header.label);
        fillTable();
        tellNames(legend, frame.header.names, theme, point);
        paintBase();
      },
      retheme(next) {
        theme = next;
        tellNames(legend, frame.header.names, theme, point);
        paintBase();
      },
      resize(next) {
        width = next;
        paintBase();
      },
    };
  });
}
