// What a reader sees of the page as it stands: the figures' place, what is cut, too small, too pale.
// Returns plain numbers and sentences; tests/layout/audit.py judges them.
({ smallest, contrast, figure: FIGURE }) => {
  const CHROME = '[data-testid="stSidebar"], [data-testid="stHeader"]';
  const MAIN = document.querySelector('[data-testid="stMainBlockContainer"]');
  const TOLD = 4; // of each kind of fault, by name
  const WIDE = 1000; // px

  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const within = (element, selector) => {
    for (let at = element; at; at = parentOf(at)) if (at.matches(selector)) return true;
    return false;
  };
  function* everything(root) {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      if (element.shadowRoot) yield* everything(element.shadowRoot);
    }
  }
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) return null;
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ? box : null;
  };
  const said = (text) => text.replace(/[\s\u200b]+/g, " ").trim().slice(0, 40);
  const nameOf = (element) =>
    said(element.getAttribute("aria-label") ?? element.innerText ?? element.value ?? "") ||
    element.dataset.testid || element.className || element.tagName;

  const elements = [...everything(MAIN)].filter((element) => seen(element));

  // Figures; not the link's button nor a chart's files.
  const QUIET = '.st-key-quiet, [class*="-files"]'; // what can be taken along
  const figures = elements
    .filter((one) => one.matches(FIGURE) && !within(parentOf(one), FIGURE) && !within(one, QUIET))
    .map((one) => ({ one, box: one.getBoundingClientRect(), name: nameOf(one), className: String(one.className) }))
    .filter(({ box }) => box.height >= 30 && box.width >= 60);
  figures.sort((a, b) => a.box.top - b.box.top);
  const top = figures.length ? Math.round(figures[0].box.top + scrollY) : null;
  // Beside a figure stand its details: the row that holds it is its stage.
  const rowOf = (one) => {
    for (let at = one; at && at !== MAIN; at = parentOf(at))
      if (at.matches('[data-testid="stHorizontalBlock"]') && !within(at, ".st-key-head")) return at;
    return one;
  };
  const shareOf = (boxes) => {
    const STEP = 4;
    let [rows, area] = [0, 0];
    for (let y = STEP / 2; y < innerHeight; y += STEP) {
      const here = boxes.filter((box) => box.top <= y && y < box.bottom);
      if (!here.length) continue;
      rows += STEP;
      area += STEP * (Math.max(...here.map((box) => box.right)) - Math.min(...here.map((box) => box.left)));
    }
    return { rows: rows / innerHeight, area: area / (innerHeight * innerWidth) };
  };
  const { rows, area } = shareOf(figures.map(({ box }) => box));
  const stage = shareOf(figures.map(({ one }) => rowOf(one).getBoundingClientRect())).area;

  // Words: size and contrast.
  const LIGHT = /rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)/;
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  const parse = (colour) => {
    if (!colours.has(colour)) {
      const found = LIGHT.exec(colour);
      if (found) colours.set(colour, [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]]);
      else {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        colours.set(colour, [r, g, b, a / 255]);
      }
    }
    return colours.get(colour);
  };
  const over = (front, back, alpha = front[3]) => [0, 1, 2].map((i) => front[i] * alpha + back[i] * (1 - alpha));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const paper = parse(getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor);
  const contrastOf = (element) => {
    const layers = [];
    let opacity = 1;
    const own = element.getBoundingClientRect();
    const [x, y] = [own.left + own.width / 2, own.top + own.height / 2];
    for (let at = element; at; at = parentOf(at)) {
      const style = getComputedStyle(at);
      opacity *= +style.opacity;
      const box = at.getBoundingClientRect();
      if (box.left > x || x > box.right || box.top > y || y > box.bottom) continue; // a slider's value stands above its knob
      if (style.backgroundImage !== "none") return null; // a ramp: no one colour
      layers.unshift(parse(style.backgroundColor));
    }
    const back = layers.reduce((below, layer) => over(layer, below), paper.slice(0, 3));
    const ink = parse(getComputedStyle(element).color);
    return ratio(over(ink, back, ink[3] * opacity), back);
  };

  const small = [];
  const pale = [];
  for (const element of elements) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("");
    // A formula is seen as its HTML, which is hidden from readers aloud; they get its MathML, unseen.
    const silent = ".unseen, .katex-mathml, [aria-hidden=true]:not(.katex-html, .katex-html *), [data-testid=stIconMaterial], style, script";
    if (!said(text) || within(element, silent)) continue;
    const matrix = element instanceof SVGElement && element.getScreenCTM ? element.getScreenCTM() : null;
    const size = parseFloat(getComputedStyle(element).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    const indexed = within(element, ".katex .size1"); // a formula's index of an index
    if (size < smallest - 0.05 && !indexed) small.push(`${size.toFixed(1)} px “${said(text)}”`);
    if (element instanceof SVGElement || within(element, ":disabled, [aria-disabled=true], label:has(:disabled)")) continue;
    const found = contrastOf(element);
    if (found !== null && found < contrast - 0.05) pale.push(`${found.toFixed(1)} “${said(text)}”`);
  }
  for (const element of elements) {
    const least = globalThis.gfWritten?.get(element);
    if (!least || !element.width) continue;
    const size = (least.size * element.getBoundingClientRect().width) / element.width;
    if (size < smallest - 0.05) small.push(`${size.toFixed(1)} px “${said(least.text)}” (canvas)`);
  }

  // Cut: words that their box hides.
  const cut = [];
  for (const element of elements) {
    if (within(element, ".unseen, [aria-hidden=true], pre, code")) continue;
    const style = getComputedStyle(element);
    if (element instanceof HTMLInputElement) {
      if (["text", "number"].includes(element.type) && element.scrollWidth > element.clientWidth + 1) cut.push(`“${said(element.value)}”`);
      continue;
    }
    const hides = (overflow) => overflow === "hidden" || overflow === "clip";
    const wide = hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const high = hides(style.overflowY) && element.scrollHeight > element.clientHeight + 3;
    if (!(wide || high) || !said(element.innerText ?? "")) continue;
    const words = [...element.childNodes].some((node) => node.nodeType === 3 && said(node.data));
    const line = [...element.children].some((child) => getComputedStyle(child).display.startsWith("inline") && said(child.innerText ?? ""));
    if (words || line || style.textOverflow === "ellipsis") cut.push(`“${said(element.innerText)}”`);
  }

  // Overlapping: elements that the page laid out beside or below each other.
  const laid = elements.filter((one) => one.matches('[data-testid="stElementContainer"]') && !within(one, '[data-testid="stPopoverBody"]'));
  const chrome = [...document.querySelectorAll('[data-testid="stHeader"] button, [data-testid="stExpandSidebarButton"]')].filter(seen);
  const boxes = [...laid, ...chrome].map((one) => {
    const shown = one.matches('[data-testid="stElementContainer"]') ? [...one.querySelectorAll("h1 span, p, button, input:not([type=range]), textarea, .gf, canvas")].map(seen).filter(Boolean) : [seen(one)];
    if (!shown.length) return { one, box: null };
    const edge = (side, pick) => pick(...shown.map((box) => box[side]));
    const box = { left: edge("left", Math.min), right: edge("right", Math.max), top: edge("top", Math.min), bottom: edge("bottom", Math.max) };
    for (let at = parentOf(one); at && at !== MAIN; at = parentOf(at)) {
      if (getComputedStyle(at).overflowX === "visible") continue; // what is scrolled out of a row lies on nothing
      const port = at.getBoundingClientRect();
      box.left = Math.max(box.left, port.left);
      box.right = Math.min(box.right, port.right);
    }
    return { one, box };
  }).filter(({ box }) => box);
  const overlapping = [];
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
      const slider = a.one.closest('[class*="st-key-numbered"]');
      if (slider && slider === b.one.closest('[class*="st-key-numbered"]')) continue; // its box stands in its label's line
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 4 && high > 4) overlapping.push(`“${nameOf(a.one)}” and “${nameOf(b.one)}”`);
    }
  });

  // Wider than the screen, where nothing scrolls it.
  const wider = [];
  for (const element of elements) {
    const box = element.getBoundingClientRect();
    if (box.right <= innerWidth + 1 && box.left >= -1) continue;
    let held = false;
    for (let at = parentOf(element); at && at !== MAIN; at = parentOf(at)) held ||= getComputedStyle(at).overflowX !== "visible";
    if (!held && !within(element, CHROME)) wider.push(`${Math.round(box.right)} px “${nameOf(element)}”`);
  }

  // Drawings of which a part lies beside their window: a phone's may, a wide screen has the room.
  const scrolled = elements
    .filter((one) => innerWidth >= WIDE && one.matches(".scroll:has(> .stack)") && one.scrollWidth > one.clientWidth + 1)
    .filter((one) => one.getBoundingClientRect().top < innerHeight)
    .map((one) => `${one.scrollWidth - one.clientWidth} px of “${nameOf(one)}”`);

  const told = (faults) => [...new Set(faults)].slice(0, TOLD);
  const count = (faults) => new Set(faults).size;
  return {
    top,
    figure: figures[0]?.name ?? null,
    kind: figures[0]?.className ?? null,
    rows,
    area,
    stage,
    faults: Object.fromEntries(
      Object.entries({ cut, overlapping, small, pale, wider, scrolled }).map(([kind, all]) => [kind, { count: count(all), told: told(all) }]),
    ),
  };
}
