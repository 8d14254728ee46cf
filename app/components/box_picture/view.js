// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="../picture_map/sheet.js" />
/// <reference path="box.js" />
/**
 * A picture with boxes: a click selects the smallest box there, a drag moves it or one of its
 * corners where it is movable. The upper canvas holds the boxes, so a drag never repaints the map.
 */

const NOWHERE = -1;
const REACH = 9; // px around a corner that still take hold of it
const NUDGE = 0.01; // of the picture's side, by an arrow key
const CLICK = 3; // px: a pointer that moved less did not drag

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const readout = bar.appendChild(element("div", "readout grow quiet"));
    const tools = bar.appendChild(element("div", "tools"));
    const stack = root.appendChild(element("div", "stack box-picture"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const tip = new Tooltip(root);
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    base.setAttribute("role", "img");
    readout.setAttribute("aria-live", "polite");
    exportButtons(tools, save);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {SheetPlace} */ let place;
    /** @type {HTMLCanvasElement} */ let picture;
    /** @type {number[][]} */ let numbers = [];
    let selected = NOWHERE;
    let hover = NOWHERE;
    /** @type {{index: number, corner: number[] | null, from: number[], x: number, y: number, moved: boolean} | null} */ let drag =
      null;

    /** Left, top, width and height in px. @param {number} index */
    function rectOf(index) {
      const [x, y, w, h] = numbers[index];
      return [(x - w / 2) * place.wide, place.top + (y - h / 2) * place.high, w * place.wide, h * place.high];
    }

    /** @param {Surface} surface */
    function drawBoxes(surface) {
      const order = frame.header.boxes
        .map((/** @type {any} */ _, /** @type {number} */ i) => i)
        .sort((/** @type {number} */ a, /** @type {number} */ b) => rank(a) - rank(b));
      for (const index of order) {
        const state = { lit: index === selected, hovered: index === hover };
        drawBox(surface, place, frame.header.boxes[index], rectOf(index), state);
      }
    }

    /** Faint ones first, the selected one last. @param {number} index */
    const rank = (index) => (index === selected ? 2 : frame.header.boxes[index].faint ? 0 : 1);

    /** @param {Surface} surface */
    function drawPicture(surface) {
      drawSheet(
        surface,
        frame.header.figure,
        { picture, values: frame.arrays.values },
        place,
        "values" in frame.arrays,
      );
    }

    function paintAll() {
      place = arrangeSheet(
        frame.header.figure,
        picture,
        Math.max(48, Math.floor(root.clientWidth)),
        theme,
        "values" in frame.arrays,
      );
      drawPicture(new CanvasSurface(base, place.width, place.height, theme));
      paintOver();
    }

    function paintOver() {
      drawBoxes(new CanvasSurface(over, place.width, place.height, theme));
      const at = hover >= 0 ? hover : selected;
      tellParts(readout, at >= 0 && at < numbers.length ? describe(at) : []);
      root.dataset.painted = `${numbers.length} boxes`;
      root.dataset.selected = String(selected);
      root.dataset.boxes = JSON.stringify(numbers);
      root.dataset.geometry = JSON.stringify([place.top, place.wide, place.high]);
    }

    /** @param {number} index */
    function describe(index) {
      const box = frame.header.boxes[index];
      const [x, y, w, h] = numbers[index].map((share) => number(share));
      return [box.text, ...box.tip, `centre ${x}, ${y}; ${w} × ${h}`].filter(Boolean);
    }

    /** @param {number} x @param {number} y */
    function boxAt(x, y) {
      let [found, smallest] = [NOWHERE, Infinity];
      numbers.forEach((_, index) => {
        const [left, top, w, h] = rectOf(index);
        const size = w * h * (frame.header.boxes[index].faint ? 100 : 1);
        if (x < left - 3 || y < top - 3 || x > left + w + 3 || y > top + h + 3 || size >= smallest) return;
        [found, smallest] = [index, size];
      });
      return found;
    }

    /** The corner of the selected box under the pointer. @param {number} x @param {number} y */
    function cornerAt(x, y) {
      if (selected < 0 || !frame.header.boxes[selected].movable) return null;
      const [left, top, w, h] = rectOf(selected);
      return (
        BOX_CORNERS.find(
          ([right, down]) => Math.hypot(x - left - ((right + 1) / 2) * w, y - top - ((down + 1) / 2) * h) <= REACH,
        ) ?? null
      );
    }

    /** @param {PointerEvent} event */
    function locate(event) {
      return placeIn(base, event);
    }

    /** @param {number} index @param {number[]} from @param {number[] | null} corner @param {number} dx @param {number} dy */
    function pull(index, from, corner, dx, dy) {
      numbers[index] = pulledBox(from, corner, dx, dy);
      paintOver();
    }

    const isFixed = () => !frame.header.boxes.some((/** @type {any} */ box) => box.movable);

    /** @param {number} index */
    function choose(index) {
      if (isFixed() && index !== selected) selection.choose(index);
      selected = index;
      paintOver();
    }

    stack.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      if (!place) return;
      const [x, y] = locate(event);
      const corner = cornerAt(x, y);
      const index = corner ? selected : boxAt(x, y);
      event.preventDefault();
      stack.focus();
      stack.setPointerCapture(event.pointerId);
      drag = index < 0 ? null : { index, corner, from: numbers[index], x, y, moved: false };
      if (index < 0) choose(NOWHERE);
    });
    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!place) return;
      const [x, y] = locate(event);
      if (drag) {
        drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > CLICK;
        if (drag.moved && frame.header.boxes[drag.index].movable) {
          selected = drag.index;
          tip.hide();
          return pull(drag.index, drag.from, drag.corner, (x - drag.x) / place.wide, (y - drag.y) / place.high);
        }
        return;
      }
      const corner = cornerAt(x, y);
      hover = boxAt(x, y);
      const movable = hover >= 0 && frame.header.boxes[hover].movable;
      stack.className = `stack box-picture ${corner ? "turn" : movable ? "move" : hover >= 0 ? "over" : ""}`;
      if (hover < 0) tip.hide();
      else tip.say(stack, x, y, describe(hover));
      paintOver();
    });
    for (const end of ["pointerup", "pointercancel"]) {
      stack.addEventListener(end, () => {
        if (!drag) return;
        const { index, moved } = drag;
        drag = null;
        if (moved && frame.header.boxes[index].movable) {
          selected = index;
          selection.choose(numbers);
        } else choose(index);
      });
    }
    stack.addEventListener("pointerleave", () => {
      if (!place || drag) return;
      hover = NOWHERE;
      tip.hide();
      paintOver();
    });
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = arrowStep(event.key);
      if (!place || !numbers.length) return;
      if (event.key === "Escape") choose(NOWHERE);
      else if (event.key === " ") choose((selected + 1) % numbers.length);
      else if (step && selected >= 0 && frame.header.boxes[selected].movable) {
        pull(selected, numbers[selected], event.shiftKey ? [1, 1] : null, NUDGE * step[1], NUDGE * step[0]);
        selection.choose(numbers);
      } else if (step) choose((selected + step[0] + step[1] + numbers.length) % numbers.length);
      else return;
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, {
        root,
        name: "boxes",
        caption: frame.header.figure.caption,
        width: place.width,
        height: place.height,
        theme,
        draw(surface) {
          drawPicture(surface);
          drawBoxes(surface);
        },
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme] = [next, nextTheme];
        const { boxes, figure } = frame.header;
        const fixed = isFixed();
        if (selection.asked || selected >= boxes.length) selected = fixed ? selection.seed : NOWHERE;
        if (fixed || selection.asked || boxes.length !== numbers.length) {
          drag = null;
          numbers = boxes.map((/** @type {any} */ box) => box.numbers);
        }
        hover = NOWHERE;
        tip.hide();
        picture = asCanvas(frame.arrays.picture);
        base.setAttribute("aria-label", figure.label);
        const movable = fixed ? "" : " Arrow keys move the selected box, with Shift its size;";
        stack.setAttribute(
          "aria-label",
          `${figure.label}, ${boxes.length} boxes. Space selects the next one;${movable} Escape clears.`,
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
