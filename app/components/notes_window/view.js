// @ts-check
/**
 * Hears from the window of this browser that plays a lesson (../lesson_keys/view.js) which step it
 * shows, and turns its steps. The clock runs from the first step that is heard of.
 */

const CHANNEL = "glassformer.notes";
const SECOND = 1000; // ms

/** @param {string} label @param {() => void} act */
function button(label, act) {
  const made = document.createElement("button");
  [made.type, made.textContent] = ["button", label];
  made.addEventListener("click", act);
  return made;
}

/** @param {number} ms */
function minutes(ms) {
  const seconds = Math.floor(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** One window's: what is heard, what the page shows, since when. */
class Desk {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.channel = new BroadcastChannel(CHANNEL);
    this.heard = "";
    this.shown = "";
    this.told = "";
    this.began = 0;
    this.report = (/** @type {any} */ _) => {};
    this.clock = document.createElement("strong");
    this.clock.setAttribute("role", "timer");
    this.status = document.createElement("span");
    this.status.setAttribute("role", "status");
    root.append(
      this.clock,
      this.status,
      button("Back", () => this.channel.postMessage({ turn: "back" })),
      button("Next", () => this.channel.postMessage({ turn: "next" })),
      button("Clock to 0", () => this.start()),
    );
    this.channel.onmessage = ({ data }) => data?.notes && this.hear(data.notes);
    this.channel.postMessage({ asks: true });
    this.ticking = setInterval(() => this.tick(), SECOND);
    this.tick();
  }

  start() {
    this.began = Date.now();
    this.tick();
  }

  tick() {
    this.clock.textContent = minutes(this.began ? Date.now() - this.began : 0);
  }

  /** @param {any} notes */
  hear(notes) {
    if (!this.began) this.start();
    this.heard = JSON.stringify(notes);
    const { step, steps, before, minutes } = notes;
    this.status.textContent = `Step ${step} of ${steps}, planned for minute ${before} to ${before + minutes}`;
    this.tell();
  }

  /** Where the page is behind what was heard; what it made nothing of is not told again. */
  tell() {
    if (!this.heard || this.heard === this.shown || this.heard === this.told) return;
    this.told = this.heard;
    this.report(JSON.parse(this.heard));
  }
}

/** @type {WeakMap<object, Desk>} */
const desks = new WeakMap();

/**
 * Called again on the same node at every run.
 * @param {{data: Uint8Array, parentElement: any, setTriggerValue: (name: string, value: any) => void}} component
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const { shown, clicks } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  let root = parentElement.querySelector(".gf");
  if (!root) {
    root = document.createElement("div");
    root.className = "gf desk";
    parentElement.append(root);
    desks.set(root, new Desk(root));
  }
  const desk = /** @type {Desk} */ (desks.get(root));
  desk.shown = JSON.stringify(shown);
  desk.report = (notes) => setTriggerValue("click", { serial: clicks, value: notes });
  desk.tell();
  return () => {
    if (root.isConnected) return;
    desk.channel.close();
    clearInterval(desk.ticking);
  };
}
