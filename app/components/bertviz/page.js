// @ts-check
// Runs BertViz's own view, unchanged, on the data of this page.
//
// BertViz asks RequireJS for jQuery and d3 and hands over one function that draws
// `window.bertviz_params`. That function is kept and called once for each kind of
// attention, with that kind's own layers and heads; BertViz itself takes the encoder's
// numbers for all three, which fails or cuts layers where the stacks differ.

const given = JSON.parse(document.getElementById("bertviz-data").textContent);
const root = document.getElementById("bertviz");
let draw;
window.require = { config() {} };
window.requirejs = (_names, view) => { draw = view; };

const scaled = (numbers) =>
  Array.isArray(numbers) ? numbers.map(scaled) : numbers / given.units_per_one;

for (const kind of given.kinds)
  for (const name of ["attn", "queries", "keys"]) if (kind[name]) kind[name] = scaled(kind[name]);

/** The part of a kind's maps between two slices of its tokens: [from, to) of each side. */
function part(kind, name, rows, columns) {
  const within = (vectors, [from, to]) =>
    vectors.map((layer) => layer.map((head) => head.slice(from, to)));
  return {
    name,
    left_text: kind.left_text.slice(...rows),
    right_text: kind.right_text.slice(...columns),
    attn: within(kind.attn, rows).map((layer) =>
      layer.map((head) => head.map((row) => row.slice(...columns)))),
    queries: kind.queries && within(kind.queries, rows),
    keys: kind.keys && within(kind.keys, columns),
  };
}

/** What BertViz calls `attention`: one entry, or five where there are two sentences. */
function parts(kind) {
  const n = kind.left_text.length;
  const all = [0, n], a = [0, given.sentence_b_start], b = [given.sentence_b_start, n];
  if (given.sentence_b_start === null) return { all: kind };
  return {
    all: { ...kind, name: "All" },
    aa: part(kind, "A → A", a, a),
    ab: part(kind, "A → B", a, b),
    ba: part(kind, "B → A", b, a),
    bb: part(kind, "B → B", b, b),
  };
}

function option(value, text) {
  return Object.assign(document.createElement("option"), { value, textContent: text });
}

function show(kind) {
  const attention = parts(kind);
  root.replaceChildren(document.getElementById("frame").content.cloneNode(true));
  const filter = root.querySelector("#filter");
  filter.append(...Object.entries(attention).map(([key, { name }]) => option(key, name)));
  filter.parentElement.hidden = filter.length === 1;
  document.documentElement.style.setProperty("--kind", kind.colour);
  document.getElementById("note").textContent = kind.note;
  d3.schemeCategory10 = given.view === "model" ? Array(10).fill(kind.colour) : given.head_colours;
  const layers = kind.attn.map((_, index) => index);
  const heads = kind.attn[0].map((_, index) => index);
  window.bertviz_params = {
    attention,
    default_filter: "all",
    root_div_id: root.id,
    display_mode: given.dark ? "dark" : "light",
    include_layers: layers,
    include_heads: heads,
    total_heads: heads.length,
    layer: Math.min(given.layer, layers.length - 1),
    heads: given.heads && given.heads.filter((head) => head < heads.length),
    head: given.heads ? Math.min(given.heads[0], heads.length - 1) : 0,
    bidirectional: kind.bidirectional,
    divisors: kind.divisors,
  };
  draw(jQuery, d3);
}

// A head that is switched off fades towards the page, not towards white.
const hsl = d3.hsl;
d3.hsl = (colour) => {
  const { l, s } = hsl(colour);
  return { l, s, toString: () => d3.interpolateRgb(given.paper, colour)(0.25) };
};

window.addEventListener("DOMContentLoaded", () => {
  const kinds = document.getElementById("kind");
  kinds.append(...given.kinds.map((kind, index) => option(index, kind.title)));
  kinds.parentElement.hidden = given.kinds.length === 1;
  kinds.addEventListener("change", () => show(given.kinds[kinds.value]));
  show(given.kinds[0]);
});
