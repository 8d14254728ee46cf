// @ts-check
/// <reference path="keys.js" />
/// <reference path="figure.js" />
/** Step forward and back through a figure: buttons, a slider, keys, play and pause. */

const PLAY_PACE = 1100; // ms a step
const QUIET_PACE = 350; // ms at one step before the page hears of it

class Player {
  at = 0;
  last = 0;
  #timer = 0;
  #saying = 0;

  /**
   * @param {HTMLElement} root takes the keys while it or nothing else has the focus
   * @param {HTMLElement} bar where the controls go
   * @param {{name: string, unit?: string, pace?: number, show: () => void, tell: (step: number) => void, escape?: () => void}} acts
   *   `show` draws the step `at`; `tell` says it to the page once the reader stays there
   */
  constructor(root, bar, acts) {
    this.acts = acts;
    bar.classList.add("controls");
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) =>
      bar.appendChild(quietButton(text, title, act));
    this.first = button("«", "To the start (Home)", () => this.walk(0));
    this.back = button("‹ Back", "One step back (←)", () => this.walk(this.at - 1));
    this.play = button("▶ Play", "Play or pause (space)", () => this.toggle());
    this.play.classList.add("play");
    this.forth = button("Step ›", "One step on (→)", () => this.walk(this.at + 1));
    this.end = button("»", "To the end (End)", () => this.walk(this.last));
    this.slider = bar.appendChild(element("input"));
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.addEventListener("input", () => this.walk(Number(this.slider.value)));
    const count = bar.appendChild(element("label", "quiet"));
    this.unit = count.appendChild(element("span"));
    this.jump = count.appendChild(element("input"));
    this.jump.type = "number";
    this.jump.min = "0";
    this.jump.addEventListener("change", () => this.walk(Math.round(Number(this.jump.value)) || 0));
    this.total = count.appendChild(element("span"));
    this.call(acts.name, acts.unit ?? "step");
    listen(root, () => this.last > 0, {
      " ": () => this.toggle(),
      ArrowRight: () => this.walk(this.at + 1),
      ArrowLeft: () => this.walk(this.at - 1),
      Home: () => this.walk(0),
      End: () => this.walk(this.last),
      Escape: () => acts.escape?.(),
    });
  }

  /** What is walked through, and what of it is counted. @param {string} name @param {string} unit */
  call(name, unit) {
    this.slider.setAttribute("aria-label", name);
    this.jump.setAttribute("aria-label", `${name}, as a number`);
    this.unit.textContent = `${unit} `;
  }

  /** A new run of steps 0 to `last`, standing at `at`. @param {number} last @param {number} at */
  reset(last, at) {
    this.pause();
    clearTimeout(this.#saying);
    this.last = last;
    this.at = Math.min(last, Math.max(0, at));
    this.paint();
  }

  /** Go there because the reader said so. @param {number} step */
  walk(step) {
    this.pause();
    this.go(step);
  }

  /** @param {number} step */
  go(step) {
    this.at = Math.min(this.last, Math.max(0, step));
    if (this.at === this.last) this.pause();
    this.paint();
    this.acts.show();
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.acts.tell(this.at), QUIET_PACE);
  }

  toggle() {
    if (this.#timer) return this.pause();
    if (this.at === this.last) this.go(0);
    const tick = () => {
      this.go(this.at + 1);
      if (this.at < this.last) this.#timer = setTimeout(tick, this.acts.pace ?? PLAY_PACE);
    };
    this.#timer = setTimeout(tick, 250);
    this.paint();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.paint();
  }

  paint() {
    this.play.textContent = this.#timer ? "❚❚ Pause" : "▶ Play";
    this.first.disabled = this.back.disabled = this.at === 0;
    this.end.disabled = this.forth.disabled = this.at === this.last;
    this.slider.max = this.jump.max = String(this.last);
    this.slider.value = this.jump.value = String(this.at);
    this.total.textContent = ` of ${this.last}`;
  }
}
