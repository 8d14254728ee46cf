// @ts-check
/// <reference path="../keys.js" />
/// <reference path="controls.js" />
/// <reference path="parts.js" />
/// <reference path="sheet.js" />
/**
 * A run of byte-pair encoding to walk through. All steps that came in full are drawn at
 * once; where one has not come yet, the run in short is shown and the step is asked for.
 */

const QUIET_TIME = 350; // ms at one step before the page hears of it
const QUESTION =
  "Count the pairs of neighbours in the words below, each word as often as it stands in the corpus. Which pair is merged?";
const MARGIN = 12; // steps before the end of what has come, at which more is asked for

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    root.classList.add("bpe");
    root.tabIndex = -1;
    const bar = new StepperBar(root, {
      go: (step) => go(step),
      back: () => go(at - 1),
      advance: () => advance(),
      end: () => go(run.merges.length),
      toggle: () => toggle(),
    });
    exportButtons(bar.tools, save, "this step");
    const next = root.appendChild(element("div", "next"));
    const why = root.appendChild(element("div", "why"));
    const halves = root.appendChild(element("div", "halves"));
    const [left, right] = [halves.appendChild(element("div", "half")), halves.appendChild(element("div", "half"))];
    const wordsTitle = left.appendChild(element("h3"));
    const words = left.appendChild(element("div", "scroll"));
    const changes = left.appendChild(element("div", "changes"));
    const vocabulary = left.appendChild(element("div", "vocabulary"));
    const pairsTitle = right.appendChild(element("h3"));
    const pairs = right.appendChild(element("div", "scroll tall"));
    const curveTitle = left.appendChild(element("h3", "curve"));
    const canvas = left.appendChild(element("canvas", "curve"));
    canvas.setAttribute("role", "img");
    const spoken = root.appendChild(element("div", "unseen"));
    spoken.setAttribute("aria-live", "polite");

    /** @type {Run} */ let run;
    /** @type {Record<number, Step>} */ let steps = {};
    /** @type {Theme} */ let theme;
    let header = /** @type {any} */ (null);
    let [at, selected] = [0, -1];
    let timer = 0; // of playing; 0 while paused
    let saying = 0;
    let told = -1; // the step the page knows
    let asked = -1; // the step for which more was asked
    let revealed = true;
    /** @type {Map<number, string>} */ const tried = new Map();

    const hidden = () => header.predict && !revealed && at < run.merges.length;

    /** @param {number} step */
    function go(step) {
      const clamped = Math.min(run.merges.length, Math.max(0, step));
      if (clamped !== at) {
        at = clamped;
        selected = -1;
        revealed = !header.predict;
        tried.clear();
      }
      if (at === run.merges.length) pause();
      paint();
      if (steps[at]) spoken.textContent = hidden() ? `after ${at} merges` : `after ${at} merges: ${steps[at].why}`;
      clearTimeout(saying);
      const missing = !steps[at] || nearEdge();
      if (missing && asked !== at) {
        asked = at;
        tell();
      } else saying = setTimeout(tell, QUIET_TIME);
    }

    function nearEdge() {
      const ahead = Math.min(run.merges.length, at + MARGIN);
      const behind = Math.max(0, at - MARGIN);
      return (!steps[ahead] || !steps[behind]) && Math.abs(at - asked) >= MARGIN / 2;
    }

    function tell() {
      if (told === at) return;
      told = at;
      selection.choose(at);
    }

    /** One on; where the answer is still hidden, tell it first. */
    function advance() {
      if (!hidden()) return go(at + 1);
      selection.click({ guess: [at, -1] });
      reveal();
    }

    function toggle() {
      if (timer) return pause();
      if (at === run.merges.length) go(0);
      const tick = () => {
        if (hidden()) reveal();
        else go(at + 1);
        if (at < run.merges.length) timer = setTimeout(tick, bar.pace);
      };
      timer = setTimeout(tick, header.predict ? bar.pace : 250);
      paintControls();
    }

    function pause() {
      clearTimeout(timer);
      timer = 0;
      if (run) paintControls();
    }

    function reveal() {
      revealed = true;
      paint();
      spoken.textContent = steps[at]?.why ?? "";
    }

    /** @param {number} row */
    function guess(row) {
      const step = steps[at];
      const [, , count, , tied] = step.rows[row];
      selection.click({ guess: [at, row] });
      if (row === step.taken) return reveal();
      const best = step.rows[step.taken]?.[2] ?? step.rows[0][2];
      tried.set(
        row,
        tied
          ? `${whole(count)} times too, but the tie rule takes another`
          : `${whole(count)} times; the right one stands ${whole(best)} times`,
      );
      spoken.textContent = "not this one";
      paint();
    }

    function paintControls() {
      bar.paint({ at, last: run.merges.length, playing: timer !== 0, forth: hidden() ? "Reveal" : "Step ›" });
    }

    function paint() {
      const started = performance.now();
      paintControls();
      const step = steps[at];
      const end = at === run.merges.length;
      next.replaceChildren(...nextLine(run, at, hidden() ? advance : null));
      why.replaceChildren();
      if (hidden()) why.append(QUESTION);
      else if (step) why.append(selected < 0 ? step.why : versus(step, selected));
      if (!hidden() && step?.overlap) why.append(element("span", "more quiet", step.overlap));
      wordsTitle.replaceChildren(
        "Words ",
        element("span", "quiet", step && !(hidden() && !run.small) ? wordsShown(run, step, end) : ""),
      );
      words.replaceChildren(
        step
          ? wordTable(run, step, hidden(), end)
          : element("div", "wait quiet", "The words of this step are on their way …"),
      );
      if (hidden() && !run.small)
        words.replaceChildren(element("div", "quiet", "The words that the merge changes are shown with the answer."));
      showLit(words);
      changes.replaceChildren(...(step && !end && !hidden() ? changeList(step) : []));
      paintPairs(step);
      vocabulary.replaceChildren(
        element(
          "h3",
          "",
          `Vocabulary: ${whole(run.n_initial)} symbols + ${whole(at)} merged = ${whole(run.n_initial + at)} tokens`,
        ),
        vocabularyList(run, at, go),
      );
      showNewest(vocabulary);
      curveTitle.textContent = lengthWords(run, at);
      paintCurve();
      root.dataset.painted = `step ${at} of ${run.merges.length}`;
      root.dataset.stepMilliseconds = (performance.now() - started).toFixed(2);
      root.dataset.serial = String(selection.serial);
    }

    /** @param {Step | undefined} step */
    function paintPairs(step) {
      if (!step) {
        pairsTitle.textContent = "Pairs";
        return pairs.replaceChildren(element("div", "wait quiet", "The pairs of this step are on their way …"));
      }
      if (hidden()) {
        pairsTitle.replaceChildren(
          "Which one? ",
          element("span", "quiet", `${step.rows.length} of ${whole(step.n_pairs)} pairs, in alphabetical order`),
        );
        return pairs.replaceChildren(guessTable(step, tried, guess));
      }
      const barred = step.n_too_long ? `; ${whole(step.n_too_long)} more make too long a token` : "";
      const frequent = step.n_pairs
        ? `the ${step.rows.length} most frequent of ${whole(step.n_pairs)}`
        : "none is left to merge";
      const ties = step.n_tied > 1 ? `, ${whole(step.n_tied)} share the highest count` : "";
      pairsTitle.replaceChildren("Pairs ", element("span", "quiet", `${frequent}${ties}${barred}`));
      pairs.replaceChildren(pairTable(step, selected, choose));
    }

    /** @param {number} row */
    function choose(row) {
      selected = selected === row || row === steps[at].taken ? -1 : row;
      paint();
      /** @type {HTMLElement | null} */ (pairs.querySelector(`[data-row="${row}"]`))?.focus({ preventScroll: true });
    }

    /** Why not the selected pair, and a way to play it all the same. @param {Step} step @param {number} row */
    function versus(step, row) {
      const line = element("span", "", versusWords(run, step, row, at === run.merges.length));
      if (at < run.merges.length)
        line.append(
          quietButton("Force this pair", "Play this merge instead, side by side below", () =>
            selection.click([at, row]),
          ),
        );
      return line;
    }

    function paintCurve() {
      const width = Math.max(200, Math.floor(left.clientWidth));
      const height = Math.round(104 * theme.unit);
      drawCurve(new CanvasSurface(canvas, width, height, theme), run, at, { x: 0, y: 0, width, height });
      canvas.setAttribute("aria-label", `Compression curve. ${lengthWords(run, at)}`);
    }

    canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const follow = (/** @type {PointerEvent} */ move) =>
        go(
          curvePlot({ x: 0, y: 0, width: canvas.clientWidth, height: canvas.clientHeight }, theme.unit, run).step(
            placeIn(canvas, move)[0],
          ),
        );
      follow(event);
      canvas.setPointerCapture(event.pointerId);
      canvas.onpointermove = follow;
      canvas.onpointerup = canvas.onpointercancel = () => (canvas.onpointermove = null);
    });

    const walk = (/** @type {() => void} */ act) => () => {
      pause();
      act();
    };
    listen(root, () => Boolean(run), {
      " ": toggle,
      ArrowRight: walk(advance),
      ArrowLeft: walk(() => go(at - 1)),
      Home: walk(() => go(0)),
      End: walk(() => go(run.merges.length)),
      Escape: () => choose(steps[at]?.taken ?? -1),
    });

    /** @param {"png" | "svg"} format */
    function save(format) {
      if (!steps[at] || hidden()) return;
      exportFigure(format, {
        root,
        name: `bpe-step-${at}`,
        caption: header.caption,
        theme,
        ...sheet(run, steps[at], at, theme),
      });
    }

    return {
      update(frame, nextTheme) {
        const decode = (/** @type {Uint8Array} */ bytes) => JSON.parse(new TextDecoder().decode(bytes));
        const other = header && selection.asked;
        const switched = header && header.predict !== frame.header.predict;
        [header, theme, run, steps] = [frame.header, nextTheme, decode(frame.arrays.run), decode(frame.arrays.steps)];
        if (selection.asked) {
          at = told = asked = selection.seed;
          selected = -1;
          if (timer) pause();
          revealed = !header.predict;
          tried.clear();
        }
        if (switched) revealed = !header.predict;
        at = Math.min(at, run.merges.length);
        if (!steps[at] && asked !== at) tell();
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
