// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** Two runs side by side. Play walks both until they part, and then on. */

const PACE = 900; // ms a merge

/** @param {Component} component */
export default function (component) {
  return mount(component, (root) => {
    const sentence = root.appendChild(element("div", "sentence"));
    const bar = root.appendChild(element("div", "bar"));
    const play = bar.appendChild(quietButton("▶ Play to the first difference", "Walk both runs", () => toggle()));
    const all = bar.appendChild(quietButton("Show all", "Show both runs to their ends", () => stopAt(end())));
    const lengths = bar.appendChild(element("span", "quiet grow"));
    const tools = bar.appendChild(element("div", "tools"));
    exportButtons(tools, save, "the two curves");
    const columns = root.appendChild(element("div", "columns"));
    const left = columns.appendChild(element("div"));
    const mergesTitle = left.appendChild(element("h3", "", "Merges"));
    const merges = left.appendChild(element("div", "scroll"));
    const right = columns.appendChild(element("div"));
    const consequences = right.appendChild(element("div"));
    right.append(element("h3", "", "Tokens in the corpus: the first run dark, the second light"));
    const canvas = right.appendChild(element("canvas"));
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "Two compression curves");

    /** @type {any} */ let header;
    /** @type {Theme} */ let theme;
    let at = 0; // merges shown
    let timer = 0;

    const end = () => Math.max(header.merges[0].length, header.merges[1].length);
    const chip = (/** @type {string} */ token, own = false) =>
      element("span", `token${own ? " own" : ""}`, visible(token));

    function toggle() {
      if (timer) return stopAt(at);
      const parting = header.first < 0 ? end() : header.first - header.start + 1;
      if (at >= end()) at = 0;
      const goal = Math.min(end(), at < parting ? parting : end());
      const tick = () => {
        at++;
        if (at >= goal) return stopAt(at);
        timer = setTimeout(tick, PACE);
        paint();
      };
      timer = setTimeout(tick, 200);
      paint();
    }

    /** @param {number} place */
    function stopAt(place) {
      clearTimeout(timer);
      timer = 0;
      at = place;
      paint();
    }

    function paint() {
      const parting = header.first < 0 ? end() : header.first - header.start + 1;
      play.textContent = timer
        ? "❚❚ Pause"
        : at >= parting && at < end()
          ? "▶ Play on"
          : "▶ Play to the first difference";
      all.disabled = at >= end();
      merges.querySelectorAll("tbody tr").forEach((/** @type {HTMLElement} */ row, /** @type {number} */ i) => {
        row.classList.toggle("later", i >= at);
        row.classList.toggle("at", i === at - 1 && at < end());
      });
      const current = /** @type {HTMLElement | undefined} */ (merges.querySelectorAll("tbody tr")[at - 1]);
      if (current && at < end()) merges.scrollTop = Math.max(0, current.offsetTop - merges.clientHeight / 2);
      const now = header.lengths.map(
        (/** @type {number[]} */ side) => side[Math.min(header.start + at, side.length - 1)],
      );
      lengths.textContent = `after ${whole(header.start + at)} merges: ${whole(now[0])} and ${whole(now[1])} tokens in the corpus`;
      curves();
      root.dataset.painted = `fork ${header.first} of ${header.n_merges.join(" and ")}, at ${at}`;
    }

    function fill() {
      sentence.textContent = header.sentence;
      const shown = header.start || header.n_merges.some((/** @type {number} */ n) => n > header.start + end());
      mergesTitle.textContent = shown
        ? `Merges ${whole(header.start + 1)} to ${whole(header.start + end())}`
        : "Merges";
      const table = element("table");
      const head = table.createTHead().insertRow();
      ["", ...header.names].forEach((name) => head.append(element("th", "", name)));
      const body = table.createTBody();
      for (let i = 0; i < end(); i++) {
        const row = body.insertRow();
        const pair = [header.merges[0][i], header.merges[1][i]];
        const differs = JSON.stringify(pair[0]?.slice(0, 2)) !== JSON.stringify(pair[1]?.slice(0, 2));
        row.className = `${differs ? "differs" : ""} ${header.start + i === header.first ? "first" : ""}`;
        row.append(element("td", "rank", whole(header.start + i + 1)));
        for (const merge of pair) {
          const cell = row.insertCell();
          if (merge)
            cell.append(
              chip(merge[0]),
              chip(merge[1], merge[3] === 0),
              element("span", "quiet", ` ${whole(merge[2])}`),
            );
          else cell.append(element("span", "quiet", "no merge"));
        }
      }
      merges.replaceChildren(table);
      const total = header.n_shared + header.n_only[0];
      const lines = [
        element("h3", "", `Consequences: ${whole(header.n_shared)} of ${whole(total)} merged tokens are in both`),
      ];
      header.names.forEach((/** @type {string} */ name, /** @type {number} */ side) => {
        const line = element("div");
        line.append(
          element("span", "quiet", `only ${name}: `),
          ...header.only[side].slice(0, 24).map((/** @type {string} */ token) => chip(token, true)),
        );
        if (header.n_only[side] > 24)
          line.append(element("span", "quiet", ` and ${whole(header.n_only[side] - 24)} more`));
        if (!header.n_only[side]) line.append("none");
        lines.push(line);
      });
      if (header.words.length) {
        const words = element("table");
        const titles = words.createTHead().insertRow();
        ["cut differently in the end", ...header.names].forEach((title) => titles.append(element("th", "", title)));
        for (const [word, one, other] of header.words) {
          const row = words.insertRow();
          row.append(element("td", "", visible(word)));
          for (const tokens of [one, other])
            row.insertCell().append(...tokens.map((/** @type {string} */ token) => chip(token)));
        }
        const box = element("div", "scroll");
        box.append(words);
        lines.push(box);
      } else lines.push(element("div", "quiet", "Every frequent word ends up cut the same."));
      consequences.replaceChildren(...lines);
    }

    /** @param {Surface} surface @param {number} width @param {number} height */
    function drawCurves(surface, width, height) {
      const [one, other] = header.lengths;
      const steps = Math.max(1, one.length - 1, other.length - 1);
      const left = 50 * theme.unit;
      const x = (/** @type {number} */ i) => left + ((width - left - 8) * i) / steps;
      const y = (/** @type {number} */ value) => 6 + (height - 22) * (1 - value / one[0]);
      surface.text(left - 6, 10, whole(one[0]), { size: 11.5, align: "right", fill: css(theme.quiet) });
      surface.line(left, height - 16, width - 8, height - 16, { stroke: css(theme.rule) });
      for (const [side, colour, wide] of [
        [other, theme.quiet, 4],
        [one, theme.ink, 1.5],
      ]) {
        const stride = Math.max(1, Math.floor(side.length / 800));
        for (let i = 0; i + 1 < side.length; i += stride) {
          const next = Math.min(i + stride, side.length - 1);
          surface.line(x(i), y(side[i]), x(next), y(side[next]), {
            stroke: css(colour),
            width: wide * theme.line,
            alpha: wide > 2 ? 0.45 : 1,
          });
        }
      }
      const place = Math.min(steps, header.start + at);
      surface.line(x(place), 4, x(place), height - 16, { stroke: css(theme.accent), width: theme.line });
    }

    function curves() {
      const [width, height] = [Math.max(200, Math.floor(right.clientWidth)), Math.round(96 * theme.unit)];
      drawCurves(new CanvasSurface(canvas, width, height, theme), width, height);
    }

    /** @param {"png" | "svg"} format */
    function save(format) {
      exportFigure(format, {
        root,
        name: "bpe-fork",
        caption: `${header.names.join(" and ")}. ${header.sentence} ${header.caption}`,
        theme,
        width: 640,
        height: 160,
        draw: (surface) => drawCurves(surface, 640, 160),
      });
    }

    return {
      update(frame, nextTheme) {
        [header, theme] = [frame.header, nextTheme];
        fill();
        stopAt(end());
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
