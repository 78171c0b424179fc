import { it } from "node:test";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import { startNats } from "../servers/nats.ts";
import { startPostgres } from "../servers/postgres.ts";
import { drawHostFaults } from "./draws/fault-draw.ts";

const DRAWS = Number(process.env["HOST_DRAWS"] ?? 20);
/** Printed with the test. The same seed draws the same faults and acts. */
const SEED = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** One draw of a run that has failed, again. */
const ONE = process.env["FAULT_DRAW"];
/** How many draws run at the same time, each with servers, hosts and a worker of its own. */
const AT_ONCE = 3;

it(`hosts and a worker in ${DRAWS} draws of faults: what is told is stored, no run overlaps another, no tool runs twice (seed ${SEED})`, {
  timeout: (DRAWS * 30 + 240) * 1000,
}, async (context) => {
  const random = seededRandom(SEED);
  const seeds = ONE === undefined ? Array.from({ length: DRAWS }, () => random(2 ** 31)) : [Number(ONE)];
  const counts = new Map<string, number>();
  let cut = 0;
  const work = async (): Promise<void> => {
    const postgres = await startPostgres(context);
    const nats = postgres && (await startNats(context));
    if (postgres === undefined || nats === undefined) return;
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const result = await drawHostFaults({ postgres, nats }, seededRandom(seed)).catch((error: unknown) => {
        // No further ones begin.
        seeds.length = 0;
        throw new Error(`Draw ${seed} of seed ${SEED}: ${messageOf(error)}`, { cause: error });
      });
      cut += result.cut;
      for (const fault of result.faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  const faults = [...counts].map(([fault, count]) => `${fault} ${count}`).join(", ");
  context.diagnostic(`${DRAWS} draws, seed ${SEED}: ${cut} runs cut short; ${faults}`);
});
