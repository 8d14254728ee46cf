// @ts-check
/**
 * Where this browser left a lesson (../lesson_keys/view.js writes it down): the way back there, and
 * the way to be rid of it. It stands alone, without the figures' shared parts.
 */

const KEPT = "glassformer.lesson";

/** What was written down; null for nothing, or nothing of ours. */
function left() {
  try {
    const { path, search, title, step, steps } = JSON.parse(localStorage.getItem(KEPT) ?? "null") ?? {};
    const sound = [path, search, title].every((one) => typeof one === "string") && /^[\w-]*$/.test(path);
    return sound && step > 0 && step < steps ? { path, search, title, step, steps } : null;
  } catch {
    return null;
  }
}

function forget() {
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // nothing was kept
  }
}

/**
 * Called again on the same node at every run.
 * @param {{data: Uint8Array, parentElement: any}} component
 */
export default function ({ data, parentElement }) {
  parentElement.querySelector(".gf")?.remove();
  const root = document.createElement("div");
  root.className = "gf";
  parentElement.append(root);
  const was = left();
  if (!was) return;
  const length = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const { base } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const line = document.createElement("section");
  [line.className, line.ariaLabel] = ["resume", "A lesson that you began"];
  const link = document.createElement("a");
  link.href = `${base}/${was.path}?${new URLSearchParams(was.search)}`;
  link.target = "_self";
  link.textContent = `Go on: step ${was.step + 1} of ${was.steps} · ${was.title}`;
  const no = document.createElement("button");
  [no.type, no.textContent, no.ariaLabel] = ["button", "Forget", `Forget ${was.title}`];
  no.addEventListener("click", () => {
    forget();
    line.remove();
  });
  line.append(link, no);
  root.append(line);
}
