// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../heat_map/layout.js" />
/// <reference path="../picture_map/sheet.js" />
/**
 * Where everything of a head film stands on its one canvas: thumbnails of all heads, one head
 * large beside them (below them on a phone), and that head at every moment in a row below.
 */

const FILM_SIDE_BY_SIDE = 720; // px from which the large map stands beside the thumbnails
const SMALLEST_THUMBNAIL = 12;
const LARGEST_THUMBNAIL = 92;
const LARGEST_MOMENT = 104;

/** @typedef {{left: number, top: number, wide: number, high: number, gap: number, columns: number, layers: number}} Thumbnails */

/** @param {any} frame @param {number} width @param {Theme} theme */
function arrangeFilm(frame, width, theme) {
  const { unit } = theme;
  const beside = width >= FILM_SIDE_BY_SIDE * unit;
  const grid = arrangeThumbnails(frame, beside ? 0.54 * width : width, theme);
  const gridBottom = grid.top + grid.layers * (grid.high + grid.gap);
  const gridRight = grid.left + grid.columns * (grid.wide + grid.gap);
  const x = beside ? Math.min(gridRight, 0.54 * width) + 30 * unit : 0;
  const y = beside ? 0 : gridBottom + 40 * unit;
  const large = arrangeLarge(
    frame,
    Math.min(width - x, 560 * unit),
    beside ? Math.max(300 * unit, gridBottom - 60 * unit) : 360 * unit,
    theme,
  );
  const strip = arrangeMoments(frame, width, theme);
  const stripTop = Math.max(gridBottom + 34 * unit, y + large.height) + 14 * unit;
  return {
    grid,
    gridBottom,
    large: { ...large, x, y },
    strip: { ...strip, top: stripTop },
    width: Math.max(width, gridRight, x + large.width),
    height: stripTop + strip.height,
  };
}
/** @typedef {ReturnType<typeof arrangeFilm>} FilmPlace */

/** @param {any} frame @param {number} width @param {Theme} theme @returns {Thumbnails} */
function arrangeThumbnails(frame, width, theme) {
  const { heads, rows, columns } = frame.header;
  const aspect = Math.min(2, Math.max(0.5, rows.length / columns.length));
  const [across, layers] = [Math.max(...heads), heads.length];
  const gap = Math.max(2, Math.min(6, Math.round(width / across / 10)));
  const [left, top] = [46 * theme.unit, 20 * theme.unit];
  const room = Math.max(240 * theme.unit, window.innerHeight * 0.41);
  const side = Math.min((width - left) / across - gap, (room / layers - gap) / aspect, LARGEST_THUMBNAIL * theme.unit);
  const wide = Math.max(SMALLEST_THUMBNAIL, Math.floor(side));
  return {
    left,
    top,
    wide,
    high: Math.max(SMALLEST_THUMBNAIL, Math.round(wide * aspect)),
    gap,
    columns: across,
    layers,
  };
}

/** One head large: its matrix, or the picture that its cells are patches of. @param {any} frame @param {number} width @param {number} height @param {Theme} theme */
function arrangeLarge(frame, width, height, theme) {
  const { header, picture } = frame;
  const titles = 24 * theme.unit;
  if (picture) {
    const figure = {
      ...header,
      title: "",
      rows: header.rows.length,
      columns: header.columns.length,
      width: Math.min(width, height) / theme.unit,
    };
    const sheet = arrangeSheet(figure, picture, width, theme, false);
    return {
      sheet,
      figure,
      left: 0,
      top: titles,
      cellWide: sheet.cellWide,
      cellHigh: sheet.cellHigh,
      width: sheet.wide,
      height: titles + sheet.high + 30 * theme.unit,
    };
  }
  const shape = [header.rows.length, header.columns.length];
  const side = (height - 60 * theme.unit) / shape[0];
  const asked = { ...header, title: "", cell: [side, side], numbers: false, height: height - 60 * theme.unit };
  const matrix = arrangeMatrix(/** @type {any} */ ({ header: asked, arrays: { values: { shape } } }), width, theme);
  return {
    matrix,
    left: matrix.left,
    top: titles + matrix.top,
    cellWide: matrix.wide,
    cellHigh: matrix.high,
    width: matrix.right,
    height: titles + matrix.height,
  };
}

/** @param {any} frame @param {number} width @param {Theme} theme */
function arrangeMoments(frame, width, theme) {
  const { moments, rows, columns } = frame.header;
  const gap = 12 * theme.unit;
  const across = width >= FILM_SIDE_BY_SIDE * theme.unit ? moments.length : Math.ceil(moments.length / 2);
  const wide = Math.floor(Math.min((width - (across - 1) * gap) / across, LARGEST_MOMENT * theme.unit));
  const high = Math.round(wide * Math.min(1.5, Math.max(0.5, rows.length / columns.length)));
  const [title, words] = [24 * theme.unit, 34 * theme.unit];
  return { across, wide, high, gap, title, words, height: title + Math.ceil(moments.length / across) * (high + words) };
}
