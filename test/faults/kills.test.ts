import { it } from "node:test";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { KilledStorage } from "./harness/killed-storage.ts";

/** How many hosts are killed. */
const KILLS = Number(process.env["FAULT_KILLS"] ?? 6);
/** Printed with the test. The same seed makes the same choices, as far as the events come in the same order. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Hosts that are killed on one storage before one ends the work of all teams. */
const KILLS_PER_STORAGE = 3;

it(`${KILLS} hosts of eight teams are killed: nothing told is lost, and no call runs twice (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let killed = 0; killed < KILLS; killed += KILLS_PER_STORAGE) {
    using scratch = new Scratch();
    const storage = new KilledStorage(scratch.path, random);
    for (let nth = killed; nth < Math.min(killed + KILLS_PER_STORAGE, KILLS); nth++) await storage.runAndKill();
    await storage.finish();
  }
});
