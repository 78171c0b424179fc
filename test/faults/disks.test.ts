import { it } from "node:test";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { FailingStorage } from "./harness/failing-storage.ts";
import { noSmallDisk, SmallDisk } from "./harness/small-disk.ts";

/** How many hosts meet faults of their disk. */
const HOSTS = Number(process.env["FAULT_DISKS"] ?? 2);
/** Printed with the test. The same seed makes the same choices, as far as the events come in the same order. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** Hosts that use one disk, one after the other. */
const HOSTS_PER_DISK = 3;
const KILOBYTES = 16 * 1024;
const LIMIT = { timeout: (HOSTS * 60 + 240) * 1000 };

it(`${HOSTS} hosts of eight teams have a disk that fails at random events, or is read-only: nothing told is lost, every request is answered, and all teams go on (seed ${SEED})`, {
  ...LIMIT,
  skip: noSmallDisk,
}, async (t) => {
  const random = seededRandom(SEED);
  const seen = new Map<string, number>();
  for (let nth = 0; nth < HOSTS; nth += HOSTS_PER_DISK) {
    using scratch = new Scratch();
    await using disk = await SmallDisk.mount(scratch.path, KILOBYTES);
    const storage = new FailingStorage(disk, random, (fault) => seen.set(fault, (seen.get(fault) ?? 0) + 1));
    for (let host = nth; host < Math.min(nth + HOSTS_PER_DISK, HOSTS); host++) {
      await storage.runWithFaults();
      if (random(2) === 0) await storage.runReadOnly();
    }
  }
  t.diagnostic([...seen].map(([what, count]) => `${what}: ${count}`).join(", "));
});
