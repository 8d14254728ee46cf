// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="arithmetic.js" />
/**
 * q and k as strips, their products, the sum, the whole softmax row, and what the
 * weight moves. Strips of one quantity share a scale, so they can be compared.
 */

const NARROW = 560; // px: labels move above their strips
const STRIP = 20; // px high
const BARS = 92;

/** @param {any} component */
export default function (component) {
  return mount(component, (root) => {
    const bar = root.appendChild(element("div", "bar"));
    const title = bar.appendChild(element("div", "grow"));
    const tools = bar.appendChild(element("div", "tools"));
    const stack = root.appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const text = root.appendChild(element("pre", "unseen"));
    const tip = new Tooltip(root);
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    stack.setAttribute("aria-roledescription", "worked attention weight");
    base.setAttribute("role", "img");
    const copied = quietButton("Copy", "Copy the arithmetic as text", async () => {
      await copyText(text.textContent ?? "");
      copied.textContent = "Copied";
      setTimeout(() => (copied.textContent = "Copy"), 1500);
    });
    const shown = quietButton("Text", "Show the arithmetic as text", () => {
      text.className = text.className === "unseen" ? "arithmetic" : "unseen";
      shown.setAttribute("aria-pressed", String(text.className === "arithmetic"));
    });
    shown.setAttribute("aria-pressed", "false");
    tools.append(shown, copied);
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {ReturnType<typeof arrange>} */ let place;
    let width = 0;
    /** @type {{part: any, index: number} | null} */ let spot = null;

    /** Top to bottom: strips, lines of arithmetic, the row of bars. */
    function arrange() {
      const { unit } = theme;
      const { header, arrays } = frame;
      const narrow = width < NARROW;
      const left = narrow ? 0 : 132 * unit;
      const right = 46 * unit; // a strip's scale
      const largest = (/** @type {string[]} */ ...names) =>
        Math.max(1e-30, ...names.map((name) => arrays[name].reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, Math.abs(b)), 0)));
      const values = largest("value", "contribution", "output");
      const [query, key] = [visible(header.query_token), visible(header.key_token)];
      /** @type {any[]} */
      const parts = [];
      let y = 4 * unit;
      const strip = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ hue, /** @type {number} */ scale, /** @type {string} */ words) => {
        if (narrow) y += 16 * unit;
        parts.push({ type: "strip", name, label, hue, scale, words, x: left, y, w: width - left - right, h: STRIP * unit });
        y += (STRIP + 7) * unit;
      };
      const sentence = (/** @type {string} */ words, /** @type {boolean} */ strong) => {
        const style = { size: 14, weight: strong ? 600 : 400 };
        const lines = wrapped(words, width - left, fontOf(theme, style));
        parts.push({ type: "text", lines, style, x: left, y });
        y += (lines.length * 20 + 8) * unit;
      };
      strip("query", `query  ${query}`, "query", largest("query"), "q");
      strip("key", `key  ${key}`, "key", largest("key"), "k");
      strip("products", "q × k, each", "", largest("products"), "q × k");
      y += 4 * unit;
      sentence(dotLine(frame), false);
      sentence(scoreLine(frame), false);
      if (narrow) y += 16 * unit;
      parts.push({ type: "bars", label: "exp(score − max)", x: left, y, w: width - left - right, h: BARS * unit });
      y += (BARS + 70) * unit;
      sentence(softmaxLine(frame), true);
      strip("value", `value  ${key}`, "value", values, "v");
      strip("contribution", `${number(header.weight)} × value`, "value", values, "weight × v");
      strip("output", "head's output", "", values, "Σ weights × v");
      y += 4 * unit;
      sentence(valueLine(frame), false);
      return { parts, width, height: y + 18 * unit, narrow };
    }

    /** @param {Surface} surface */
    function draw(surface) {
      const lut = divergingRamp(theme);
      for (const part of place.parts) {
        if (part.type === "text") part.lines.forEach((/** @type {string} */ line, /** @type {number} */ i) => surface.text(part.x, part.y + (i + 0.5) * 20 * theme.unit, line, part.style));
        else if (part.type === "strip") drawStrip(surface, part, lut);
        else drawBars(surface, part);
      }
      drawLegend(surface, place.narrow ? 0 : place.parts[0].x, place.height - 8 * theme.unit, { lut, left: "−", right: "+", title: "signed values; the scale of each strip at its end", width: 90 });
    }

    /** @param {Surface} surface @param {any} part */
    function partLabel(surface, part) {
      const { unit } = theme;
      const hue = part.hue ? theme.hues[part.hue] : theme.ink;
      const style = { size: 13, weight: 600, fill: css(hue) };
      if (place.narrow) surface.text(part.x, part.y - 9 * unit, part.label, style);
      else surface.text(0, part.y + part.h / 2, fitted(part.label, part.x - 10 * unit, fontOf(theme, style)), style);
    }

    /** @param {Surface} surface @param {any} part @param {Uint32Array} lut */
    function drawStrip(surface, part, lut) {
      const values = frame.arrays[part.name];
      const codes = Uint8Array.from(values, (/** @type {number} */ v) => Math.round(127.5 + 127.5 * (v / part.scale)));
      partLabel(surface, part);
      surface.cells(part.x, part.y, part.w, part.h, { codes, rows: 1, columns: values.length, lut });
      surface.rect(part.x - 0.5, part.y - 0.5, part.w + 1, part.h + 1, { stroke: css(theme.rule) });
      surface.text(part.x + part.w + 6 * theme.unit, part.y + part.h / 2, `±${number(part.scale)}`, { size: 11, fill: css(theme.quiet) });
    }

    /** @param {Surface} surface @param {any} part */
    function drawBars(surface, part) {
      const { header, arrays } = frame;
      const { unit } = theme;
      const count = header.row_tokens.length;
      const step = Math.min(part.w / count, 54 * unit);
      const bottom = part.y + part.h;
      const fill = css(fromLookup(hueRamp(theme, theme.hues[header.kind]), theme.dark ? 190 : 160));
      partLabel(surface, part);
      surface.line(part.x, bottom, part.x + part.w, bottom, { stroke: css(theme.rule) });
      const every = Math.ceil((13 * unit) / step);
      for (let i = 0; i < count; i++) {
        const high = (part.h - 14 * unit) * arrays.row_exponentials[i]; // room for the number above
        const own = i === header.key_index;
        surface.rect(part.x + i * step + step * 0.1, bottom - high, Math.max(0.6, step * 0.8), high, { fill });
        if (own) surface.rect(part.x + i * step, bottom - high - 1, Math.max(2, step), high + 2, { stroke: css(theme.accent), width: 2 * theme.line });
        if (step >= 34 * unit) surface.text(part.x + (i + 0.5) * step, bottom - high - 8 * unit, number(arrays.row_weights[i]), { size: 10.5, align: "center", fill: css(own ? theme.ink : theme.quiet) });
        const clear = own || Math.abs(i - header.key_index) >= every;
        if (clear && (own || i % every === 0)) {
          const style = { size: 12, angle: 55, weight: own ? 600 : 400 };
          surface.text(part.x + (i + 0.5) * step - 3 * unit, bottom + 9 * unit, fitted(visible(header.row_tokens[i]), 68 * unit, fontOf(theme, style)), style);
        }
      }
      const sum = `sum ${number(header.normaliser)}`;
      surface.text(part.x + part.w + 6 * unit, bottom - 8 * unit, sum.split(" ")[1], { size: 11, fill: css(theme.quiet) });
      surface.text(part.x + part.w + 6 * unit, bottom - 22 * unit, "sum", { size: 11, fill: css(theme.quiet) });
      part.step = step;
    }

    function paintAll() {
      place = arrange();
      draw(new CanvasSurface(base, place.width, place.height, theme));
      root.dataset.painted = `weight ${frame.header.weight} of ${frame.header.row_tokens.length} keys, ${frame.arrays.query.length} dimensions`;
      root.dataset.geometry = JSON.stringify(place.parts.filter((part) => part.type !== "text").map(({ type, name, x, y, w, h }) => ({ name: name ?? type, x, y, w, h })));
      paintOver();
    }

    /** A dimension lights up in all strips of its length, a key in the row. */
    function paintOver() {
      const surface = new CanvasSurface(over, place.width, place.height, theme);
      if (!spot) return;
      for (const part of place.parts) {
        if (part.type !== spot.part.type || part.type === "text") continue;
        const count = part.type === "strip" ? frame.arrays[part.name].length : frame.header.row_tokens.length;
        const step = part.type === "strip" ? part.w / count : part.step;
        surface.rect(part.x + spot.index * step, part.y - 1, Math.max(2, step), part.h + 2, { stroke: css(theme.ink), width: 1.2 });
      }
    }

    /** @param {any} part @param {number} index @returns {Node[]} */
    function words(part, index) {
      const { header, arrays } = frame;
      const line = (/** @type {string} */ name, strong = false) => element("div", strong ? "head" : "", name);
      if (part.type === "bars") {
        return [
          line(visible(header.row_tokens[index]), true),
          line(`score ${number(arrays.row_scores[index])}`),
          line(`exp ${number(arrays.row_exponentials[index])} ÷ ${number(header.normaliser)} = ${number(arrays.row_weights[index])}`),
        ];
      }
      tip.node.dataset.value = String(arrays[part.name][index]);
      const [q, k, product] = [arrays.query[index], arrays.key[index], arrays.products[index]];
      if (["query", "key", "products"].includes(part.name)) return [line(`dimension ${index}`, true), line(`${number(q)} × ${operand(k)} = ${number(product)}`)];
      return [
        line(`dimension ${index}`, true),
        line(`${number(header.weight)} × ${operand(arrays.value[index])} = ${number(arrays.contribution[index])}`),
        line(`head's output ${number(arrays.output[index])}`),
      ];
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!place) return;
      const bounds = stack.getBoundingClientRect();
      const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
      const part = place.parts.find((one) => one.type !== "text" && y >= one.y - 3 && y <= one.y + one.h + (one.type === "bars" ? 60 : 3) && x >= one.x && x < one.x + one.w);
      const count = part ? (part.type === "strip" ? frame.arrays[part.name].length : frame.header.row_tokens.length) : 0;
      const index = part ? Math.floor((x - part.x) / (part.type === "strip" ? part.w / count : part.step)) : -1;
      if (!part || index >= count) return leave();
      spot = { part, index };
      paintOver();
      tip.show(stack, x, y, words(part, index));
    });
    stack.addEventListener("pointerleave", leave);
    function leave() {
      spot = null;
      tip.hide();
      if (place) paintOver();
    }
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!place || !step) return;
      const part = place.parts.find((one) => one.name === "products");
      const index = Math.min(frame.arrays.products.length - 1, Math.max(0, (spot ? spot.index : -1) + step));
      spot = { part, index };
      paintOver();
      tip.show(stack, part.x + ((index + 0.5) * part.w) / frame.arrays.products.length, part.y + part.h, words(part, index));
      event.preventDefault();
    });
    stack.addEventListener("blur", leave);

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { header } = frame;
      const caption = [`${visible(header.query_token)} → ${visible(header.key_token)}`, header.caption].filter(Boolean).join(" · ");
      exportFigure(format, { name: "worked-cell", caption, width: place.width, height: place.height, theme, draw });
    }

    return {
      update(next, nextTheme) {
        [frame, theme, width] = [next, nextTheme, Math.floor(root.clientWidth)];
        const { header } = frame;
        const pair = `${visible(header.query_token)} → ${visible(header.key_token)}`;
        title.replaceChildren(element("b", "", pair), element("span", "quiet", `  ${number(header.weight)}, worked out`));
        base.setAttribute("aria-label", `${pair}: ${dotLine(frame)}; ${scoreLine(frame)}; ${softmaxLine(frame)}`);
        stack.setAttribute("aria-label", `How the weight of ${pair} comes about. Left and right walk the dimensions.`);
        text.textContent = plainText(frame);
        spot = null;
        tip.hide();
        paintAll();
      },
      retheme(next) {
        theme = next;
        paintAll();
      },
      resize(next) {
        width = next;
        paintAll();
      },
    };
  });
}
