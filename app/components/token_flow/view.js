// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="paths.js" />
/// <reference path="layout.js" />
/// <reference path="drawing.js" />
/**
 * Tokens as rows, levels as columns, edges as wide as their shares. The lower canvas holds the
 * flow, the upper one the path that is pointed at: a hover repaints a few lines.
 */

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const bar = root.appendChild(element("div", "bar"));
    const readout = bar.appendChild(element("div", "readout grow quiet"));
    const tools = bar.appendChild(element("div", "tools"));
    const stack = root.appendChild(element("div", "stack"));
    const base = stack.appendChild(element("canvas"));
    const over = stack.appendChild(element("canvas"));
    const tip = new Tooltip(root);
    const table = root.appendChild(element("div", "unseen"));
    stack.tabIndex = 0;
    stack.setAttribute("role", "group");
    stack.setAttribute("aria-roledescription", "flow between tokens");
    base.setAttribute("role", "img");
    readout.setAttribute("aria-live", "polite");
    exportButtons(tools, save, "this figure", [
      ["CSV", "Download the edges that are drawn", () => download("flow.csv", new Blob([csv()], { type: "text/csv" }))],
    ]);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {Flow} */ let flow;
    /** @type {Float64Array[]} best products towards the input side, and towards the output side */
    let below;
    /** @type {Float64Array[]} */ let above;
    let width = 0;
    /** @type {FlowNode} */ let node = [0, 0];
    /** @type {FlowNode | null} where the keys stand */ let focus = null;
    /** @type {{node: FlowNode} | {edge: FlowEdge} | null} */ let spot = null;

    const named = (/** @type {FlowNode} */ [level, position]) =>
      `${visible(frame.header.tokens[position])} (${frame.header.levels[level]})`;

    function compose() {
      const { header } = frame;
      const graph = new FlowGraph(frame);
      const sum = (/** @type {number} */ a, /** @type {number} */ b) => a + b;
      const { shown } = header;
      const chosen = shown === "all" ? null : node;
      below = graph.best(shown === "out" ? chosen : null, false);
      above = graph.best(shown === "into" ? chosen : null, true);
      const place = arrangeFlow(header, width, theme);
      const held =
        shown === "all" ? below.map((one) => new Float64Array(one.length)) : graph.along(node, shown === "into", sum);
      flow = { header, graph, place, edges: graph.edges(shown, node), node, held };
    }

    function paintAll() {
      compose();
      const { place, edges, graph } = flow;
      drawFlow(new CanvasSurface(base, place.width, place.height, theme), flow);
      const total = edges.reduce((sum, edge) => sum + edge.share, 0);
      root.dataset.painted = `${graph.layers} layers of ${graph.n} tokens, ${edges.length} edges, sum ${total.toFixed(3)}`;
      root.dataset.geometry = JSON.stringify([place.side, place.top, place.step, place.row]);
      fillTable();
      paintOver();
    }

    /** The path that is pointed at: through an edge, or between a node and the chosen one. */
    function pointed() {
      const at = spot ?? (focus && stack.matches(":focus") ? { node: focus } : null);
      if (!at) return null;
      const { graph, header } = flow;
      const [first, last] = [header.shown === "out" ? node[0] : 0, header.shown === "into" ? node[0] : graph.layers];
      if ("edge" in at) {
        const { layer, query, key, share } = at.edge;
        const back = walk(graph, [layer, key], below, true, first).reverse();
        const on = walk(graph, [layer + 1, query], above, false, last);
        return {
          at,
          level: first,
          positions: [...back, ...on],
          worth: below[layer][key] * share * above[layer + 1][query],
        };
      }
      const [level, position] = at.node;
      if (level < first || level > last) return { at, level, positions: [position], worth: 0 };
      if (header.shown === "into")
        return { at, level, positions: walk(graph, at.node, above, false, last), worth: above[level][position] };
      const back = walk(graph, at.node, below, true, first).reverse();
      return { at, level: first, positions: back, worth: below[level][position] };
    }

    function paintOver() {
      const surface = new CanvasSurface(over, flow.place.width, flow.place.height, theme);
      const found = pointed();
      const at = found && "node" in found.at ? found.at.node : null;
      drawPath(surface, flow, found?.worth ? found : null, at);
      root.dataset.node = JSON.stringify(node);
      tellParts(readout, found ? words(found) : hints());
      readout.dataset.value = found ? String(found.worth) : "";
    }

    const hints = () => [
      frame.header.shown === "all" ? "" : `chosen: ${named(node)}`,
      "hover a line or a token for its path",
      "click a token to follow it",
    ];

    /** @param {{at: any, level: number, positions: number[], worth: number}} found @returns {string[]} */
    function words({ at, level, positions, worth }) {
      const { header, graph } = flow;
      const says = worth > 0 ? `strongest path ${number(worth)}: ${told(level, positions)}` : "";
      if (at.edge) {
        const { layer, query, key, share } = at.edge;
        const own = query === key ? `, ${number(graph.residual(layer, query))} of it kept by the residual` : "";
        return [`${named([layer, key])} → ${named([layer + 1, query])}: share ${number(share)}${own}`, says];
      }
      const [here, position] = at.node;
      const head = `${named(at.node)}, token id ${header.ids[position]}`;
      if (header.shown === "all") return [head, says];
      const share = flow.held[here][position];
      if (header.shown === "into" ? here > node[0] : here < node[0]) return [head, `lies beyond ${named(node)}`];
      const whole =
        header.shown === "into"
          ? `${number(share)} of ${named(node)} comes from it`
          : `${number(share)} of it comes from ${named(node)}`;
      return [head, `${whole}, by all paths`, says];
    }

    /** A path in words: where it changes its token. @param {number} level @param {number[]} positions */
    function told(level, positions) {
      const parts = [named([level, positions[0]])];
      for (let i = 1; i < positions.length; i++) {
        if (positions[i] !== positions[i - 1]) parts.push(named([level + i, positions[i]]));
      }
      if (parts.length === 1 && positions.length > 1) return `${parts[0]}, itself all the way`;
      return parts.join(" → ");
    }

    function fillTable() {
      const { header, edges } = flow;
      const body = element("table");
      body.append(element("caption", "", `${header.label}: the strongest shares`));
      for (const edge of edges.slice(-40).reverse()) {
        const row = body.appendChild(element("tr"));
        row.append(element("td", "", `${named([edge.layer, edge.key])} → ${named([edge.layer + 1, edge.query])}`));
        row.append(element("td", "number", number(edge.share)));
      }
      table.replaceChildren(body);
    }

    /** The edges that are drawn. */
    function csv() {
      const quoted = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
      const { graph, header } = flow;
      const lines = flow.edges.map(({ layer, query, key, share }) =>
        [
          ...[layer, query, quoted(header.tokens[query]), key, quoted(header.tokens[key]), share],
          query === key ? graph.residual(layer, query) : 0,
        ].join(","),
      );
      const caption = `# ${visibleLine(header.caption || header.label)}`;
      return [caption, "layer,query,query_token,key,key_token,share,kept", ...lines.reverse()].join("\n");
    }

    /** @param {FlowNode} chosen */
    function choose(chosen) {
      node = chosen;
      spot = null;
      tip.hide();
      paintAll();
      selection.choose(node);
    }

    /** @param {MouseEvent} event */
    function locate(event) {
      return flowAt(flow.place, flow.graph, flow.edges, ...placeIn(stack, event));
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!flow) return;
      spot = locate(event);
      paintOver();
      const found = spot && pointed();
      if (found) tip.say(stack, ...placeIn(stack, event), words(found).filter(Boolean));
      else tip.hide();
    });
    stack.addEventListener("pointerleave", () => {
      spot = null;
      tip.hide();
      if (flow) paintOver();
    });
    stack.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const found = flow && locate(event);
      if (!found) return;
      focus = "node" in found ? found.node : [found.edge.layer + 1, found.edge.query];
      choose(focus);
    });
    for (const name of ["focus", "blur"]) stack.addEventListener(name, () => flow && paintOver());
    stack.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!flow) return;
      const step = arrowStep(event.key);
      const [level, position] = focus ?? node;
      const hold = (/** @type {number} */ i, /** @type {number} */ last) => Math.min(last, Math.max(0, i));
      if (step) {
        focus = [hold(level + step[1], flow.graph.layers), hold(position + step[0], flow.graph.n - 1)];
        spot = null;
        paintOver();
      } else if (event.key === "Enter" || event.key === " ") choose([level, position]);
      else if (event.key === "Escape")
        selection.choose([-1, -1]); // the page knows what it shows then
      else return;
      event.preventDefault();
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      const { place, header } = flow;
      exportFigure(format, {
        root,
        name: "token-flow",
        caption: header.caption,
        width: place.width,
        height: place.height,
        theme,
        draw: (surface) => {
          drawFlow(surface, flow);
          drawPath(surface, flow, null, null);
        },
      });
    }

    return {
      update(next, nextTheme) {
        [frame, theme, width] = [next, nextTheme, Math.floor(root.clientWidth)];
        const { header } = frame;
        if (selection.asked || node[0] >= header.levels.length || node[1] >= header.tokens.length)
          node = /** @type {FlowNode} */ (selection.seed);
        if (focus && (focus[0] >= header.levels.length || focus[1] >= header.tokens.length)) focus = null;
        spot = null;
        tip.hide();
        base.setAttribute("aria-label", header.label);
        const keys = "Arrow keys walk tokens and layers, Enter follows one, Escape lets go.";
        stack.setAttribute("aria-label", `${header.label}. ${keys}`);
        paintAll();
      },
      retheme(next) {
        theme = next;
        paintAll();
      },
      resize(next) {
        width = next;
        tip.hide();
        paintAll();
      },
    };
  });
}
