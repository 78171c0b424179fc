import { it } from "node:test";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { Meeting } from "./harness/meeting.ts";

/** How often each of the clients does something. */
const DRAWS = Number(process.env["FAULT_DRAWS"] ?? 20);
/** Printed with the test. The same seed makes the same choices, as far as the events come in the same order. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

it(`eight clients of eight teams join, act, leave, vanish and return in ${DRAWS} draws, and their host is killed: each is told every event once, in order (seed ${SEED})`, {
  timeout: (DRAWS * 10 + 240) * 1000,
}, async (t) => {
  using scratch = new Scratch();
  await using meeting = await Meeting.begin(scratch.path, seededRandom(SEED));
  await meeting.open();
  for (let draw = 0; draw < DRAWS; draw++) await meeting.draw();
  await meeting.finish();
  t.diagnostic(meeting.summary);
});
