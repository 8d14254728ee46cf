// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="frame.js" />
/**
 * Writes the state into the address bar, a new step into a history entry of its own; copies it.
 *
 * Streamlit reads `location.search` at the next rerun, so `st.query_params` follows
 * one run later, a reload restores the state, and "Back" from another page finds it.
 * "Back" to another entry of the same page is told to the page (app/ui/history.py), instead of
 * Streamlit's own rerun, after which the page would write its old state over that entry.
 */

const STEP = "glassformer"; // an entry's number, in its state
/** The reader's last Back, until a frame was made that knows of it: one made before is of the past. */
let unheard = /** @type {{stay: number, count: number} | null} */ (null);
let returns = 0;

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const page = window.location.pathname;
    const bar = root.appendChild(element("div", "bar"));
    const copy = bar.appendChild(
      quietButton("Copy link", "Copy a link that restores exactly this state", async () => {
        write();
        await copyText(window.location.href);
        copy.textContent = spoken.textContent = "Link copied";
        setTimeout(() => (copy.textContent = "Copy link"), 1800);
      }),
    );
    const ask = frameMenu(bar, () => {
      write();
      return new URL(window.location.href);
    });
    const home = bar.appendChild(element("a", "home quiet", "Open in Glassformer"));
    home.target = "_blank";
    home.rel = "noopener";
    for (const one of [copy, ask.place, home]) one.hidden = true; // until it is known which stand here
    const note = bar.appendChild(element("span", "note quiet"));
    const spoken = bar.appendChild(element("span", "unseen"));
    spoken.setAttribute("aria-live", "polite");
    /** @type {[string, string][]} */ let params = [];
    let [step, stay] = [0, 0];
    let written = "";

    function write() {
      if (unheard || window.location.pathname !== page) return; // the reader has left what is shown
      const url = new URL(window.location.href);
      const kept = [...url.searchParams].filter(([name]) => STREAMLITS_OWN.includes(name));
      written = new URLSearchParams([...params, ...kept]).toString();
      const here = window.history.state?.[STEP];
      if (url.searchParams.toString() === written && here === step) return;
      url.search = written;
      const state = { ...window.history.state, [STEP]: step };
      if (here < step) window.history.pushState(state, "", url);
      else window.history.replaceState(state, "", url);
    }

    /** @param {PopStateEvent} event */
    function returned(event) {
      if (!root.isConnected) return window.removeEventListener("popstate", returned, true);
      const { pathname, search } = window.location;
      if (pathname !== page || (!unheard && new URLSearchParams(search).toString() === written)) return;
      event.stopImmediatePropagation();
      unheard = { stay, count: ++returns };
      selection.click({ step: event.state?.[STEP] ?? 0, search, count: returns });
    }
    window.addEventListener("popstate", returned, true);

    return {
      update({ header }) {
        ({ params, step, stay } = header);
        if (unheard && (unheard.stay !== stay || unheard.count <= header.heard)) unheard = null;
        note.textContent = header.framed ? "" : header.too_long;
        write();
        ask.at = header.oembed;
        copy.hidden = header.framed;
        ask.place.hidden = header.framed || !header.oembed;
        home.hidden = !header.framed;
        home.href = unframed(window.location.href);
        root.dataset.painted = "link";
      },
      retheme() {},
      resize() {},
    };
  });
}
