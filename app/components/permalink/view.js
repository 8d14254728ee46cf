// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/**
 * Writes the state into the address bar without a new history entry; copies it.
 *
 * Streamlit reads `location.search` at the next rerun, so `st.query_params` follows
 * one run later, a reload restores the state, and "Back" from another page finds it.
 */

const STREAMLITS_OWN = ["embed", "embed_options"]; // how the page is framed, not what it shows

/** @param {Component} component */
export default function (component) {
  return mount(component, (root) => {
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
    const note = bar.appendChild(element("span", "note quiet"));
    const spoken = bar.appendChild(element("span", "unseen"));
    spoken.setAttribute("aria-live", "polite");
    /** @type {[string, string][]} */ let params = [];

    function write() {
      if (window.location.pathname !== page) return; // the reader has left this page
      const url = new URL(window.location.href);
      const kept = [...url.searchParams].filter(([name]) => STREAMLITS_OWN.includes(name));
      const search = new URLSearchParams([...params, ...kept]).toString();
      if (url.searchParams.toString() === search) return;
      url.search = search;
      window.history.replaceState(window.history.state, "", url);
    }

    return {
      update({ header }) {
        params = header.params;
        note.textContent = header.too_long;
        write();
        root.dataset.painted = "link";
      },
      retheme() {},
      resize() {},
    };
  });
}
