import type { CompletionItem } from "vscode-languageserver/node";
import type { HostClient } from "../../host-client.ts";
import { roundTrip, startBenchHost } from "../bench-host.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { median, ms, percentile, times } from "../statistics.ts";
import type { Bench } from "./row.ts";

const ROUNDS = 200;
const PARTICIPANTS = 30;

const HEAD = `name: Review
models: { default: { provider: practice } }
participants:
${Array.from({ length: PARTICIPANTS }, (_, at) => `  - name: ann${at}\n    instructions: Look for what is wrong.`).join("\n")}
kind: `;

const uri = "file:///review.team.yaml";

/** Completion of a key's value in a large team file, with the change that asks for it, over a request for nothing. */
export const completion: Bench = {
  name: "completion",
  title: "A team file in an editor",
  async run(howOften) {
    const figure = `completion after a typed letter, in a team of ${PARTICIPANTS}, over a request for nothing`;
    if (!isHostBuilt()) return [{ figure, aim: "", measured: "not measured: run npm run build first" }];
    const { client, stop } = await startBenchHost();
    try {
      const textDocument = { uri, languageId: "yaml", version: 0, text: HEAD };
      await client.connection.sendNotification("textDocument/didOpen", { textDocument });
      const taken: number[] = [];
      const floors: number[] = [];
      for (let round = -5; round < howOften(ROUNDS); round++) {
        const one = await complete(client, round + 10);
        const floor = await roundTrip(client);
        if (round < 0) continue;
        taken.push(one);
        floors.push(floor);
      }
      const measured = `p50 ${times(median(taken) / median(floors))}, ${ms(median(taken))} over ${ms(median(floors))}; p99 ${ms(percentile(taken, 99))}`;
      return [{ figure, aim: "p99 50 ms", measured }];
    } finally {
      await stop();
    }
  },
};

async function complete({ connection }: HostClient, version: number): Promise<number> {
  const line = HEAD.split("\n").length - 1;
  const typed = "roundRobin".slice(0, version % 5);
  const started = performance.now();
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version },
    contentChanges: [{ text: HEAD + typed }],
  });
  const position = { line, character: "kind: ".length + typed.length };
  const items = await connection.sendRequest<CompletionItem[]>("textDocument/completion", {
    textDocument: { uri },
    position,
  });
  if (!items.some(({ label }) => label === "roundRobin")) throw new Error("There is no completion.");
  return performance.now() - started;
}
