// @ts-check
/// <reference path="../draw.js" />
/// <reference path="../figure.js" />
/** A vote goes to the server by itself, and counts from there; so does a look at the bars. */

const LOOK = 700; // ms between two of them
const FIRST = "Choose what you expect. The answer comes with the teacher’s.";
const VOTED = "Your vote is in. You may change it until the teacher shows the answer.";
const FAILED = "Your vote did not arrive. Choose again.";

/** @param {Component} component */
export default function (component) {
  return mount(component, (root) => {
    const answers = root.appendChild(element("ul", "answers"));
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
      for (const [place, one] of shown.entries()) {
        const [share, , number] = /** @type {HTMLElement[]} */ ([...one.children]);
        share.style.width = `${all ? (100 * (votes[place] ?? 0)) / all : 0}%`;
        number.textContent = String(votes[place] ?? 0);
      }
      told.textContent = `${all} ${all === 1 ? "vote" : "votes"}, ${here} ${here === 1 ? "student" : "students"} here.`;
      root.dataset.votes = String(all);
    }

    /** @param {string} text @param {number} place */
    function drawn(text, place) {
      const one = element(ballot.counts ? "div" : "button", "answer");
      if (ballot.counts) one.append(element("span", "share"));
      const name = one.appendChild(element("span", "name"));
      name.textContent = text;
      if (ballot.counts) one.append(element("span", "count"));
      else one.addEventListener("click", () => vote(place));
      answers.appendChild(document.createElement("li")).append(one);
      return one;
    }

    return {
      update({ header }) {
        ballot = header;
        answers.replaceChildren();
        answers.setAttribute("aria-label", header.label);
        shown = header.options.map(drawn);
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
