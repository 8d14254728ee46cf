// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="arithmetic.js" />
/// <reference path="drawing.js" />
/**
 * q and k as strips, their products, the sum, the whole softmax row, and what the
 * weight moves. Strips of one quantity share a scale, so they can be compared.
 */

/** @param {Component} component */
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
    /** @type {Worked} */ let worked;
    /** @type {ReturnType<typeof arrangeCell>} */ let place;
    let width = 0;
    /** @type {{part: any, index: number} | null} */ let spot = null;

    /** @param {Surface} surface */
    function draw(surface) {
      const lut = divergingRamp(theme);
      for (const part of place.parts) {
        if (part.type === "text")
          part.lines.forEach((/** @type {string} */ line, /** @type {number} */ i) =>
            surface.text(part.x, part.y + (i + 0.5) * 20 * theme.unit, line, part.style),
          );
        else if (part.type === "strip") drawStrip(surface, part, frame.arrays[part.name], lut);
        else drawBars(surface, part, frame, worked);
      }
      drawLegend(surface, place.narrow ? 0 : place.parts[0].x, place.height - 8 * theme.unit, {
        lut,
        left: "−",
        right: "+",
        title: "signed values; the scale of each strip at its end",
        width: 90,
      });
    }

    function paintAll() {
      place = arrangeCell(frame, worked, width, theme);
      draw(new CanvasSurface(base, place.width, place.height, theme));
      root.dataset.painted = `weight ${frame.header.weight} of ${frame.header.row_tokens.length} keys, ${frame.arrays.query.length} dimensions`;
      root.dataset.geometry = JSON.stringify(
        place.parts
          .filter((part) => part.type !== "text")
          .map(({ type, name, x, y, w, h }) => ({ name: name ?? type, x, y, w, h })),
      );
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
        surface.rect(part.x + spot.index * step, part.y - 1, Math.max(2, step), part.h + 2, {
          stroke: css(theme.ink),
          width: 1.2,
        });
      }
    }

    /** @param {any} part @param {number} index @returns {Node[]} */
    function words(part, index) {
      const { header, arrays } = frame;
      const { texts } = worked;
      const line = (/** @type {string} */ name, strong = false) => element("div", strong ? "head" : "", name);
      if (part.type === "bars") {
        return [
          line(visible(header.row_tokens[index]), true),
          line(`exp(${texts[`score ${index}`]} − ${bracketed(texts.max)}) = ${texts[`exp ${index}`]}`),
          line(`weight = ${texts[`exp ${index}`]} ÷ ${texts.sum} = ${texts[`weight ${index}`]}`),
        ];
      }
      tip.node.dataset.value = String(arrays[part.name][index]);
      if (["query", "key", "products"].includes(part.name)) {
        const [q, k, product] = ["query", "key", "product"].map((name) => texts[`${name} ${index}`]);
        return [line(`dimension ${index}`, true), line(`${q} × ${bracketed(k)} = ${product}`)];
      }
      return [
        line(`dimension ${index}`, true),
        line(contribution(frame, index)),
        line(`head's output ${number(arrays.output[index])}`),
      ];
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!place) return;
      const [x, y] = placeIn(stack, event);
      const part = place.parts.find(
        (one) =>
          one.type !== "text" &&
          y >= one.y - 3 &&
          y <= one.y + one.h + (one.type === "bars" ? 60 : 3) &&
          x >= one.x &&
          x < one.x + one.w,
      );
      const count = part
        ? part.type === "strip"
          ? frame.arrays[part.name].length
          : frame.header.row_tokens.length
        : 0;
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
      tip.show(
        stack,
        part.x + ((index + 0.5) * part.w) / frame.arrays.products.length,
        part.y + part.h,
        words(part, index),
      );
      event.preventDefault();
    });
    stack.addEventListener("blur", leave);

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { header } = frame;
      const caption = [`${visible(header.query_token)} → ${visible(header.key_token)}`, header.caption]
        .filter(Boolean)
        .join(" · ");
      exportFigure(format, {
        root,
        name: "worked-cell",
        caption,
        width: place.width,
        height: place.height,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme, width] = [next, nextTheme, Math.floor(root.clientWidth)];
        worked = workOut(frame);
        const { header } = frame;
        const pair = `${visible(header.query_token)} → ${visible(header.key_token)}`;
        title.replaceChildren(
          element("b", "", pair),
          element("span", "quiet", `  ${worked.texts[`weight ${worked.own}`]}, worked out`),
        );
        base.setAttribute(
          "aria-label",
          `${pair}: ${dotLine(worked)}; ${scoreLine(worked, header)}; ${softmaxLine(worked)}`,
        );
        stack.setAttribute("aria-label", `How the weight of ${pair} comes about. Left and right walk the dimensions.`);
        text.textContent = plainText(frame, worked);
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
