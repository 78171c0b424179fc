import { it } from "node:test";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { startNats } from "../servers/nats.ts";
import { drawLinkFaults } from "./fault-draw.ts";

const DRAWS = Number(process.env["LINK_DRAWS"] ?? 20);
/** Printed with the test. The same seed draws the same faults. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** How many draws run at the same time, each with a NATS server, a host and a worker of its own. */
const AT_ONCE = 4;

it(`a participant on a worker in ${DRAWS} draws of faults: nothing told is lost, no tool runs twice, the team goes on (seed ${SEED})`, {
  timeout: (DRAWS * 20 + 240) * 1000,
}, async (context) => {
  const random = seededRandom(SEED);
  const seeds = Array.from({ length: DRAWS }, () => random(2 ** 31));
  const counts = new Map<string, number>();
  let lost = 0;
  const work = async (): Promise<void> => {
    const nats = await startNats(context);
    if (nats === undefined) return;
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const result = await drawLinkFaults(nats, seededRandom(seed)).catch((error: unknown) => {
        // No further ones begin.
        seeds.length = 0;
        throw new Error(`Draw ${seed} of seed ${SEED}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      });
      if (result.isLost) lost++;
      for (const fault of result.faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  const faults = [...counts].map(([fault, count]) => `${fault} ${count}`).join(", ");
  context.diagnostic(`${DRAWS} draws, seed ${SEED}: ${lost} turns lost; ${faults}`);
});
