// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="../player.js" />
/**
 * The source above, the target below, and between them where the newest position looks. What
 * comes later is hatched: the mask hides it from every position before.
 */

const NARROW_WIDTH = 720; // px below which the candidates stand under the drawing
const CHIP_HEIGHT = 28;
const LINE_HEIGHT = 46; // of a wrapped row of chips, with the number under each
const BETWEEN = 84; // px between source and target
const LEAST_LINE = 0.02; // weights below it draw no line

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    root.tabIndex = -1;
    root.style.outline = "none";
    const bar = root.appendChild(element("div"));
    const player = new Player(root, bar, {
      name: "Decoding step",
      show: () => paint(),
      tell: (step) => selection.choose(step),
    });
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save, "this step");
    const says = root.appendChild(element("div", "says"));
    says.setAttribute("aria-live", "polite");
    const halves = root.appendChild(element("div", "halves"));
    const left = halves.appendChild(element("div"));
    const stack = left.appendChild(element("div", "stack"));
    const canvas = stack.appendChild(element("canvas"));
    canvas.setAttribute("role", "img");
    const right = halves.appendChild(element("div"));
    const heading = right.appendChild(element("h3"));
    const list = right.appendChild(element("div", "rows"));
    list.setAttribute("role", "group");
    const tip = new Tooltip(root);

    /** @type {any} */ let frame;
    /** @type {Theme} */ let theme;
    /** @type {any} */ let plan;

    const weight = (/** @type {number} */ column) =>
      frame.arrays.weights[player.at * frame.header.source.length + column];

    /** Chips in lines of at most `width`. @param {{text: string}[]} chips @param {number} width @param {number} top */
    function wrappedChips(chips, width, top) {
      const font = fontOf(theme, { size: 14, code: true });
      let [x, y] = [0, top];
      for (const chip of /** @type {any[]} */ (chips)) {
        chip.w = Math.min(width, Math.max(textWidth(chip.text, font) + 16 * theme.unit, 34 * theme.unit));
        if (x > 0 && x + chip.w > width) [x, y] = [0, y + LINE_HEIGHT * theme.unit];
        [chip.x, chip.y, chip.h] = [x, y, CHIP_HEIGHT * theme.unit];
        x += chip.w + 6 * theme.unit;
      }
      return y + LINE_HEIGHT * theme.unit;
    }

    function arrange() {
      const { source, fed, labels } = frame.header;
      const { unit } = theme;
      const width = Math.max(240, Math.floor(left.clientWidth));
      const at = player.at;
      const sources = source.map((/** @type {string} */ text, /** @type {number} */ i) => ({
        text: visible(text),
        weight: weight(i),
      }));
      const below = wrappedChips(sources, width, 24 * unit);
      const title = below + BETWEEN * unit;
      const targets = fed.map((/** @type {string} */ text, /** @type {number} */ i) => ({
        text: i > at ? "·" : visible(text),
        state: i > at ? "hidden" : i === at ? "query" : "past",
      }));
      targets.splice(at + 1, 0, { text: visible(labels[at]), state: "new" });
      if (targets.length > at + 2) targets.pop(); // the new token stands where the next one is fed
      const height = wrappedChips(targets, width, title + 16 * unit);
      return { width, height, below, title, sources, targets };
    }

    /** @param {Surface} surface */
    function draw(surface) {
      const { unit, hues } = theme;
      const quiet = css(theme.quiet);
      surface.text(0, 10 * unit, "Source: what the encoder made of it", { size: 13, fill: quiet });
      const query = plan.targets.find((/** @type {any} */ one) => one.state === "query");
      const top = Math.max(...plan.sources.map((/** @type {any} */ one) => one.weight), 1e-6);
      for (const one of plan.sources) {
        if (one.weight < LEAST_LINE) continue;
        const [x1, y1, x2, y2] = [one.x + one.w / 2, one.y + one.h, query.x + query.w / 2, query.y];
        surface.line(x1, y1, x2, y2, {
          stroke: css(hues.cross),
          width: (0.6 + 5 * one.weight) * theme.line,
          alpha: 0.12 + 0.88 * (one.weight / top),
        });
      }
      const heading = "Target so far, the next token, and what the mask hides";
      surface.rect(0, plan.title - 9 * unit, textWidth(heading, fontOf(theme, { size: 13 })) + 4, 18 * unit, {
        fill: css(theme.paper),
      });
      surface.text(0, plan.title, heading, { size: 13, fill: quiet });
      const ramp = hueRamp(theme, hues.cross);
      for (const one of plan.sources) {
        const shade = fromLookup(ramp, Math.round(220 * Math.sqrt(one.weight)));
        surface.rect(one.x, one.y, one.w, one.h, { fill: css(shade), stroke: css(theme.rule), radius: 4 });
        surface.text(
          one.x + one.w / 2,
          one.y + one.h / 2,
          fitted(one.text, one.w - 4, fontOf(theme, { size: 14, code: true })),
          { size: 14, code: true, align: "center", fill: css(inkOn(theme, shade)) },
        );
        if (one.weight >= 0.01)
          surface.text(one.x + one.w / 2, one.y + one.h + 9 * unit, number(one.weight), {
            size: 11.5,
            align: "center",
            fill: one.weight === top ? css(theme.ink) : quiet,
            weight: one.weight === top ? 600 : 400,
          });
      }
      for (const one of plan.targets) {
        const hidden = one.state === "hidden";
        const fresh = one.state === "new";
        surface.rect(one.x, one.y, one.w, one.h, {
          fill: hidden ? undefined : css(fresh ? theme.paper : fromLookup(hueRamp(theme, hues.decoder), 36)),
          stroke: css(fresh ? theme.accent : hidden ? theme.rule : one.state === "query" ? hues.cross : theme.rule),
          width: (fresh || one.state === "query" ? 2 : 1) * theme.line,
          radius: 4,
        });
        if (hidden)
          for (let x = one.x + 6; x < one.x + one.w; x += 7)
            surface.line(x, one.y + 2, Math.max(one.x + 1, x - one.h / 2), one.y + one.h - 2, {
              stroke: css(theme.rule),
            });
        else
          surface.text(
            one.x + one.w / 2,
            one.y + one.h / 2,
            fitted(one.text, one.w - 4, fontOf(theme, { size: 14, code: true })),
            { size: 14, code: true, align: "center", weight: fresh ? 600 : 400 },
          );
        if (one.state === "query")
          surface.text(one.x + one.w / 2, one.y + one.h + 9 * unit, "reads", {
            size: 11.5,
            align: "center",
            fill: quiet,
          });
        if (fresh)
          surface.text(one.x + one.w / 2, one.y + one.h + 9 * unit, "says", {
            size: 11.5,
            align: "center",
            fill: quiet,
          });
      }
    }

    /** @param {number} at */
    function facts(at) {
      const { labels, fed, candidates, label_ids } = frame.header;
      const rank = candidates[at].findIndex((/** @type {any} */ one) => one[0] === label_ids[at]);
      const probability = rank < 0 ? "beyond those listed" : `${number(candidates[at][rank][2])}, rank ${rank + 1}`;
      const best = plan.sources.reduce((/** @type {any} */ a, /** @type {any} */ b) => (b.weight > a.weight ? b : a));
      return { said: visible(labels[at]), fed: visible(fed[at]), probability, best, first: rank === 0 };
    }

    function paintCandidates() {
      const { candidates, label_ids, choosable } = frame.header;
      const at = player.at;
      heading.replaceChildren(
        "The next token ",
        element("span", "quiet", `P, the ${candidates[at].length} most probable`),
      );
      list.setAttribute("aria-label", "Candidates for the next token, most probable first");
      const focused = Array.from(list.children).indexOf(/** @type {any} */ (root.getRootNode()).activeElement);
      list.replaceChildren(
        ...candidates[at].map((/** @type {any[]} */ [id, token, probability, logit], /** @type {number} */ rank) => {
          const node = choosable
            ? quietButton("", `logit ${number(logit)}, rank ${rank + 1}. Click: say it and go on from there`, () =>
                selection.click([at, id]),
              )
            : element("div");
          node.classList.add("row");
          if (id === label_ids[at]) node.classList.add("lit");
          const track = element("div", "track");
          track.appendChild(element("div", "fill")).style.width = `${100 * probability}%`;
          node.append(element("span", "token", visible(token)), track, element("span", "value", number(probability)));
          node.dataset.token = token;
          node.dataset.probability = String(probability);
          return node;
        }),
      );
      if (focused >= 0) /** @type {any} */ (list.children[Math.min(focused, list.children.length - 1)])?.focus();
    }

    function paint() {
      root.classList.toggle("narrow", root.clientWidth < NARROW_WIDTH * theme.unit);
      plan = arrange();
      draw(new CanvasSurface(canvas, plan.width, plan.height, theme));
      const at = facts(player.at);
      says.replaceChildren(
        `Position ${player.at} reads `,
        element("span", "token", at.fed),
        ", looks most at ",
        element("span", "token", at.best.text),
        ` (${number(at.best.weight)}; ${frame.header.heads}) and says `,
        element("b", "token", at.said),
        ` (P = ${at.probability}).`,
      );
      canvas.setAttribute("aria-label", `${frame.header.label}. ${says.textContent}`);
      paintCandidates();
      root.dataset.painted = `step ${player.at} of ${player.last}`;
      root.dataset.row = JSON.stringify(plan.sources.map((/** @type {any} */ one) => Number(one.weight.toFixed(6))));
      root.dataset.hidden = String(plan.targets.filter((/** @type {any} */ one) => one.state === "hidden").length);
    }

    stack.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!plan) return;
      const [x, y] = placeIn(stack, event);
      const one = [...plan.sources, ...plan.targets].find(
        (chip) => x >= chip.x && x <= chip.x + chip.w && y >= chip.y && y <= chip.y + chip.h,
      );
      if (!one) return tip.hide();
      const words = /** @type {Record<string, string>} */ ({
        hidden:
          "Not there yet. In training all positions are computed at once, and the mask keeps this one from being seen.",
        query: "The newest token that is fed: its position asks, and its answer is the next token.",
        new: "What comes next; it is fed in the next step.",
        past: "Seen by this position: masked self-attention looks back only.",
      });
      const text =
        one.weight === undefined
          ? words[one.state]
          : `weight ${number(one.weight)} · ${number(one.weight * plan.sources.length)} × uniform`;
      tip.show(stack, x, y, [element("div", "head", one.text), element("div", "", text)]);
    });
    stack.addEventListener("pointerleave", () => tip.hide());

    /** @param {"png" | "svg"} format */
    function save(format) {
      const caption = `${frame.header.caption} · step ${player.at}: ${says.textContent}`;
      exportFigure(format, {
        root,
        name: `decoder-step-${player.at}`,
        caption,
        width: plan.width,
        height: plan.height,
        theme,
        draw,
      });
    }

    return {
      update(next, nextTheme) {
        const other = frame && selection.asked;
        [frame, theme] = [next, nextTheme];
        const last = frame.header.fed.length - 1;
        if (selection.asked) player.reset(last, selection.seed);
        else if (last !== player.last) player.reset(last, player.at);
        tip.hide();
        paint();
        if (other) takeKeys(root);
      },
      retheme(next) {
        theme = next;
        paint();
      },
      resize() {
        paint();
      },
    };
  });
}
