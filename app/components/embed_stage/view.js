// @ts-check
/**
 * In another page's frame: marks what is seen (the answer, the figure, what is told), all else
 * is hidden by app/style/embed.css, and makes a figure smaller that is higher than its frame.
 */

const PAGE = '[data-testid="stMainBlockContainer"]';
const TOLD =
  '.st-key-answer, [class*="st-key-predicted"], .st-key-asked-first, .st-key-credit, [data-testid="stAlert"], [data-testid="stProgress"], [data-testid="stSpinner"]';
const CONTROLS = '.st-key-input-line, [class*="st-key-controls"]';
const FIGURES =
  '[data-testid^="stBidiComponent"], [data-testid="stPlotlyChart"], [data-testid="stDataFrame"], ' +
  '[data-testid="stTable"], [data-testid="stImage"], [data-testid="stIFrame"], table';
const NO_FIGURE = '.st-key-head, .st-key-quiet, .st-key-credit, .st-key-lesson, [class*="-files"], [class*="-keys"]';
const ROW = '[data-testid="stHorizontalBlock"]';
const HIGH = 100; // px; a lower one is a row of tokens to choose from, as a rule
const SMALLEST = 0.45; // of its size; below that, it is scrolled
const SLACK = 3; // px that rounding may take
const BESIDE = 700; // px of a frame in which figures stand side by side
const TOO_SMALL = 0.75; // of its size: then it is laid out as on a desk, where most are lower
const DESK = 1100; // px

/** @param {HTMLElement} page @returns {HTMLElement[]} the first high figure after the answer, and those in its row */
function chosen(page) {
  const all = /** @type {HTMLElement[]} */ ([...page.querySelectorAll(FIGURES)]).filter(
    (one) => !one.closest(NO_FIGURE) && !one.parentElement?.closest(FIGURES) && one.scrollHeight > 20,
  );
  const answer = page.querySelector(".st-key-answer");
  const follows = (/** @type {Element} */ one) =>
    !answer || answer.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const high = all.filter((one) => one.scrollHeight >= HIGH);
  const first = high.find(follows) ?? high[0] ?? all[0];
  const row = first?.closest(ROW);
  if (!row || window.innerWidth < BESIDE) return first ? [first] : [];
  return all.filter((one) => row.contains(one));
}

/** @param {HTMLElement} page @param {HTMLElement[]} figures @returns {HTMLElement | null} what is made smaller */
function stageOf(page, figures) {
  const row = figures.length > 1 ? figures[0].closest(ROW) : null;
  const part = figures[0]?.closest('[data-testid="stElementContainer"]') ?? figures[0];
  return /** @type {HTMLElement} */ (row && page.contains(row) ? row : (part ?? null));
}

/** What is seen, and the way down to it. @param {HTMLElement} page @param {Element[]} kept */
function mark(page, kept) {
  const marks = new Map(/** @type {[Element, string][]} */ ([[page, "through"]]));
  const within = (/** @type {Element} */ one) => kept.some((other) => other !== one && other.contains(one));
  for (const one of kept.filter((one) => !within(one))) {
    for (let at = one.parentElement; at && at !== page; at = at.parentElement) {
      marks.set(at, "through");
    }
    marks.set(one, "whole");
  }
  for (const one of page.querySelectorAll("[data-gf-kept]")) if (!marks.has(one)) one.removeAttribute("data-gf-kept");
  for (const [one, how] of marks) if (one.getAttribute("data-gf-kept") !== how) one.setAttribute("data-gf-kept", how);
}

/** @param {HTMLElement} page @param {HTMLElement | null} stage */
function fit(page, stage) {
  for (const one of page.querySelectorAll("[data-gf-scale]")) if (one !== stage) scale(one, 1);
  const block = /** @type {HTMLElement | null} */ (page.firstElementChild);
  if (!stage || !block) return;
  const before = Number(stage.dataset.gfScale ?? 1);
  const high = stage.offsetHeight;
  const { paddingTop, paddingBottom } = getComputedStyle(page);
  const others = block.offsetHeight - high * before + parseFloat(paddingTop) + parseFloat(paddingBottom);
  const room = (window.innerHeight - SLACK - others) / high;
  const widest = stage.dataset.gfWide ? block.offsetWidth / DESK : 1;
  const now = Math.min(widest, Math.max(SMALLEST, Math.floor(room * 1000) / 1000));
  if (now < TOO_SMALL && block.offsetWidth >= BESIDE && block.offsetWidth < DESK) stage.dataset.gfWide = "true";
  if (now < before || now - before > 0.004) scale(stage, now); // to a little less room it gives way
}

/** @param {any} stage @param {number} to */
function scale(stage, to) {
  const { style } = stage;
  if (to === 1) {
    delete stage.dataset.gfScale;
    delete stage.dataset.gfWide;
    for (const name of ["transform", "margin", "width", "maxWidth", "flex"]) style[name] = "";
    return;
  }
  stage.dataset.gfScale = to;
  const wide = Boolean(stage.dataset.gfWide);
  const across = stage.parentElement.offsetWidth;
  style.width = wide ? `${DESK}px` : "";
  style.maxWidth = wide ? "none" : "";
  style.flex = wide ? "none" : "";
  style.transform = `scale(${to})`;
  style.transformOrigin = wide ? "top left" : "top center";
  style.margin = `0 0 ${-(1 - to) * stage.offsetHeight}px ${wide ? (across - DESK * to) / 2 : 0}px`;
}

/** Once a page; what is drawn later, or grows, is looked at again. @param {any} component */
export default function ({ parentElement }) {
  const host = parentElement.host ?? parentElement;
  const controls = Boolean(host.closest('[class*="st-key-embedded-controls"]'));
  let waiting = 0;
  const sized = new ResizeObserver(again);
  const changed = new MutationObserver(again);

  function again() {
    waiting ||= requestAnimationFrame(look);
  }
  function look() {
    waiting = 0;
    const page = /** @type {HTMLElement | null} */ (document.querySelector(PAGE));
    if (!page) return;
    const figures = chosen(page);
    const told = [...page.querySelectorAll(controls ? `${TOLD}, ${CONTROLS}` : TOLD)];
    mark(page, [...told.filter((one) => !one.closest(".st-key-lesson")), ...figures]);
    fit(page, stageOf(page, figures));
    for (const one of page.querySelectorAll(FIGURES)) sized.observe(one);
    document.documentElement.dataset.gfStaged = figures.length ? "figure" : "told";
  }
  /** A frame of another size is looked at as if it were new. */
  function resized() {
    for (const one of document.querySelectorAll("[data-gf-wide]")) scale(one, 1);
    again();
  }
  changed.observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", resized);
  look();
  return () => {
    changed.disconnect();
    sized.disconnect();
    cancelAnimationFrame(waiting);
    window.removeEventListener("resize", resized);
  };
}
