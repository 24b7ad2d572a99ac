// A bot in JavaScript, for node: it chooses at random among the legal actions.

"use strict";

const readline = require("node:readline");

let state = 1;

// A small generator of its own (xorshift, 32 bits), so that one seed gives one match.
function below(bound) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % bound;
}

// Your choice. `arena games schema GAME` says what `view` holds.
function choose(view, legal) {
  return legal[below(legal.length)];
}

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    send({ type: "ready" });
  } else if (message.type === "start") {
    state = message.seed % 0xffffffff | 1; // never zero
  } else if (message.type === "act") {
    // A note is optional: numbers that you want to see averaged beside the bot's name.
    const note = { legal: message.legal.length };
    send({ type: "act", ply: message.ply, action: choose(message.view, message.legal), note });
  } else if (message.type === "end") {
    console.error("result:", JSON.stringify(message.result)); // standard error is the log
  } else if (message.type === "quit") {
    process.exit(0);
  }
});
