import { limitedEndpoint } from "../../../server/models/testing/limited-endpoint.ts";
import { TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { startBenchHost } from "../bench-host.ts";
import { branchingTeam, participantTexts } from "../contenders/bench-team.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { median, ms, times } from "../statistics.ts";
import type { Bench } from "./row.ts";

const BRANCHES = 100;
const AT_ONCE = 5;
/** How long an answer takes, in milliseconds. */
const ANSWER_MS = 50;

const figure = `a graph of ${BRANCHES} branches and their join, over the time in which an endpoint can answer them`;

/** Through the host, against an endpoint that refuses what is more than five at once. The first run learns the limit. */
export const limited: Bench = {
  name: "limited",
  title: `Under a rate limit of ${AT_ONCE} requests at once, ${ANSWER_MS} ms each`,
  async run(howOften) {
    const aim = "1.2";
    if (!isHostBuilt()) return [{ figure, aim, measured: "not measured: run npm run build first" }];
    const ideal = (Math.ceil(BRANCHES / AT_ONCE) + 1) * ANSWER_MS;
    const taken: number[] = [];
    let refused = 0;
    for (let round = 0; round < howOften(10); round++) {
      await using endpoint = await limitedEndpoint(AT_ONCE, ANSWER_MS);
      const { client, stop } = await startBenchHost();
      const names = Array.from({ length: BRANCHES }, (_, at) => `branch${at + 1}`);
      const definition = branchingTeam({ baseUrl: endpoint.url, model: "bench" }, names);
      await client.send(TeamOpen, { teamId: "limited", definition });
      const started = performance.now();
      participantTexts(await client.send(TeamRun, { teamId: "limited", task: "Begin." }));
      taken.push(performance.now() - started);
      refused += endpoint.refused;
      await stop();
    }
    const [typical, each] = [median(taken), refused / taken.length];
    const measured = `${times(typical / ideal)}, ${ms(typical)} over ${ms(ideal)}; ${Math.round(each)} requests refused`;
    return [{ figure, aim, measured }];
  },
};
