#!/usr/bin/env node
import { formatCents, parseCents } from "./money.js";
import { split } from "./split.js";

const [amount, ...names] = process.argv.slice(2);

if (amount === undefined || names.length === 0) {
  console.error("Usage: node src/tab.js AMOUNT NAME[:WEIGHT]...");
  process.exitCode = 2;
} else {
  try {
    const friends = names.map(parseFriend);
    const shares = split(
      parseCents(amount),
      friends.map(({ weight }) => weight),
    );
    for (const [at, { name }] of friends.entries()) {
      console.log(`${name.padEnd(6)} ${formatCents(shares[at])}`);
    }
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

function parseFriend(text) {
  const match = /^([^:]+)(?::(\d{1,3}))?$/.exec(text);
  if (match === null) throw new Error(`"${text}" is not a friend; write a name, or a name and a weight such as Ana:2.`);
  return { name: match[1], weight: Number(match[2] ?? 1) };
}
