// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/**
 * Saves the Plotly chart beside this component. Streamlit keeps Plotly to itself, but its
 * own camera button reads the format from the chart when it is pressed, so PNG and SVG are
 * that button pressed with the format set; the table is read from the chart's traces.
 *
 * Plotly lets words cover each other. How wide a chart is only the browser knows, so here those
 * that must give way are hidden, whenever Plotly has drawn.
 */

const CAMERA = '.modebar-btn[data-title^="Download plot"]';
const PNG_SCALE = 2; // pixels of the file per pixel of the page
const SPACE = 4; // px between two words
const GIVES_WAY = "gives way"; // the name of such annotations, as in __init__.py

/** @param {Component} component */
export default function (component) {
  return mount(component, (root) => {
    const bar = root.appendChild(element("div", "bar"));
    const note = bar.appendChild(element("span", "quiet grow"));
    const tools = bar.appendChild(element("span", "tools"));
    let [name, caption] = ["chart", ""];

    const block = () => {
      const shadow = root.getRootNode(); // not one after the page has let it go
      return shadow instanceof ShadowRoot ? shadow.host.closest('[data-testid="stVerticalBlock"]') : null;
    };
    const chart = () => /** @type {any} */ (block()?.querySelector(".js-plotly-plot"));
    const drawn = new MutationObserver(makeRoom);
    function makeRoom() {
      const hidden = giveWay(chart());
      const labels = hidden > 1 ? "labels have" : "label has";
      note.textContent = hidden ? `${hidden} ${labels} no room here: hover a point, or zoom in.` : "";
    }
    /** @param {"png" | "svg"} format */
    const picture = (format) => {
      const plot = chart();
      if (!plot) return;
      plot._context.toImageButtonOptions = { format, filename: name, scale: format === "png" ? PNG_SCALE : 1 };
      if (format === "svg") describeNext(name, () => [captioned(caption), tableOf(plot, "").replaceAll("\r\n", "; ")]);
      plot.querySelector(CAMERA)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    };
    const table = () => {
      const plot = chart();
      if (plot) download(`${name}.csv`, new Blob([tableOf(plot, caption)], { type: "text/csv" }));
    };
    saveMenu(tools, "this chart", [
      ["PNG", "Save this chart as a picture", () => picture("png")],
      ["SVG", "Save this chart as a drawing", () => picture("svg")],
      ["CSV", "Save this chart's numbers", table],
    ]);
    return {
      update({ header }) {
        ({ name, caption } = header);
        drawn.disconnect();
        const around = header.crowded && block();
        if (around) {
          drawn.observe(around, { childList: true, subtree: true });
          makeRoom();
        }
        root.dataset.painted = "chart files";
      },
      retheme() {},
      resize() {},
      described: () => block()?.querySelector('[data-testid="stPlotlyChart"]'),
    };
  });
}

/** Hide words that would cover an earlier one; returns how many. @param {any} plot */
function giveWay(plot) {
  /** @type {DOMRect[]} */ const taken = [];
  let hidden = 0;
  for (const [i, { name }] of (plot?._fullLayout?.annotations ?? []).entries()) {
    const node = name === GIVES_WAY && plot.querySelector(`.annotation[data-index="${i}"]`);
    if (!node) continue;
    const box = node.getBoundingClientRect();
    const covers = taken.some(
      (one) =>
        box.left < one.right + SPACE && one.left < box.right + SPACE && box.top < one.bottom && one.top < box.bottom,
    );
    node.style.visibility = covers ? "hidden" : "";
    if (covers) hidden++;
    else taken.push(box);
  }
  return hidden;
}

/**
 * The drawing that Plotly saves next, with a title, its numbers and its fonts: what it hands to the
 * browser (a link that it clicks) is handed on with them.
 * @param {string} name @param {() => string[]} words
 */
function describeNext(name, words) {
  const file = `${name}.svg`;
  /** @param {MouseEvent} event */
  function onLink(event) {
    const link = event.target;
    if (!(link instanceof HTMLAnchorElement) || link.download !== file || !link.href.startsWith("blob:")) return;
    document.removeEventListener("click", onLink, true);
    event.preventDefault();
    event.stopImmediatePropagation();
    handOn(file, link.href, words());
  }
  document.addEventListener("click", onLink, true);
}

/** @param {string} file @param {string} address @param {string[]} words */
async function handOn(file, address, words) {
  const drawing = await (await fetch(address)).text();
  const stacks = Array.from(drawing.matchAll(/font-family: ([^;]+);/g), ([, stack]) => stack.replaceAll("&quot;", ""));
  const head = drawingHead(words[0] || file, words, await fontFaces(stacks));
  download(file, new Blob([drawing.replace(/<svg[^>]*>/, (start) => start + head)], { type: "image/svg+xml" }));
}

/** Every trace's points as rows: curve, x, y, and z or a note where there are some. @param {any} plot @param {string} caption */
function tableOf(plot, caption) {
  const traces = plot._fullData.filter((/** @type {any} */ trace) => trace.visible !== false);
  const rows = traces.flatMap(rowsOf);
  const [flat, noted] = [
    rows.every((/** @type {any[]} */ row) => row[3] === undefined),
    rows.some((/** @type {any[]} */ row) => row[4]),
  ];
  const layout = plot._fullLayout;
  const header = ["curve", titleOf(layout.xaxis) || "x", titleOf(layout.yaxis) || "y", "value", "note"];
  const kept = [0, 1, 2, ...(flat ? [] : [3]), ...(noted ? [4] : [])];
  const lines = [header, ...rows].map((row) => kept.map((column) => quoted(row[column])).join(","));
  return [`# ${[caption, window.location.href].filter(Boolean).join(" · ")}`, ...lines, ""].join("\r\n");
}

/** @param {any} trace @returns {any[][]} */
function rowsOf(trace) {
  const curve = trace.name ?? "";
  if (trace.z?.length) {
    return Array.from(trace.z).flatMap((row, i) =>
      Array.from(/** @type {any} */ (row), (value, j) => [curve, trace.x?.[j] ?? j, trace.y?.[i] ?? i, value]),
    );
  }
  const points = Math.max(trace.x?.length ?? 0, trace.y?.length ?? 0);
  const note = (/** @type {number} */ i) =>
    [trace.customdata?.[i], Array.isArray(trace.text) ? trace.text[i] : ""]
      .flat()
      .filter((part) => typeof part === "string" && part)
      .join(" · ");
  return Array.from({ length: points }, (_, i) => [curve, trace.x?.[i] ?? i, trace.y?.[i] ?? "", undefined, note(i)]);
}

/** @param {any} axis */
const titleOf = (axis) => unescaped(axis?.title?.text ?? "");

/** Plotly's texts are escaped for its own tags. @param {string} text */
function unescaped(text) {
  const names = /** @type {Record<string, string>} */ ({ "&lt;": "<", "&gt;": ">", "&amp;": "&" });
  return text.replace(/<[^>]*>/g, " ").replace(/&(?:lt|gt|amp);/g, (entity) => names[entity]);
}

/** @param {any} value */
function quoted(value) {
  const text = typeof value === "string" ? unescaped(value) : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
