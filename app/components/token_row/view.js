// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** Tokens as buttons, in reading order: the browser wraps them, the keyboard reaches them. */

const CHIP = 40; // px a line of an exported figure
const CLASSES = /** @type {Record<string, string>} */ ({ lit: "lit", masked: "masked", quiet: "faint" });

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const line = root.appendChild(element("div", "line"));
    const row = line.appendChild(element("div", "chips"));
    const tools = line.appendChild(element("div", "tools"));
    const tip = new Tooltip(root);
    row.setAttribute("role", "group");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;

    const shadeOf = (/** @type {any} */ chip) => {
      if (chip.shade === null) return null;
      return fromLookup(hueRamp(theme, theme.hues[chip.hue]), Math.round(255 * Math.min(1, Math.max(0, chip.shade))));
    };

    /** @param {any} chip @returns {string[]} */
    const tipOf = ({ text, tip, token_id: id }) =>
      id === null ? tip : [...(tip.length ? tip : [visible(text)]), idsTold(id)];

    function fill() {
      const { chips, clickable } = frame.header;
      const focused = Array.from(row.children).indexOf(/** @type {any} */ (root.getRootNode()).activeElement);
      row.replaceChildren(
        ...chips.map((/** @type {any} */ chip, /** @type {number} */ i) => {
          const node = clickable ? quietButton("", "", () => selection.click(i)) : element("span", "chip");
          const shade = shadeOf(chip);
          if (shade) {
            node.style.setProperty("--shade", css(shade));
            node.style.color = css(inkOn(theme, shade));
          }
          if (CLASSES[chip.state]) node.classList.add(CLASSES[chip.state]);
          node.removeAttribute("title");
          node.append(element("span", "word", visible(chip.text)));
          if (chip.note) node.append(element("span", "note", chip.note));
          const told = tipOf(chip);
          tipOn(tip, node, 0, told);
          if (told.length)
            node.setAttribute("aria-label", [visible(chip.text), chip.note, ...told].filter(Boolean).join(", "));
          return node;
        }),
      );
      if (focused >= 0) /** @type {any} */ (row.children[Math.min(focused, row.children.length - 1)])?.focus();
      tools.hidden = !frame.header.caption;
      root.dataset.painted = `${chips.length} tokens`;
    }

    row.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const nodes = Array.from(row.querySelectorAll("button"));
      const at = nodes.indexOf(/** @type {any} */ (event.target));
      if (!step || at < 0) return;
      nodes[Math.min(nodes.length - 1, Math.max(0, at + step))].focus();
      event.preventDefault();
    });

    /** The same tokens, wrapped to the width on the page. */
    function lines() {
      const width = Math.max(320, Math.floor(line.clientWidth));
      const font = fontOf(theme, { size: 15, code: true });
      let [x, y] = [0, 0];
      const boxes = frame.header.chips.map((/** @type {any} */ chip) => {
        const wide = Math.min(
          width,
          Math.max(textWidth(visible(chip.text), font), textWidth(chip.note, fontOf(theme, { size: 11.5 }))) +
            14 * theme.unit,
        );
        if (x > 0 && x + wide > width) [x, y] = [0, y + (CHIP + 6) * theme.unit];
        const box = { chip, x, y, wide };
        x += wide + 4;
        return box;
      });
      return { width, height: y + CHIP * theme.unit, boxes };
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { width, height, boxes } = lines();
      const { unit } = theme;
      const draw = (/** @type {Surface} */ surface) => {
        for (const { chip, x, y, wide } of boxes) {
          const shade = shadeOf(chip);
          const marked = chip.state === "lit" || chip.state === "masked";
          surface.rect(x + 0.5, y + 0.5, wide - 1, CHIP * unit - 1, {
            fill: css(shade ?? theme.paper),
            stroke: css(marked ? theme.accent : theme.rule),
            width: marked ? 2 : 1,
            radius: 5,
          });
          const ink = css(shade ? inkOn(theme, shade) : theme.ink);
          const middle = y + (chip.note ? 14 : CHIP / 2) * unit;
          surface.text(
            x + wide / 2,
            middle,
            fitted(visible(chip.text), wide - 4, fontOf(theme, { size: 15, code: true })),
            { size: 15, code: true, align: "center", fill: ink },
          );
          if (chip.note)
            surface.text(x + wide / 2, y + 30 * unit, chip.note, { size: 11.5, align: "center", fill: ink });
        }
      };
      exportFigure(format, { root, name: "tokens", caption: frame.header.caption, width, height, theme, draw });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        tip.hide();
        row.setAttribute("aria-label", frame.header.label);
        fill();
      },
      retheme(next) {
        theme = next;
        fill();
      },
      resize() {
        tip.hide();
      },
    };
  });
}
