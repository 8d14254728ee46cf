// @ts-check
/// <reference path="../figure.js" />
/// <reference path="../picture_map/sheet.js" />
/**
 * Answers in rows and columns: the heads of layers, or the patches of a picture. One cell stands in
 * the tab order; arrows go on from it.
 */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});

/**
 * @param {{rows: number, columns: number, titles: [string, string]}} grid
 * @param {HTMLElement[]} cells row by row
 * @param {any} pixels of the picture; null: heads
 */
function board(grid, cells, pixels) {
  const { rows, columns, titles } = grid;
  const sheet = element("div", pixels ? "board picture" : "board");
  const labels = pixels ? "" : "2.6rem ";
  sheet.style.gridTemplateColumns = `${labels}repeat(${columns}, minmax(0, 1fr))`;
  if (!pixels) {
    sheet.append(element("span", "quiet", titles.join(" / ")));
    for (let column = 0; column < columns; column++) sheet.append(element("span", "quiet", String(column)));
  }
  for (const [place, cell] of cells.entries()) {
    if (!pixels && place % columns === 0) sheet.append(element("span", "quiet", String(place / columns)));
    if (cell instanceof HTMLButtonElement) cell.tabIndex = place ? -1 : 0;
    sheet.append(cell);
  }
  sheet.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const [down, right] = ARROWS[event.key] ?? [0, 0];
    const from = cells.indexOf(/** @type {HTMLElement} */ (event.target));
    if (from < 0 || !(down || right)) return;
    event.preventDefault();
    const row = Math.min(rows - 1, Math.max(0, Math.floor(from / columns) + down));
    const column = Math.min(columns - 1, Math.max(0, (from % columns) + right));
    const to = cells[row * columns + column];
    [cells[from].tabIndex, to.tabIndex] = [-1, 0];
    to.focus();
  });
  if (!pixels) return sheet;
  const framed = element("div", "framed");
  framed.append(asCanvas(pixels), sheet);
  return framed;
}
