// @ts-check
/**
 * Next and Back of a lesson, by key. PageDown and PageUp are what a presenter's clicker sends. The
 * arrows are the figures' own: they turn the step only where nothing else has the focus.
 */

const BUTTONS = /** @type {Record<string, string>} */ ({
  PageDown: "next",
  ArrowRight: "next",
  PageUp: "back",
  ArrowLeft: "back",
});
const CHANNEL = "glassformer.notes"; // ../notes_window/view.js hears it
const KEPT = "glassformer.lesson"; // ../lesson_resume/view.js reads it
const WRITTEN_IN = "input, textarea, select, [contenteditable=true]";

/** @param {KeyboardEvent} event */
function turn(event) {
  const which = BUTTONS[event.key];
  if (!which || event.defaultPrevented || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = event.composedPath()[0];
  if (!(at instanceof Element) || at.matches(WRITTEN_IN)) return;
  if (event.key.startsWith("Arrow") && at !== document.body && !at.closest(".st-key-lesson")) return;
  if (press(which)) event.preventDefault();
}

/** Whether there was such a button to press. @param {string} which */
function press(which) {
  const button = document.querySelector(`.st-key-lesson-${which} button:not(:disabled)`);
  if (!(button instanceof HTMLButtonElement)) return false;
  button.click();
  return true;
}

/** @param {Uint8Array} data */
function read(data) {
  if (!data?.length) return {};
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
}

/** Where the reader stands; at the end there is nothing to go on with. @param {any} standing */
function writeDown(standing) {
  if (!standing) return;
  try {
    if (standing.step + 1 < standing.steps) localStorage.setItem(KEPT, JSON.stringify(standing));
    else localStorage.removeItem(KEPT);
  } catch {
    // a browser that keeps nothing begins anew
  }
}

/** Tells the window of notes, whenever it asks; it turns the step as a key does. @param {any} notes */
function tell(notes) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data?.asks) channel.postMessage({ notes });
    else if (data?.turn === "next" || data?.turn === "back") press(data.turn);
  };
  channel.postMessage({ notes });
  return channel;
}

/** @type {BroadcastChannel | undefined} */
let channel;

/** The listeners go with the lesson. @param {{data: Uint8Array}} component */
export default function ({ data }) {
  const { standing, notes } = read(data);
  writeDown(standing);
  channel?.close();
  channel = notes ? tell(notes) : undefined;
  document.addEventListener("keydown", turn);
  return () => {
    document.removeEventListener("keydown", turn);
    channel?.close();
  };
}
