// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="edges.js" />
/// <reference path="layout.js" />
/// <reference path="words.js" />
/// <reference path="panes.js" />
/// <reference path="pointer.js" />
/**
 * One head, or several: lines and heatmap, linked. The lower canvas holds the whole
 * figure, the upper one what lights up, so a hover repaints one row and never the map.
 */

const LENS_BELOW = 8; // px a cell: smaller cells get a magnified neighbourhood
const SETTLE = 180; // ms of rest before a keyboard walk is reported

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const chips = bar.appendChild(element("div", "chips grow"));
    const tools = bar.appendChild(element("div", "tools"));
    const stack = root.appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const readout = root.appendChild(element("div", "readout"));
    const rows = root.appendChild(element("div", "unseen"));
    const spoken = root.appendChild(element("div", "unseen"));
    const tip = new Tooltip(root);
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    stack.setAttribute("aria-roledescription", "attention map");
    base.setAttribute("role", "img");
    spoken.setAttribute("aria-live", "polite");
    const asTable = quietButton("Table", "Show these numbers as a table", () => {
      const shown = rows.className === "rows";
      rows.className = shown ? "unseen" : "rows";
      asTable.setAttribute("aria-pressed", String(!shown));
    });
    asTable.setAttribute("aria-pressed", "false");
    tools.append(asTable);
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {Scene} */ let scene;
    /** @type {Spot | null} */ let spot = null;
    let width = 0;
    let settling = 0;
    /** @type {{cell: [number, number] | null, pinned: number | null, front: number}} */
    let choice = { cell: null, pinned: null, front: 0 };

    function compose() {
      const { header, arrays } = frame;
      const weights = new Weights(frame);
      const { display } = header;
      const size = weights.queries * weights.keys;
      const scales = header.names.map((/** @type {string} */ _, /** @type {number} */ map) => {
        const own = arrays.maps
          .subarray(map * size, (map + 1) * size)
          .reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), 0);
        return makeScale(display.scale, display.maximum ?? own);
      });
      const lut = hueRamp(theme, theme.hues[header.kind]);
      const colours = header.palette.map((/** @type {number} */ i) =>
        weights.count === 1 ? fromLookup(lut, theme.dark ? 190 : 175) : theme.heads[i % N_HEAD_COLOURS],
      );
      const place = layoutOf(header, width, theme);
      const chosen = chooseEdges(arrays.maps, display, choice.pinned, scales);
      if (place.lines && edgesNote(chosen) && place.width < 900) place.height += 34 * theme.unit;
      scene = { header, weights, place, scales, lut, colours, chosen, ...choice };
    }

    /** @param {Surface} surface */
    function draw(surface) {
      drawLines(surface, scene);
      const { checksum } = drawHeatmap(surface, scene);
      drawLegendLine(surface, scene);
      return checksum;
    }

    function paintAll() {
      compose();
      const checksum = draw(new CanvasSurface(base, scene.place.width, scene.place.height, theme));
      const { weights, place, chosen } = scene;
      root.dataset.painted = `${weights.count} maps of ${weights.queries} x ${weights.keys}, sum ${checksum}, ${chosen.edges.length} lines`;
      root.dataset.total = String(weights.total(scene.front));
      const { lines, heatmap } = place;
      root.dataset.geometry = JSON.stringify({
        heatmap: heatmap && { x: heatmap.x + heatmap.left, y: heatmap.y + heatmap.top, cell: heatmap.cell },
        lines: lines && { start: lines.start, end: lines.end, top: lines.top, row: lines.row },
      });
      paintOver();
    }

    function paintOver() {
      drawHighlights(new CanvasSurface(over, scene.place.width, scene.place.height, theme), scene, spot);
      root.dataset.selection = JSON.stringify(choice);
    }

    function fillChips() {
      const { header } = frame;
      const several = header.names.length > 1;
      chips.replaceChildren(
        ...header.names.map((/** @type {string} */ name, /** @type {number} */ map) => {
          if (!several) return element("span", "", name);
          const chip = quietButton("", `Show ${name} in the heatmap`, () => choose({ front: map }));
          const swatch = chip.appendChild(element("span", "swatch"));
          swatch.style.background = css(theme.heads[header.palette[map] % N_HEAD_COLOURS]);
          chip.append(name);
          chip.setAttribute("aria-pressed", String(map === choice.front));
          return chip;
        }),
      );
    }

    function fillReadout() {
      const { cell, front, pinned } = choice;
      const { weights, header } = scene;
      if (!cell) {
        const side = header.display.direction === "from" ? "query" : "key";
        const text =
          pinned === null
            ? "Hover explains; click a cell or a line to work it out, a token to pin it."
            : `pinned: ${tokenOf(header, side, pinned)} (Escape lets go)`;
        return readout.replaceChildren(element("span", "quiet", text));
      }
      const pair = `${tokenOf(header, "query", cell[0])} → ${tokenOf(header, "key", cell[1])}`;
      const notes = [weights.inContext(front, ...cell), weights.removedNote(front, cell[0])]
        .filter(Boolean)
        .join(" · ");
      readout.replaceChildren(element("b", "", pair), element("span", "", `  ${notes}`));
      readout.dataset.value = String(weights.at(front, ...cell));
    }

    /** @param {Partial<typeof choice>} change @param {boolean} [settle] */
    function choose(change, settle = false) {
      const repaint =
        ("pinned" in change && change.pinned !== choice.pinned) || ("front" in change && change.front !== choice.front);
      choice = { ...choice, ...change };
      if (repaint) {
        paintAll();
        fillChips();
        rows.replaceChildren(tableOf(scene.weights, choice.front, choice.pinned));
      } else {
        scene = { ...scene, ...choice };
        paintOver();
      }
      fillReadout();
      spoken.textContent = readout.textContent;
      clearTimeout(settling);
      const value = { ...choice };
      if (settle) settling = window.setTimeout(() => selection.choose(value), SETTLE);
      else selection.choose(value);
    }

    /** @param {MouseEvent} event */
    function locate(event) {
      return spotAt(scene, ...placeIn(stack, event));
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => scene && point(event));
    stack.addEventListener("pointerleave", leave);
    /** @param {MouseEvent} event */
    function point(event) {
      const found = locate(event);
      if (!found) return leave();
      const moved = found.query !== spot?.query || found.key !== spot?.key;
      spot = found;
      if (moved) paintOver();

      tip.show(stack, ...placeIn(stack, event), tipContent(found));
    }

    function leave() {
      if (spot) {
        spot = null;
        paintOver();
      }
      tip.hide();
    }

    /** @param {Spot} found @returns {Node[]} */
    function tipContent(found) {
      const { weights } = scene;
      const { query, key } = found;
      delete tip.node.dataset.value;
      if (query === null || key === null)
        return tokenWords(weights, choice.front, query === null ? "key" : "query", query ?? key ?? 0);
      tip.node.dataset.value = String(weights.at(choice.front, query, key));
      const content = cellWords(weights, theme, { query, key });
      if (found.pane === "heatmap" && scene.place.heatmap && scene.place.heatmap.cell < LENS_BELOW * theme.unit)
        content.push(lens(scene, theme, query, key));
      return content;
    }

    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const found = scene && locate(event);
      if (!found) return;
      const { query, key } = found;
      if (query !== null && key !== null) return choose({ cell: [query, key] });
      const side = query !== null ? "query" : "key";
      const index = /** @type {number} */ (query ?? key);
      const pins = scene.header.display.direction === "from" ? "query" : "key";
      if (side === pins) return choose({ pinned: index === choice.pinned ? null : index });
      const partner = choice.pinned ?? scene.weights.strongest(choice.front, side, index, 1)[0].other;
      choose({ cell: side === "query" ? [index, partner] : [partner, index] });
    });

    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!scene) return;
      const step = arrowStep(event.key);
      const { weights } = scene;
      const from = scene.header.display.direction === "from";
      if (step) {
        /** @type {[number, number]} */
        let cell;
        if (!choice.cell) {
          const query = from ? (choice.pinned ?? 0) : 0;
          cell = [query, weights.strongest(choice.front, "query", query, 1)[0].other];
        } else {
          const hold = (/** @type {number} */ i, /** @type {number} */ n) => Math.min(n - 1, Math.max(0, i));
          cell = [hold(choice.cell[0] + step[0], weights.queries), hold(choice.cell[1] + step[1], weights.keys)];
        }
        choose({ cell }, true);
      } else if (event.key === "Enter" && choice.cell) {
        const token = choice.cell[from ? 0 : 1];
        choose({ pinned: token === choice.pinned ? null : token });
      } else if ((event.key === "[" || event.key === "]") && weights.count > 1) {
        choose({ front: (choice.front + (event.key === "]" ? 1 : weights.count - 1)) % weights.count });
      } else if (event.key === "Escape" && (choice.cell || choice.pinned !== null)) {
        choose(choice.cell ? { cell: null } : { pinned: null });
      } else return;
      leave();
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { place, header } = scene;
      const caption = [header.names.join(", "), header.caption].filter(Boolean).join(" · ");
      exportFigure(format, {
        root,
        name: "attention",
        caption,
        width: place.width,
        height: place.height,
        theme,
        draw: (surface) => {
          draw(surface);
          drawHighlights(surface, scene, null);
        },
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme, width] = [next, nextTheme, Math.floor(root.clientWidth)];
        const { header, arrays } = frame;
        const [maps, queries, keys] = arrays.maps.shape;
        const { cell, pinned, front } = choice;
        const tokens = header.display.direction === "from" ? queries : keys;
        const impossible =
          front >= maps || (cell && (cell[0] >= queries || cell[1] >= keys)) || (pinned !== null && pinned >= tokens);
        if (selection.asked || impossible) choice = { ...selection.seed };
        spot = null;
        tip.hide();
        const label = `Attention from ${queries} queries to ${keys} keys, ${header.names.join(", ")}`;
        base.setAttribute("aria-label", label);
        const keysHelp = "Arrow keys move the selected cell, Enter pins its token, Escape clears.";
        stack.setAttribute("aria-label", `${label}. ${keysHelp}`);
        paintAll();
        fillChips();
        fillReadout();
        rows.replaceChildren(tableOf(scene.weights, choice.front, choice.pinned));
      },
      retheme(next) {
        theme = next;
        paintAll();
        fillChips();
      },
      resize(next) {
        width = next;
        tip.hide();
        paintAll();
      },
    };
  });
}
