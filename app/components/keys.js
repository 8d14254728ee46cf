// @ts-check
/** Keys that walk through the run from anywhere on the page: a presenter clicks nothing first. */

/**
 * Not while the reader is typing or on another control of the page.
 * @param {HTMLElement} root @param {() => boolean} ready @param {Record<string, () => void>} acts
 */
function listen(root, ready, acts) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (!root.isConnected) return document.removeEventListener("keydown", onKey);
    if (!ready() || !acts[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = event.composedPath();
    const from = /** @type {HTMLElement} */ (path[0]);
    // a plain button, such as the one that opened a popover, has no use for arrows
    const idle = from === document.body || from.matches?.("[data-testid=stMain], button:not([role])");
    if (!idle && !path.includes(root)) return;
    if (from.matches?.("input[type=number], select")) return;
    if (from.matches?.("input[type=range]") && event.key !== " ") return;
    if (from.matches?.("button") && event.key === " ") return;
    event.preventDefault();
    acts[event.key]();
  }
  document.addEventListener("keydown", onKey);
}

/** After a chip of the page was chosen, arrows belong to the new run. @param {HTMLElement} root */
function takeKeys(root) {
  const active = document.activeElement;
  const chips = active?.closest("[data-testid=stButtonGroup]");
  if (chips && !chips.closest("[data-testid=stPopoverBody]")) root.focus({ preventScroll: true });
}

/** Whether a click or a key adds to what is selected: with Shift, Ctrl or ⌘. @param {MouseEvent | KeyboardEvent} event */
const adds = (event) => event.shiftKey || event.ctrlKey || event.metaKey;

/** What an arrow key walks: [rows down, columns right]. @param {string} key @returns {[number, number] | undefined} */
function arrowStep(key) {
  /** @type {Record<string, [number, number]>} */
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  return steps[key];
}
