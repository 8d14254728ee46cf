// @ts-check
/**
 * What the reader chose or clicked, told to the page. The other end, and what the numbers are for,
 * stand in app/components/selection.py.
 */

/** Where the reader of a visit stood: Streamlit makes a node anew when what stands above it changes. */
const STOOD = new Map();

class Choice {
  /** Whether the frame that came last asks for something that was not told from here. */
  asked = false;
  /** What that frame asks for. */
  seed = /** @type {any} */ (null);
  /** What both sides knew before it came; undefined on a new node. */
  before = /** @type {any} */ (undefined);
  serial = -1;
  #known = /** @type {any} */ (undefined);
  #visit = "";
  #clicks = 0;
  /** @type {(name: string, value: any) => void} */ #report;
  /** @type {(name: string, value: any) => void} */ #trigger;

  /**
   * @param {(name: string, value: any) => void} report tells the page what is so from now on
   * @param {(name: string, value: any) => void} trigger tells it what happened just now
   */
  constructor(report, trigger) {
    [this.#report, this.#trigger] = [report, trigger];
  }

  /** A frame came, and is not drawn yet. @param {any} header */
  meet(header) {
    const { serial, value, visit } = header.selection ?? { serial: 0, value: null, visit: "" };
    const stood = this.serial < 0 ? STOOD.get(visit) : null;
    this.seed = stood?.serial === serial ? stood.value : value;
    this.before = this.#known;
    this.asked = serial !== this.serial;
    if (this.asked) this.#known = this.seed;
    [this.serial, this.#visit, this.#clicks] = [serial, visit, header.clicks ?? 0];
  }

  /** What is selected from now on. @param {any} value */
  choose(value) {
    this.#known = value;
    this.stand(value);
    this.#report("selection", { serial: this.serial, value });
  }

  /** Where the reader stands, before the page hears of it. @param {any} value */
  stand(value) {
    if (this.#visit) STOOD.set(this.#visit, { serial: this.serial, value });
  }

  /** What was clicked just now, of things that do not stay selected. @param {any} value */
  click(value) {
    this.#trigger("click", { serial: this.#clicks, value });
  }
}
