// @ts-check
/**
 * What a figure is made of: the byte frame that Python packed, and words as wide as they are.
 * Prepended to draw.js.
 */

// ---- frames: the other side of app/components/frame.py ----------------------------------------

const ARRAY_TYPES = { uint8: Uint8Array, int32: Int32Array, float32: Float32Array };

/** @typedef {{header: any, arrays: Record<string, any>}} Frame arrays carry a `shape` */

/** @param {Uint8Array} bytes */
function frameHeader(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return { text: new TextDecoder().decode(bytes.subarray(4, 4 + length)), end: 4 + length };
}

/** @param {Uint8Array} bytes @returns {Promise<Frame>} */
async function unpack(bytes) {
  const { text, end } = frameHeader(bytes);
  const header = JSON.parse(text);
  const zlib = new Blob([/** @type {any} */ (bytes.subarray(end))]).stream();
  const payload = await new Response(zlib.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
  /** @type {Record<string, any>} */
  const arrays = {};
  for (const { name, dtype, shape, offset } of header.arrays) {
    const size = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
    arrays[name] = new ARRAY_TYPES[/** @type {"uint8"} */ (dtype)](payload, offset, size);
    arrays[name].shape = shape;
  }
  return { header, arrays };
}

// ---- words ------------------------------------------------------------------------------

const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** @param {string} text @param {string} font */
function textWidth(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

/** `text`, or as much of it as `width` holds with an ellipsis. @param {string} text @param {number} width @param {string} font */
function fitted(text, width, font) {
  if (textWidth(text, font) <= width) return text;
  const characters = Array.from(text);
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(`${characters.slice(0, middle).join("")}…`, font) <= width) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join("")}…`;
}

/** Where tokens stand in the vocabulary, as a hover tells it; −1 or nothing: it is none of it. @param {...(number | null | undefined)} ids */
function idsTold(...ids) {
  const own = ids.filter((id) => typeof id === "number" && id >= 0);
  return own.length ? `token ${own.length > 1 ? "ids" : "id"} ${own.join(", ")}` : "";
}
