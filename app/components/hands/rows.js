// @ts-check
/**
 * The wheel of a mouse turns a row that goes on beside its window: the row alone has a bar for it on
 * a trackpad or under a finger. At the row's end the page scrolls on.
 */

const ROWS =
  '[class*="st-key-controls"], [class*="st-key-chips"] [role="radiogroup"], ' +
  '.st-key-head [role="radiogroup"], .st-key-input-chips [role="radiogroup"]';
const LINE = 16; // px, where a browser counts in lines

/** @param {WheelEvent} event */
function turnRow(event) {
  const row = event.currentTarget;
  if (!(row instanceof HTMLElement) || event.ctrlKey || event.shiftKey) return;
  if (Math.abs(event.deltaX) >= Math.abs(event.deltaY)) return; // it knows sideways itself
  const before = row.scrollLeft;
  row.scrollLeft += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1);
  if (row.scrollLeft !== before) event.preventDefault();
}

/**
 * A row listens once the pointer was in it: one listener for the whole page would let every
 * scrolling wait for it.
 * @param {PointerEvent} event
 */
function listenInRow(event) {
  const row = event.target instanceof Element ? event.target.closest(ROWS) : null;
  if (row instanceof HTMLElement) row.addEventListener("wheel", turnRow, { passive: false });
}
