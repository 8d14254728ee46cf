// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/// <reference path="board.js" />
/** A vote goes to the server by itself, and counts from there; so does a look at the bars. */

const LOOK = 700; // ms between two of them
const FIRST = "Choose what you expect. The answer comes with the teacher’s.";
const VOTED = "Your vote is in. You may change it until the teacher shows the answer.";
const FAILED = "Your vote did not arrive. Choose again.";

/** @param {Component} component */
export default function (component) {
  return mount(component, (root) => {
    const answers = root.appendChild(element("div"));
    const told = root.appendChild(element("p", "told quiet"));
    told.setAttribute("role", "status");
    let ballot = /** @type {any} */ ({});
    let shown = /** @type {HTMLElement[]} */ ([]);
    let looking = 0;

    /** @param {number} option */
    function mark(option) {
      for (const [place, one] of shown.entries()) one.ariaPressed = String(place === option);
    }

    /** @param {number} option */
    async function vote(option) {
      const body = JSON.stringify({ key: ballot.key, poll: ballot.poll, option });
      try {
        const answer = await fetch(`${ballot.at}/vote`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
        });
        if (!answer.ok) throw new Error((await answer.json()).told);
        mark(option);
        told.textContent = VOTED;
      } catch (error) {
        told.textContent = error instanceof TypeError ? FAILED : /** @type {Error} */ (error).message;
      }
    }

    async function look() {
      clearTimeout(looking);
      if (!root.isConnected || !ballot.counts) return;
      try {
        const asked = `${ballot.at}/desk?poll=${encodeURIComponent(ballot.poll)}`;
        const answer = await fetch(asked, { headers: { "X-Glassformer-Key": ballot.key } });
        if (answer.ok) count(await answer.json());
      } catch {
        // the room's line says that the connection is lost
      }
      looking = setTimeout(look, LOOK);
    }

    /** @param {{here: number, votes: number[]}} seen */
    function count({ here, votes }) {
      const all = votes.reduce((sum, one) => sum + one, 0);
      const most = Math.max(1, ...votes);
      for (const [place, one] of shown.entries()) {
        const [share, , number] = /** @type {HTMLElement[]} */ ([...one.children]);
        const its = votes[place] ?? 0;
        if (ballot.grid) {
          share.style.opacity = String(its / most);
          number.textContent = its ? String(its) : "";
          one.ariaLabel = `${ballot.options[place]}: ${its}`;
        } else {
          share.style.width = `${all ? (100 * its) / all : 0}%`;
          number.textContent = String(its);
        }
      }
      const lead = ballot.grid && all ? ` Most, ${most}: ${ballot.options[votes.indexOf(most)]}.` : "";
      told.textContent = `${all} ${all === 1 ? "vote" : "votes"}, ${here} ${here === 1 ? "student" : "students"} here.${lead}`;
      root.dataset.votes = String(all);
    }

    /** @param {string} text @param {number} place */
    function drawn(text, place) {
      const one = element(ballot.counts ? "div" : "button", ballot.grid ? "cell" : "answer");
      if (ballot.counts) one.append(element("span", "share"));
      const name = one.appendChild(element("span", "name"));
      if (!ballot.pictured) name.textContent = text;
      if (ballot.counts) one.append(element("span", "count"));
      else one.addEventListener("click", () => vote(place));
      if (ballot.grid) {
        one.ariaLabel = one.title = text;
        if (ballot.counts) one.role = "img";
      }
      return one;
    }

    /** All of them, in a row or as they stand in a grid. @param {any} pixels */
    function laid(pixels) {
      if (ballot.grid) return board(ballot.grid, shown, pixels);
      const list = element("ul", "answers");
      for (const one of shown) list.appendChild(document.createElement("li")).append(one);
      return list;
    }

    return {
      update({ header, arrays }) {
        ballot = { ...header, pictured: "picture" in arrays };
        shown = header.options.map(drawn);
        answers.replaceChildren(laid(arrays.picture ?? null));
        answers.setAttribute("role", "group");
        answers.setAttribute("aria-label", header.label);
        told.textContent = header.mine === null ? FIRST : VOTED;
        if (header.counts) look();
        else mark(header.mine);
        root.dataset.painted = "ballot";
      },
      retheme() {},
      resize() {},
    };
  });
}
