"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const [board, status, range, viewer, play] = ["board", "status", "place", "viewer", "play"].map(byId);
  const moves = [...document.querySelectorAll("#moves button")];
  const rows = [...document.querySelectorAll("aside tr")];
  const last = data.frames.length - 1;
  const STEP_MS = 900;
  let place = 0;
  let timer = null;

  // A picture is a list of lines; each distinct line is in the page once.
  const picture = (number) => data.pictures[number].map((line) => data.lines[line]).join("\n");

  function show(wanted) {
    place = Math.max(0, Math.min(last, wanted));
    const frame = data.frames[place];
    const seat = Number(viewer.value);
    board.innerHTML = picture(seat < 0 ? frame.table : frame.views[seat]);
    range.value = place;
    status.textContent = frame.text;
    rows.forEach((row, number) => {
      row.querySelector(".score").textContent = frame.scores[number];
      row.querySelector(".place").hidden = place < last;
      row.toggleAttribute("data-acts", frame.seat === number);
    });
    moves.forEach((move, number) => {
      if (number === place) move.setAttribute("aria-current", "true");
      else move.removeAttribute("aria-current");
    });
    follow(moves[place]);
    byId("first").disabled = byId("back").disabled = place === 0;
    byId("last").disabled = byId("next").disabled = place === last;
    if (place === last) pause();
    history.replaceState(null, "", place ? "#" + place : location.pathname + location.search);
  }

  // Scrolls the list alone: scrollIntoView would move the page under the reader.
  function follow(move) {
    const list = byId("moves");
    const top = move.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + move.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2;
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }

  function toggle() {
    if (timer !== null) return pause();
    if (place === last) show(0);
    timer = setInterval(() => show(place + 1), STEP_MS);
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
  }

  const go = (wanted) => { pause(); show(wanted); };
  const keys = {
    ArrowLeft: () => go(place - 1), ArrowRight: () => go(place + 1), Home: () => go(0), End: () => go(last), " ": toggle,
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target.tagName;
    if (event.altKey || event.ctrlKey || event.metaKey || target === "SELECT") return;
    // A focused button takes the space itself.
    if (!(event.key in keys) || (event.key === " " && target === "BUTTON")) return;
    event.preventDefault();
    keys[event.key]();
  });
  byId("first").addEventListener("click", keys.Home);
  byId("back").addEventListener("click", keys.ArrowLeft);
  byId("next").addEventListener("click", keys.ArrowRight);
  byId("last").addEventListener("click", keys.End);
  play.addEventListener("click", toggle);
  range.addEventListener("input", () => go(Number(range.value)));
  viewer.addEventListener("change", () => show(place));
  byId("theme").addEventListener("change", (event) => { document.documentElement.dataset.theme = event.target.value; });
  byId("moves").addEventListener("click", (event) => {
    const move = event.target.closest("button");
    if (move) go(Number(move.dataset.place));
  });
  const atHash = () => show(Number.parseInt(location.hash.slice(1), 10) || 0);
  addEventListener("hashchange", atHash);
  atHash();
})();
