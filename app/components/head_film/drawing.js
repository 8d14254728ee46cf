// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../heat_map/layout.js" />
/// <reference path="../picture_map/sheet.js" />
/// <reference path="layout.js" />
/** A head film at one moment, drawn on a surface: the same function for the screen, PNG and SVG. */

/** @typedef {{frame: any, place: FilmPlace, at: number, head: [number, number]}} Film the moment, and the head that is large */

/** "layer 3 · head 1", or the map's own name. @param {any} header @param {number[]} head */
const headName = (header, [layer, index]) => header.names[index] ?? `layer ${layer} · head ${index}`;

/** Its number among all heads, layer by layer. @param {any} header @param {number[]} head */
function headIndex(header, [layer, index]) {
  return (
    header.heads.slice(0, layer).reduce((/** @type {number} */ sum, /** @type {number} */ count) => sum + count, 0) +
    index
  );
}

/** One head's map at a moment. @param {any} frame @param {number} moment @param {number} index @returns {Float32Array} */
function filmValues({ header, arrays }, moment, index) {
  const cells = header.rows.length * header.columns.length;
  const start = (moment * header.limits.length + index) * cells;
  return arrays.values.subarray(start, start + cells);
}

/** @param {FilmPlace} place @param {number[]} head */
function thumbnailAt({ grid }, [layer, column]) {
  return { x: grid.left + column * (grid.wide + grid.gap), y: grid.top + layer * (grid.high + grid.gap) };
}

/** @param {FilmPlace} place @param {number} moment */
function momentPlace({ strip }, moment) {
  return {
    x: (moment % strip.across) * (strip.wide + strip.gap),
    y: strip.top + strip.title + Math.floor(moment / strip.across) * (strip.high + strip.words),
  };
}

/** @param {Surface} surface @param {Film} film */
function drawFilm(surface, film) {
  const { theme } = surface;
  const { header } = film.frame;
  const lut = header.scale === "diverging" ? divergingRamp(theme) : hueRamp(theme, theme.hues[header.hue]);
  drawThumbnails(surface, film, lut);
  surface.shifted(film.place.large.x, film.place.large.y, () => drawLarge(surface, film, lut));
  drawMoments(surface, film, lut);
}

/** A map as codes of the ramp: √ of weights, signed values as they are. @param {any} frame @param {number} moment @param {number} index @param {Uint32Array} lut */
function filmCells(frame, moment, index, lut) {
  const { header } = frame;
  const limit = header.limits[index];
  const signed = header.scale === "diverging";
  const share = (/** @type {number} */ value) =>
    signed ? (value / limit + 1) / 2 : Math.sqrt(Math.max(0, value) / limit);
  const codes = Uint8Array.from(filmValues(frame, moment, index), (value) =>
    Math.round(255 * Math.min(1, Math.max(0, share(value)))),
  );
  return { codes, rows: header.rows.length, columns: header.columns.length, lut, middle: signed ? 127.5 : 0 };
}

/** Maps that are no heads: each by its name. @param {Surface} surface @param {FilmPlace} place @param {string[]} names */
function drawNames(surface, place, names) {
  const { theme } = surface;
  const { grid } = place;
  const style = { size: 11.5, fill: css(theme.quiet), align: /** @type {const} */ ("center") };
  names.forEach((name, column) => {
    const { x, y } = thumbnailAt(place, [0, column]);
    const text = fitted(name, grid.wide + grid.gap, fontOf(theme, style));
    surface.text(x + grid.wide / 2, y - 9 * theme.unit, text, style);
  });
}

/** Heads: the numbers of their columns and layers. @param {Surface} surface @param {FilmPlace} place */
function drawPlaces(surface, place) {
  const { theme } = surface;
  const { unit } = theme;
  const { grid } = place;
  const label = { size: 11.5, fill: css(theme.quiet) };
  surface.text(grid.left - 5 * unit, grid.top - 9 * unit, "head", { ...label, align: "right" });
  surface.text(7 * unit, (grid.top + place.gridBottom) / 2, "layer", { ...label, angle: -90, align: "center" });
  const every = Math.ceil((16 * unit) / (grid.wide + grid.gap));
  for (let column = 0; column < grid.columns; column += every) {
    surface.text(thumbnailAt(place, [0, column]).x + grid.wide / 2, grid.top - 9 * unit, String(column), {
      ...label,
      align: "center",
    });
  }
  for (let layer = 0; layer < grid.layers; layer++) {
    surface.text(grid.left - 5 * unit, thumbnailAt(place, [layer, 0]).y + grid.high / 2, String(layer), {
      ...label,
      align: "right",
    });
  }
}

/** @param {Surface} surface @param {Film} film @param {Uint32Array} lut */
function drawThumbnails(surface, { frame, place, at }, lut) {
  const { theme } = surface;
  const { unit } = theme;
  const { grid } = place;
  const { names, unit: moment } = frame.header;
  if (names.length) drawNames(surface, place, names);
  else drawPlaces(surface, place);
  let index = 0;
  frame.header.heads.forEach((/** @type {number} */ count, /** @type {number} */ layer) => {
    for (let column = 0; column < count; column++, index++) {
      const { x, y } = thumbnailAt(place, [layer, column]);
      surface.cells(x, y, grid.wide, grid.high, filmCells(frame, at, index, lut));
      surface.rect(x - 0.5, y - 0.5, grid.wide + 1, grid.high + 1, { stroke: css(theme.rule) });
    }
  });
  const one = names.length ? "map" : "head";
  const signed = frame.header.scale === "diverging";
  const scale = signed ? "linear scale" : "√ scale";
  drawLegend(surface, grid.left, place.gridBottom + 14 * unit, {
    lut,
    left: signed ? "−" : "0",
    right: signed ? "+" : "",
    title: grid.columns * grid.wide < 300 * unit ? scale : `${scale}, each ${one} its own, all ${moment}s alike`,
    width: 80 * unit,
  });
}

/** @param {Surface} surface @param {Film} film @param {Uint32Array} lut */
function drawLarge(surface, { frame, place, at, head }, lut) {
  const { theme } = surface;
  const { header } = frame;
  const { large } = place;
  const index = headIndex(header, head);
  const cells = filmCells(frame, at, index, lut);
  const [bottom, right] = [large.top + cells.rows * large.cellHigh, large.left + cells.columns * large.cellWide];
  surface.text(large.left, 10 * theme.unit, `${headName(header, head)}, ${header.moments[at]}`, {
    size: 13,
    weight: 600,
  });
  if (large.sheet) {
    // the sheet's scale is linear, so it gets the square roots
    const values = Float32Array.from(cells.codes, (code) => code / 255);
    const figure = { ...large.figure, scale: "sequential", limit: 1, opacity: 0.72, grid: false };
    surface.shifted(0, large.top, () =>
      drawSheet(surface, figure, { picture: frame.picture, values }, large.sheet, false),
    );
  } else {
    surface.shifted(0, large.top - large.matrix.top, () => drawMatrixLabels(surface, header, large.matrix));
    surface.cells(large.left, large.top, right - large.left, bottom - large.top, cells);
    surface.rect(large.left - 0.5, large.top - 0.5, right - large.left + 1, bottom - large.top + 1, {
      stroke: css(theme.rule),
    });
    const quiet = { size: 12, fill: css(theme.quiet), align: /** @type {const} */ ("center") };
    surface.text(8 * theme.unit, (large.top + bottom) / 2, header.row_title, { ...quiet, angle: -90 });
    surface.text((large.left + right) / 2, large.top - large.matrix.top + 9 * theme.unit, header.column_title, quiet);
  }
  const limit = number(header.limits[index]);
  const signed = header.scale === "diverging";
  drawLegend(surface, large.left, bottom + 16 * theme.unit, {
    lut,
    left: signed ? `−${limit}` : "0",
    right: limit,
    title: signed ? "linear scale" : "√ scale",
    width: 100 * theme.unit,
  });
}

/** @param {Surface} surface @param {Film} film @param {Uint32Array} lut */
function drawMoments(surface, { frame, place, at, head }, lut) {
  const { theme } = surface;
  const { strip } = place;
  const title = `${headName(frame.header, head)} at every ${frame.header.unit}`;
  surface.text(0, strip.top + 8 * theme.unit, title, { size: 13, weight: 600 });
  frame.header.moments.forEach((/** @type {string} */ name, /** @type {number} */ moment) => {
    const { x, y } = momentPlace(place, moment);
    surface.cells(x, y, strip.wide, strip.high, filmCells(frame, moment, headIndex(frame.header, head), lut));
    surface.rect(x - 0.5, y - 0.5, strip.wide + 1, strip.high + 1, { stroke: css(theme.rule) });
    const now = moment === at;
    const style = {
      size: 12,
      fill: css(now ? theme.ink : theme.quiet),
      weight: now ? 600 : 400,
      align: /** @type {const} */ ("center"),
    };
    surface.text(
      x + strip.wide / 2,
      y + strip.high + 13 * theme.unit,
      fitted(name, strip.wide + strip.gap, fontOf(theme, style)),
      style,
    );
  });
}
