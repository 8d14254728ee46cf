// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** Writes the state into the address bar without a new history entry; copies it. */

/** @param {any} component */
export default function (component) {
  return mount(component, (root) => {
    const bar = root.appendChild(element("div", "bar"));
    const copy = bar.appendChild(
      quietButton("Copy link", "Copy a link that restores exactly this state", async () => {
        write();
        await copyText(window.location.href);
        copy.textContent = "Link copied";
        spoken.textContent = "Link copied";
        setTimeout(() => (copy.textContent = "Copy link"), 1800);
      }),
    );
    const note = bar.appendChild(element("span", "note quiet"));
    const spoken = bar.appendChild(element("span", "unseen"));
    spoken.setAttribute("aria-live", "polite");
    /** @type {[string, string][]} */ let params = [];

    function write() {
      const search = new URLSearchParams(params).toString();
      const url = new URL(window.location.href);
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
