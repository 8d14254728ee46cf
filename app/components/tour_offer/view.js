// @ts-check
/**
 * Offers the tour once a browser, and never again: neither after a no, nor after a reload. It stands
 * alone, without the figures' shared parts: a first page has more to fetch.
 */

const KEPT = "glassformer.tour";

/** Whether it was offered before; it is from now on. A browser that keeps nothing is not asked. */
function wasOffered() {
  try {
    const offered = localStorage.getItem(KEPT) !== null;
    localStorage.setItem(KEPT, "offered");
    return offered;
  } catch {
    return true;
  }
}

/** @param {string} label @param {string} kind @param {() => void} act */
function choice(label, kind, act) {
  const button = document.createElement("button");
  [button.type, button.className, button.textContent] = ["button", kind, label];
  button.addEventListener("click", act);
  return button;
}

/**
 * Called again on the same node at every run.
 * @param {{data: Uint8Array, parentElement: any, setTriggerValue: (name: string, value: any) => void}} component
 */
export default function ({ data, parentElement, setTriggerValue }) {
  if (parentElement.querySelector(".gf")) return;
  const root = document.createElement("div");
  root.className = "gf";
  parentElement.append(root);
  if (wasOffered()) return;
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const { clicks } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const card = document.createElement("section");
  card.className = "offer";
  card.ariaLabel = "A tour";
  const words = document.createElement("p");
  words.textContent = "New here? Two minutes, on the real pages.";
  card.append(
    words,
    choice("Take the tour", "yes", () => {
      setTriggerValue("click", { serial: clicks, value: true });
      card.remove();
    }),
    choice("No, thanks", "no", () => card.remove()),
  );
  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") card.remove();
  });
  root.append(card);
}
