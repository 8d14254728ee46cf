// @ts-check
/// <reference path="../figure.js" />
/// <reference path="parts.js" />
/** The bar above a run of merges: step, play, jump, choose a pace; and the line on the next merge. */

const SPEEDS = /** @type {[string, number][]} */ ([
  ["slow", 2600],
  ["normal", 1300],
  ["fast", 500],
]);

class StepperBar {
  /**
   * @param {HTMLElement} root
   * @param {{go: (step: number) => void, back: () => void, advance: () => void, end: () => void, toggle: () => void}} acts
   */
  constructor(root, acts) {
    const bar = root.appendChild(element("div", "controls"));
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) =>
      bar.appendChild(quietButton(text, title, act));
    this.first = button("«", "To the start (Home)", () => acts.go(0));
    this.back = button("‹ Back", "One merge back (←)", acts.back);
    this.play = button("▶ Play", "Play or pause (space)", acts.toggle);
    this.play.classList.add("play");
    this.forth = button("Step ›", "One merge on (→)", acts.advance);
    this.last = button("»", "To the end (End)", acts.end);
    this.slider = bar.appendChild(element("input"));
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.setAttribute("aria-label", "Merges done");
    this.slider.addEventListener("input", () => acts.go(Number(this.slider.value)));
    const field = bar.appendChild(element("label", "", "merges done"));
    this.jump = element("input");
    this.jump.type = "number";
    this.jump.min = "0";
    this.jump.setAttribute("aria-label", "Jump to merge");
    this.jump.addEventListener("change", () => acts.go(Math.round(Number(this.jump.value)) || 0));
    this.total = element("span", "quiet");
    field.append(this.jump, this.total);
    this.speed = bar.appendChild(element("select"));
    this.speed.setAttribute("aria-label", "Speed of playing");
    SPEEDS.forEach(([name, ms]) => this.speed.append(new Option(name, String(ms), false, name === "normal")));
    this.tools = bar.appendChild(element("div", "tools"));
  }

  /** Milliseconds a step. */
  get pace() {
    return Number(this.speed.value);
  }

  /** @param {{at: number, last: number, playing: boolean, forth: string}} state `forth`: what one step on does */
  paint({ at, last, playing, forth }) {
    this.play.textContent = playing ? "❚❚ Pause" : "▶ Play";
    this.first.disabled = this.back.disabled = at === 0;
    this.last.disabled = this.forth.disabled = at === last;
    this.forth.textContent = forth;
    this.slider.max = this.jump.max = String(last);
    this.slider.value = this.jump.value = String(at);
    this.total.textContent = `of ${whole(last)}`;
  }
}

/** The merge after `at`; where it is to be guessed, `reveal` shows it. @param {Run} run @param {number} at @param {(() => void) | null} reveal @returns {Node[]} */
function nextLine(run, at, reveal) {
  if (at === run.merges.length) return [element("b", "", `After ${whole(at)} merges: no further one`)];
  const [l, r, count, replaced, tied, forced] = run.merges[at];
  const head = element("b", "", `Merge ${whole(at + 1)}`);
  if (reveal)
    return [head, chip("?", "lit left"), chip("?", "lit right"), quietButton("Reveal", "Show the answer (→)", reveal)];
  const pair = element("span");
  pair.append(chip(l, "lit left"), chip(r, "lit right"));
  const ties = tied > 1 ? ` · ${whole(tied)} tied` : "";
  const less = replaced === count ? "" : ` · ${whole(replaced)} replaced`;
  const facts = `counted ${whole(count)}${less}${ties}${forced ? " · forced" : ""}`;
  return [head, pair, element("span", "quiet", "→"), chip(l + r, "new"), element("span", "facts", facts)];
}
