// @ts-check
/**
 * Which containers are there that change the style of the whole page, as words on its root:
 * `:root[data-gf~="lesson"]`. The first file brings it (app/web/server.py).
 *
 * `:root:has(…)` would say as much, but then every element that comes or goes styles the whole
 * page anew: each of a chart's labels, which Plotly measures one by one, took up to 60 ms.
 */
{
  const CONTAINERS = {
    lesson: ".st-key-lesson",
    projector: ".st-key-on-projector",
    embedded: '[class*="st-key-embedded"]',
    predicted: '[class*="st-key-predicted"]',
    folded: '[data-testid="stExpandSidebarButton"]',
  };
  const root = document.documentElement;

  const mark = () => {
    const there = Object.entries(CONTAINERS).filter(([, selector]) => document.querySelector(selector));
    const words = there.map(([word]) => word).join(" ");
    if (root.dataset.gf !== words) root.dataset.gf = words;
  };
  new MutationObserver(mark).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: ["class"],
  });
}
