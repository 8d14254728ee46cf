// @ts-check
// Runs BertViz's own view, unchanged, on the data of this page.
//
// BertViz asks RequireJS for jQuery and d3 and hands over one function that draws
// `window.bertviz_params`. That function is kept and called once for each kind of
// attention, with that kind's own layers and heads; BertViz itself takes the encoder's
// numbers for all three, which fails or cuts layers where the stacks differ.

/** @typedef {any[]} Nested numbers, or lists of them */
/** @typedef {{[name: string]: any, title: string, colour: string, note: string, left_text: string[], right_text: string[], attn: Nested, queries?: Nested, keys?: Nested, bidirectional: boolean, divisors?: number[]}} Kind */

{
  const page = /** @type {any} */ (window); // with BertViz's libraries, and what BertViz looks for
  const { d3, jQuery } = page;
  const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const given = JSON.parse(/** @type {string} */ (byId("bertviz-data").textContent));
  const root = byId("bertviz");
  /** @type {(jquery: any, d3: any) => void} */
  let draw;
  page.require = { config() {} };
  page.requirejs = (/** @type {string[]} */ _names, /** @type {(jquery: any, d3: any) => void} */ view) => {
    draw = view;
  };

  /** @param {any} numbers @returns {any} */
  const scaled = (numbers) => (Array.isArray(numbers) ? numbers.map(scaled) : numbers / given.units_per_one);

  for (const kind of given.kinds)
    for (const name of ["attn", "queries", "keys"]) if (kind[name]) kind[name] = scaled(kind[name]);

  /**
   * The part of a kind's maps between two slices of its tokens: [from, to) of each side.
   * @param {Kind} kind @param {string} name @param {[number, number]} rows @param {[number, number]} columns
   */
  function part(kind, name, rows, columns) {
    const within = (/** @type {Nested} */ vectors, /** @type {[number, number]} */ [from, to]) =>
      vectors.map((/** @type {Nested} */ layer) => layer.map((/** @type {Nested} */ head) => head.slice(from, to)));
    return {
      name,
      left_text: kind.left_text.slice(...rows),
      right_text: kind.right_text.slice(...columns),
      attn: within(kind.attn, rows).map((layer) =>
        layer.map((/** @type {Nested} */ head) => head.map((row) => row.slice(...columns))),
      ),
      queries: kind.queries && within(kind.queries, rows),
      keys: kind.keys && within(kind.keys, columns),
    };
  }

  /** What BertViz calls `attention`: one entry, or five where there are two sentences. @param {Kind} kind @returns {Record<string, any>} */
  function parts(kind) {
    const n = kind.left_text.length;
    /** @type {[number, number][]} */
    const [a, b] = [
      [0, given.sentence_b_start],
      [given.sentence_b_start, n],
    ];
    if (given.sentence_b_start === null) return { all: kind };
    return {
      all: { ...kind, name: "All" },
      aa: part(kind, "A → A", a, a),
      ab: part(kind, "A → B", a, b),
      ba: part(kind, "B → A", b, a),
      bb: part(kind, "B → B", b, b),
    };
  }

  /** @param {string | number} value @param {string} text */
  function option(value, text) {
    return Object.assign(document.createElement("option"), { value: String(value), textContent: text });
  }

  /** @param {Kind} kind */
  function show(kind) {
    const attention = parts(kind);
    root.replaceChildren(/** @type {HTMLTemplateElement} */ (byId("frame")).content.cloneNode(true));
    const filter = /** @type {HTMLSelectElement} */ (root.querySelector("#filter"));
    filter.append(...Object.entries(attention).map(([key, { name }]) => option(key, name)));
    /** @type {HTMLElement} */ (filter.parentElement).hidden = filter.length === 1;
    document.documentElement.style.setProperty("--kind", kind.colour);
    byId("note").textContent = kind.note;
    d3.schemeCategory10 = given.view === "model" ? Array(10).fill(kind.colour) : given.head_colours;
    const layers = kind.attn.map((_, index) => index);
    const heads = kind.attn[0].map((/** @type {unknown} */ _, /** @type {number} */ index) => index);
    page.bertviz_params = {
      attention,
      default_filter: "all",
      root_div_id: root.id,
      display_mode: given.dark ? "dark" : "light",
      include_layers: layers,
      include_heads: heads,
      total_heads: heads.length,
      layer: Math.min(given.layer, layers.length - 1),
      heads: given.heads?.filter((/** @type {number} */ head) => head < heads.length),
      head: given.heads ? Math.min(given.heads[0], heads.length - 1) : 0,
      bidirectional: kind.bidirectional,
      divisors: kind.divisors,
    };
    draw(jQuery, d3);
  }

  // A head that is switched off fades towards the page, not towards white.
  const hsl = d3.hsl;
  d3.hsl = (/** @type {string} */ colour) => {
    const { l, s } = hsl(colour);
    return { l, s, toString: () => d3.interpolateRgb(given.paper, colour)(0.25) };
  };

  window.addEventListener("DOMContentLoaded", () => {
    const kinds = /** @type {HTMLSelectElement} */ (byId("kind"));
    kinds.append(
      ...given.kinds.map((/** @type {Kind} */ kind, /** @type {number} */ index) => option(index, kind.title)),
    );
    /** @type {HTMLElement} */ (kinds.parentElement).hidden = given.kinds.length === 1;
    kinds.addEventListener("change", () => show(given.kinds[Number(kinds.value)]));
    show(given.kinds[0]);
  });
}
