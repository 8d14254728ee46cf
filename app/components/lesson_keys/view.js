// @ts-check
/**
 * Next and Back of a lesson, by key. PageDown and PageUp are what a presenter's clicker sends. The
 * arrows are the figures' own: they turn the step only where nothing else has the focus.
 */

const BUTTONS = /** @type {Record<string, string>} */ ({
  PageDown: "next",
  ArrowRight: "next",
  PageUp: "back",
  ArrowLeft: "back",
});
const WRITTEN_IN = "input, textarea, select, [contenteditable=true]";

/** @param {KeyboardEvent} event */
function turn(event) {
  const which = BUTTONS[event.key];
  if (!which || event.defaultPrevented || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = event.composedPath()[0];
  if (!(at instanceof Element) || at.matches(WRITTEN_IN)) return;
  if (event.key.startsWith("Arrow") && at !== document.body && !at.closest(".st-key-lesson")) return;
  const button = document.querySelector(`.st-key-lesson-${which} button:not(:disabled)`);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click();
}

/** The listener goes with the lesson. */
export default function () {
  document.addEventListener("keydown", turn);
  return () => document.removeEventListener("keydown", turn);
}
