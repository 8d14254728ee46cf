// @ts-check
/// <reference path="selection.js" />
/// <reference path="paper.js" />
/**
 * What every figure needs around its drawing: one mount for a node's whole life, a
 * tooltip and quiet buttons. Prepended to every view.js after draw.js.
 */

/**
 * @typedef {{
 *   update: (frame: Frame, theme: Theme) => void,
 *   retheme: (theme: Theme) => void,
 *   resize: (width: number) => void,
 *   described?: () => Element | null | undefined,
 * }} Figure
 */

/**
 * What Streamlit hands over: the frame's bytes, the shadow root, and the two ways back to the page.
 * @typedef {{
 *   data: Uint8Array,
 *   parentElement: any,
 *   setStateValue: (name: string, value: any) => void,
 *   setTriggerValue: (name: string, value: any) => void,
 * }} Component
 */

/** @type {WeakMap<object, any>} */
const MOUNTED = new WeakMap();

/**
 * Streamlit calls the default export again on the same node at every update, and
 * the returned function only when the node goes: so build once, then update.
 * @param {Component} component
 * @param {(root: HTMLElement, selection: Choice) => Figure} build
 */
function mount({ data, parentElement, setStateValue, setTriggerValue }, build) {
  let entry = MOUNTED.get(parentElement);
  if (!entry) {
    const root = element("div", "gf");
    root.inert = true; // until there is something to click, or to save
    parentElement.append(root);
    entry = {
      root,
      report: setStateValue,
      trigger: setTriggerValue,
      turn: 0,
      seen: "",
      width: 0,
      waiting: null,
      start: 0,
    };
    entry.selection = new Choice(
      (name, value) => entry.report(name, value),
      (name, value) => entry.trigger(name, value),
    );
    entry.figure = build(root, entry.selection);
    entry.described = new Described(entry.figure.described ?? (() => root.querySelector(FIGURE)));
    const marks = root.appendChild(element("div", "marks quiet"));
    entry.retheme = () => entry.seen && !entry.waiting && entry.figure.retheme(readTheme(root));
    entry.rethemeIfChanged = () => {
      const now = JSON.stringify(readTheme(root)); // a rerun must not repaint what stands already
      if (entry.theme !== now) entry.retheme();
      entry.theme = now;
    };
    entry.show = (/** @type {Frame} */ frame) => {
      entry.width = Math.floor(root.clientWidth);
      entry.waiting = entry.width === 0 ? frame : null; // in a closed tab: drawn when it opens
      if (entry.waiting) return;
      const theme = readTheme(root);
      entry.theme = JSON.stringify(theme);
      entry.selection.meet(frame.header);
      meant.clear();
      entry.figure.update(frame, theme);
      tellMarks(marks);
      entry.described.listen();
      root.inert = false;
      root.dataset.milliseconds = (performance.now() - entry.start).toFixed(1); // unpacked and painted
    };
    const resized = new ResizeObserver(() => {
      const width = Math.floor(root.clientWidth);
      if (!entry.seen || width === 0 || width === entry.width) return;
      if (entry.waiting) return entry.show(entry.waiting);
      entry.width = width;
      requestAnimationFrame(() => entry.figure.resize(width));
    });
    resized.observe(root);
    // Projector mode changes the root’s font size, and the page’s colours may come after the figure:
    // Streamlit tells no component; the size of this says both.
    const rem = root.appendChild(element("span", "rem"));
    const rescaled = new ResizeObserver(() => requestAnimationFrame(entry.rethemeIfChanged));
    rescaled.observe(rem);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", entry.rethemeIfChanged);
    document.fonts?.addEventListener("loadingdone", entry.retheme);
    entry.leave = () => {
      entry.described.leave();
      resized.disconnect();
      rescaled.disconnect();
      scheme.removeEventListener("change", entry.rethemeIfChanged);
      document.fonts?.removeEventListener("loadingdone", entry.retheme);
      root.remove();
      MOUNTED.delete(parentElement);
    };
    MOUNTED.set(parentElement, entry);
  }
  [entry.report, entry.trigger] = [setStateValue, setTriggerValue];
  const { text } = frameHeader(data); // holds a checksum of the arrays
  const turn = ++entry.turn;
  if (text === entry.seen) {
    entry.root.ariaBusy = "false"; // what was being unpacked is out of date
    requestAnimationFrame(entry.rethemeIfChanged); // after the page's new style is in force
    entry.described.listen();
    return entry.leave;
  }
  entry.start = performance.now();
  entry.root.ariaBusy = "true";
  unpack(data).then(
    (frame) => {
      if (turn !== entry.turn) return; // a newer frame came while this one was unpacked
      entry.seen = text;
      entry.show(frame);
      entry.root.ariaBusy = "false";
    },
    (error) => {
      console.error(error);
      entry.root.textContent = "This figure's data did not arrive whole. Reload the page.";
      entry.root.ariaBusy = "false";
    },
  );
  return entry.leave;
}

/** @param {string} tag @param {string} [className] @param {string} [text] @returns {any} */
function element(tag, className = "", text = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  return node;
}

/**
 * As many of the parts as have room in what a node shows, the first at least.
 * @param {HTMLElement} node @param {(string | undefined)[]} parts
 * @param {string} between @param {HTMLElement} frame what shows the node, and has the room
 */
function tellParts(node, parts, between = " · ", frame = node) {
  const told = parts.filter(Boolean);
  const full = () => frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight + 3;
  do node.textContent = told.join(between);
  while (full() && told.length > 1 && told.pop());
}

/** As high as the longest of its texts: what stands below it never moves. @param {HTMLElement} node @param {string[]} texts */
function holdTallest(node, texts) {
  const own = [...node.childNodes];
  node.style.minHeight = "";
  const heights = texts.map((text) => {
    node.textContent = text;
    return node.offsetHeight;
  });
  node.style.minHeight = `${Math.max(0, ...heights)}px`;
  node.replaceChildren(...own);
}

/** @param {string} text @param {string} title @param {() => void} action @returns {HTMLButtonElement} */
function quietButton(text, title, action) {
  const button = element("button", "", text);
  button.type = "button";
  button.title = title;
  button.addEventListener("click", action);
  return button;
}

/** The tip beside `node` while it is pointed at or focused. @param {Tooltip} tip @param {HTMLElement} node @param {number} x @param {string[]} lines */
function tipOn(tip, node, x, lines) {
  if (!lines.length) return;
  const show = () => tip.say(node, x, node.offsetHeight - 12, lines);
  for (const here of ["pointerenter", "focus"]) node.addEventListener(here, show);
  for (const gone of ["pointerleave", "blur"]) node.addEventListener(gone, () => tip.hide());
}

class Tooltip {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.node = root.appendChild(element("div", "tip"));
    this.node.hidden = true;
    this.node.setAttribute("role", "status");
  }

  hide() {
    this.node.hidden = true;
  }

  /** Lines of text, the first of them the headline. @param {HTMLElement} anchor @param {number} x @param {number} y @param {string[]} lines */
  say(anchor, x, y, lines) {
    this.show(
      anchor,
      x,
      y,
      lines.map((line, i) => element("div", i ? "" : "head", line)),
    );
  }

  /** Beside (x, y) of `anchor`, inside the figure. @param {HTMLElement} anchor @param {number} x @param {number} y @param {Node[]} content */
  show(anchor, x, y, content) {
    this.node.replaceChildren(...content);
    this.node.hidden = false;
    const [outer, inner] = [this.root.getBoundingClientRect(), anchor.getBoundingClientRect()];
    const scale = shrunk(this.root, outer);
    const [left, top] = [x + (inner.left - outer.left) / scale, y + (inner.top - outer.top) / scale];
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const beside = left + 16 + width <= outer.width / scale ? left + 16 : left - 16 - width;
    const below = (top + 16 + height) * scale + outer.top <= window.innerHeight ? top + 16 : top - 12 - height;
    this.node.style.transform = `translate(${Math.round(Math.max(0, beside))}px, ${Math.round(below)}px)`;
  }
}

/** How much larger a node is seen than it is drawn: an embedded page fits figures into its frame. @param {HTMLElement} node @param {DOMRect} bounds */
const shrunk = (node, bounds) => bounds.width / node.offsetWidth || 1;

/** Where in `node` a pointer is, in px of its drawing. @param {HTMLElement} node @param {MouseEvent} event @returns {[number, number]} */
function placeIn(node, event) {
  const bounds = node.getBoundingClientRect();
  const scale = shrunk(node, bounds);
  return [(event.clientX - bounds.left) / scale, (event.clientY - bounds.top) / scale];
}
