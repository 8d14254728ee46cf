// @ts-check
/**
 * What hands expect of Streamlit's own elements. Enter runs a sentence, Shift+Enter breaks its line:
 * Streamlit's text areas run on Ctrl+Enter alone, so Enter is handed on to them as that. The Enter
 * that ends an IME's composition is not.
 */

const SENTENCE = '[class*="st-key-sentence"] textarea';
const COMPOSING = 229; // the key code of a keystroke that an IME takes, in browsers that say no more

/** @param {KeyboardEvent} event */
function runOnEnter(event) {
  const field = event.target;
  if (!(field instanceof HTMLTextAreaElement) || event.key !== "Enter" || !field.matches(SENTENCE)) return;
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.isComposing || event.keyCode === COMPOSING) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  field.dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }),
  );
}

/** Once a page: fields and rows come and go. */
export default function () {
  document.addEventListener("keydown", runOnEnter, true);
  document.addEventListener("pointerover", listenInRow);
  return () => {
    document.removeEventListener("keydown", runOnEnter, true);
    document.removeEventListener("pointerover", listenInRow);
  };
}
