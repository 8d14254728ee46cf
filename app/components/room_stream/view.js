// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/**
 * A browser in a room (app/rooms/routes.py). A student's holds one stream of server-sent events,
 * and asks for a run when the page is not what the teacher shows: not all students at once. No
 * clock is asked, and what it missed it hears when the connection is back.
 */

const KEPT = "glassformer.room."; // this browser's key, by the room's code
const BEAT = 4000; // ms between two words of the teacher's browser
const AGAIN = 8000; // ms after which what was asked in vain is asked anew
const LOST = "The connection is lost; it comes back by itself.";

/** @typedef {{version: number, away: boolean, ended: boolean, spread: number}} News */

/** @param {string} code @param {string | null} [key] null: forget it */
function keptKey(code, key) {
  try {
    if (key === undefined) return localStorage.getItem(KEPT + code);
    if (key === null) localStorage.removeItem(KEPT + code);
    else localStorage.setItem(KEPT + code, key);
  } catch {
    // a browser that keeps nothing is a new one after every reload
  }
  return null;
}

/** @param {Component} component */
export default function (component) {
  return mount(component, (root, selection) => {
    const said = root.appendChild(element("span", "said quiet"));
    said.setAttribute("role", "status");
    let ear = /** @type {any} */ ({});
    let source = /** @type {EventSource | null} */ (null);
    let news = /** @type {News | null} */ (null);
    let [asking, beating, again] = [0, 0, 0];

    /** @param {string} words */
    function say(words) {
      if (said.textContent !== words) said.textContent = words;
    }

    function stop() {
      source?.close();
      source = null;
      for (const timer of [asking, beating, again]) clearTimeout(timer);
      asking = beating = again = 0;
    }

    function listen() {
      if (!root.isConnected) return;
      const mine = new EventSource(`${ear.at}/events?key=${ear.key}`);
      source = mine;
      mine.onmessage = ({ data }) => (root.isConnected ? hear(JSON.parse(data)) : stop());
      mine.onerror = () => {
        if (!root.isConnected) return stop();
        if (source !== mine) return;
        say(LOST);
        // The browser comes again by itself, but for what a proxy says while no server is there.
        if (mine.readyState === EventSource.CLOSED) again = setTimeout(listen, AGAIN * (0.5 + Math.random()));
      };
    }

    /** @param {News} told */
    function hear(told) {
      news = told;
      say(told.away ? "The teacher is away; what was shown last stays." : "");
      root.dataset.version = String(told.version);
      if (told.ended) {
        stop();
        keptKey(ear.code, null);
        return selection.click({ version: -1 });
      }
      follow(told.spread);
    }

    /** @param {number} spread seconds, within which all students ask */
    function follow(spread) {
      if (!asking && root.isConnected && isBehind()) asking = setTimeout(ask, Math.random() * spread * 1000);
    }

    function ask() {
      asking = 0;
      if (!news || !isBehind()) return;
      selection.click({ version: news.version });
      asking = setTimeout(ask, AGAIN);
    }

    function isBehind() {
      return ear.follows && news !== null && news.version !== ear.known;
    }

    async function beat() {
      clearTimeout(beating);
      if (!root.isConnected) return;
      try {
        const answer = await fetch(`${ear.at}/desk`, { headers: { "X-Glassformer-Key": ear.key } });
        if (answer.status === 404) return selection.click({ version: -1 });
        if (!answer.ok) throw new Error(); // it can't ask its rooms just now
        const { here } = await answer.json();
        say(`${here} ${here === 1 ? "student" : "students"} here`);
      } catch {
        say(LOST);
      }
      beating = setTimeout(beat, BEAT);
    }

    return {
      update({ header }) {
        const before = ear;
        ear = header;
        root.dataset.known = String(ear.known);
        root.dataset.painted = "room";
        const kept = keptKey(ear.code);
        if (!ear.settled && kept && kept !== ear.key) return selection.click({ key: kept });
        keptKey(ear.code, ear.key);
        if (news && news.version === ear.known) {
          clearTimeout(asking);
          asking = 0;
        }
        if (before.key === ear.key && before.teaches === ear.teaches && (source || beating)) return follow(0);
        stop();
        if (ear.teaches) beat();
        else listen();
      },
      retheme() {},
      resize() {},
    };
  });
}
