// @ts-check
/** Prints the page: as long as a frame of it (components/embed_stage) is not drawn, it says so. */

const FRAMES = '[data-testid="stIFrame"]';
const AT_REST = '[data-testid="stApp"][data-test-script-state="notRunning"]'; // no more frames come
const LOOK = 300; // ms between two looks into the frames

/** Whether the view within is drawn. @param {HTMLIFrameElement} frame */
function isReady(frame) {
  return Boolean(frame.contentDocument?.documentElement.dataset.gfStaged);
}

/** Called again on the same node at every run. @param {{parentElement: any}} component */
export default function ({ parentElement }) {
  if (parentElement.querySelector(".gf")) return;
  const root = document.createElement("div");
  root.className = "gf printing";
  const button = document.createElement("button");
  [button.type, button.textContent] = ["button", "Print, or save as PDF"];
  button.addEventListener("click", () => window.print());
  const told = document.createElement("span");
  told.setAttribute("role", "status");
  root.append(button, told);
  parentElement.append(root);

  function look() {
    const frames = /** @type {HTMLIFrameElement[]} */ ([...document.querySelectorAll(FRAMES)]);
    const ready = frames.filter(isReady).length;
    const waits = ready < frames.length || !document.querySelector(AT_REST);
    told.textContent = waits ? `${ready} of ${frames.length} figures are drawn` : "";
    button.disabled = waits;
    document.documentElement.dataset.gfPrintable = String(frames.length > 0 && !waits);
  }
  const looking = setInterval(look, LOOK);
  look();
  return () => clearInterval(looking);
}
