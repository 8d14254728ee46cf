// @ts-check
/// <reference path="colours.js" />
/// <reference path="data.js" />
/// <reference path="marks.js" />
/**
 * The one small drawing module, prepended with data.js and colours.js to every view.js: a
 * *surface* with two implementations (canvas, SVG), so that a figure is drawn by one
 * function on the screen, in a PNG and in an SVG.
 *
 * Strings that come from a reader reach the page through textContent and fillText
 * only; the SVG surface escapes them.
 */

// ---- surfaces -----------------------------------------------------------------------------

/**
 * @typedef {{fill?: string, stroke?: string, width?: number, alpha?: number, radius?: number}} Style
 * @typedef {{size?: number, fill?: string, align?: "left"|"right"|"center", angle?: number, weight?: number, code?: boolean}} TextStyle
 * @typedef {{codes: Uint8Array, rows: number, columns: number, lut: Uint32Array, middle?: number}} Cells
 * `middle`: the code of zero, 0 for weights, 127.5 on a diverging ramp
 */

const MAX_VECTOR_CELLS = 16384; // larger maps go into an SVG as a picture

/** The code farthest from zero under each pixel, so that a single strong cell never vanishes. @param {Cells} cells @param {number} width @param {number} height */
function rasterise({ codes, rows, columns, lut, middle = 0 }, width, height) {
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const edge = (/** @type {number} */ i, /** @type {number} */ n, /** @type {number} */ size) =>
    Math.floor((i * n) / size);
  const starts = Array.from({ length: width + 1 }, (_, x) => edge(x, columns, width));
  for (let y = 0; y < height; y++) {
    const top = edge(y, rows, height);
    const bottom = Math.max(top + 1, edge(y + 1, rows, height));
    for (let x = 0; x < width; x++) {
      const last = Math.max(starts[x] + 1, starts[x + 1]);
      let best = codes[top * columns + starts[x]];
      for (let row = top; row < bottom; row++) {
        for (let i = row * columns + starts[x], end = row * columns + last; i < end; i++) {
          if (Math.abs(codes[i] - middle) > Math.abs(best - middle)) best = codes[i];
        }
      }
      pixels[y * width + x] = lut[best];
    }
  }
  return image;
}

class CanvasSurface {
  /** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height @param {Theme} theme @param {number} [ratio] */
  constructor(canvas, width, height, theme, ratio = window.devicePixelRatio || 1) {
    this.ratio = ratio;
    this.theme = theme;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {Style} style */
  rect(x, y, w, h, style) {
    this.context.beginPath();
    if (style.radius) this.context.roundRect(x, y, w, h, style.radius);
    else this.context.rect(x, y, w, h);
    this.#finish(style);
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Style} style */
  line(x1, y1, x2, y2, style) {
    this.context.beginPath();
    this.context.moveTo(x1, y1);
    this.context.lineTo(x2, y2);
    this.#finish(style);
  }

  /** Leaves and arrives horizontally. @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Style} style */
  curve(x1, y1, x2, y2, style) {
    const middle = (x1 + x2) / 2;
    this.context.beginPath();
    this.context.moveTo(x1, y1);
    this.context.bezierCurveTo(middle, y1, middle, y2, x2, y2);
    this.#finish(style);
  }

  /** Vertically centred on y. @param {number} x @param {number} y @param {string} text @param {TextStyle} [style] */
  text(x, y, text, style = {}) {
    const { context } = this;
    context.save();
    context.font = fontOf(this.theme, style);
    context.fillStyle = style.fill ?? css(this.theme.ink);
    context.textAlign = style.align ?? "left";
    context.textBaseline = "middle";
    context.direction = "ltr";
    context.translate(x, y);
    if (style.angle) context.rotate((style.angle * Math.PI) / 180);
    context.fillText(text, 0, 0.5);
    context.restore();
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {Cells} cells */
  cells(x, y, w, h, cells) {
    const { e, f } = this.context.getTransform(); // putImageData knows no other origin
    const [left, top] = [Math.round(x * this.ratio + e), Math.round(y * this.ratio + f)];
    const [width, height] = [Math.round((x + w) * this.ratio + e) - left, Math.round((y + h) * this.ratio + f) - top];
    if (width > 0 && height > 0) this.context.putImageData(rasterise(cells, width, height), left, top);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {HTMLCanvasElement} picture */
  picture(x, y, w, h, picture) {
    this.context.drawImage(picture, x, y, w, h);
  }

  /** Draw with another origin. @param {number} x @param {number} y @param {() => void} draw */
  shifted(x, y, draw) {
    this.context.save();
    this.context.translate(x, y);
    draw();
    this.context.restore();
  }

  /** @param {Style} style */
  #finish({ fill, stroke, width = 1, alpha = 1 }) {
    const { context } = this;
    context.globalAlpha = alpha;
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke) {
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

class SvgSurface {
  /** @param {number} width @param {number} height @param {Theme} theme */
  constructor(width, height, theme) {
    this.theme = theme;
    this.size = [width, height];
    /** @type {string[]} */
    this.parts = [];
    /** @type {Set<string>} those that text was set in */
    this.fonts = new Set();
    /** @type {string[]} */
    this.words = [];
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {Style} style */
  rect(x, y, w, h, style) {
    const radius = style.radius ? ` rx="${style.radius}"` : "";
    this.parts.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}"${radius}${paint(style)}/>`,
    );
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Style} style */
  line(x1, y1, x2, y2, style) {
    this.parts.push(`<path d="M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}"${paint(style)}/>`);
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Style} style */
  curve(x1, y1, x2, y2, style) {
    const middle = short((x1 + x2) / 2);
    const path = `M${short(x1)} ${short(y1)}C${middle} ${short(y1)} ${middle} ${short(y2)} ${short(x2)} ${short(y2)}`;
    this.parts.push(`<path d="${path}"${paint(style)}/>`);
  }

  /** @param {number} x @param {number} y @param {string} text @param {TextStyle} [style] */
  text(x, y, text, style = {}) {
    const { size = 13, weight = 400, align = "left", angle = 0, fill = css(this.theme.ink), code } = style;
    const anchor = { left: "start", right: "end", center: "middle" }[align];
    const family = this.theme.fonts[code ? "code" : "text"];
    this.fonts.add(family);
    this.words.push(text);
    // as wide as it was measured, also where the reader's program lacks the font
    const wide = textWidth(text, fontOf(this.theme, style));
    this.parts.push(
      `<text transform="translate(${short(x)} ${short(y)}) rotate(${angle})" dy="0.35em" text-anchor="${anchor}"` +
        ` font-family="${escaped(family)}" font-size="${short(size * this.theme.unit)}"` +
        ` font-weight="${weight}" fill="${fill}"${wide > 0 ? ` textLength="${short(wide)}" lengthAdjust="spacingAndGlyphs"` : ""} xml:space="preserve">${escaped(text)}</text>`,
    );
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {Cells} cells */
  cells(x, y, w, h, cells) {
    const { codes, rows, columns, lut, middle = 0 } = cells;
    if (rows * columns > MAX_VECTOR_CELLS) {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [columns, rows];
      canvas.getContext("2d")?.putImageData(rasterise(cells, columns, rows), 0, 0);
      this.parts.push(
        `<image x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}" preserveAspectRatio="none"` +
          ` style="image-rendering:pixelated" href="${canvas.toDataURL("image/png")}"/>`,
      );
      return;
    }
    const [cellWidth, cellHeight] = [w / columns, h / rows];
    this.parts.push('<g shape-rendering="crispEdges">'); // no hairlines between neighbours
    for (let i = 0; i < codes.length; i++) {
      if (codes[i] === Math.round(middle)) continue;
      const [column, row] = [i % columns, Math.floor(i / columns)];
      this.rect(x + column * cellWidth, y + row * cellHeight, cellWidth, cellHeight, {
        fill: css(fromLookup(lut, codes[i])),
      });
    }
    this.parts.push("</g>");
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {HTMLCanvasElement} picture */
  picture(x, y, w, h, picture) {
    const place = `x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}"`;
    this.parts.push(`<image ${place} preserveAspectRatio="none" href="${picture.toDataURL("image/png")}"/>`);
  }

  /** @param {number} x @param {number} y @param {() => void} draw */
  shifted(x, y, draw) {
    this.parts.push(`<g transform="translate(${short(x)} ${short(y)})">`);
    draw();
    this.parts.push("</g>");
  }

  /** @param {string} head title, description, fonts (paper.js) */
  toString(head = "") {
    const [width, height] = this.size;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
      `${head}<rect width="100%" height="100%" fill="${css(this.theme.paper)}"/>${this.parts.join("")}</svg>`
    );
  }
}
/** @typedef {CanvasSurface | SvgSurface} Surface */

const short = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);

/** Also drops what XML forbids, such as U+0000. @param {string} text */
const escaped = (text) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** @param {Style} style */
function paint({ fill = "none", stroke, width = 1, alpha = 1 }) {
  const line = stroke ? ` stroke="${stroke}" stroke-width="${short(width)}"` : "";
  return ` fill="${fill}"${line}${alpha < 1 ? ` opacity="${short(alpha)}"` : ""}`;
}

/** @param {Theme} theme @param {TextStyle} [style] */
function fontOf(theme, { size = 13, weight = 400, code = false } = {}) {
  return `${weight} ${size * theme.unit}px ${theme.fonts[code ? "code" : "text"]}`;
}

/** A bar of the ramp with its ends and the scale's name. @param {Surface} surface @param {number} x @param {number} y @param {{lut: Uint32Array, left: string, right: string, title: string, width?: number}} legend */
function drawLegend(surface, x, y, { lut, left, right, title, width = 120 }) {
  const { theme } = surface;
  const style = { size: 12, fill: css(theme.quiet) };
  const font = fontOf(theme, style);
  const height = 8 * theme.unit;
  surface.text(x, y, left, style);
  x += textWidth(left, font) + 6;
  surface.cells(x, y - height / 2, width, height, {
    codes: Uint8Array.from({ length: 128 }, (_, i) => 2 * i + 1),
    rows: 1,
    columns: 128,
    lut,
  });
  surface.rect(x, y - height / 2, width, height, { stroke: css(theme.rule) });
  x += width + 6;
  surface.text(x, y, right, style);
  x += textWidth(right, font) + 14;
  surface.text(x, y, title, style);
  return x + textWidth(title, font);
}
