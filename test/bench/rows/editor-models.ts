import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/root.ts";
import { delta, finished, rawEndpoint, sendStream } from "../../../server/models/testing/raw-endpoint.ts";
import { GavelDriver } from "../../editor/gavel-driver.ts";
import { launchEditor } from "../../editor/harness/launch-editor.ts";
import { until } from "../../editor/harness/until.ts";
import { median, ms, times } from "../statistics.ts";
import type { Bench, HowOften } from "./row.ts";
import { absentRow } from "./turn.ts";

const TURNS = 100;
const ROUNDS = 5;

const FIGURE = "a turn with a language model of VS Code, over the same turn with an endpoint";

/** What it costs that a model is asked through VS Code. Both answers are the same words, from a model that takes no time. */
export const editorModels: Bench = {
  name: "editor-models",
  title: "A turn in VS Code, from the task to the row that says that the run has finished",
  async run(howOften) {
    if (!existsSync(join(root, "dist", "gavel.vsix"))) return [absentRow(FIGURE, "", "run npm run package first")];
    const words = ["I ", "heard: ", "USER ", "SAID:\n", "GO"].map((content) => delta({ content }));
    await using endpoint = await rawEndpoint((response) => sendStream(response, ...words, finished));
    const workspace = await mkdtemp(join(tmpdir(), "gavel-bench-"));
    const turns = howOften(TURNS);
    try {
      await writeFile(join(workspace, "editor.team.yaml"), teamFile("Editor", "{ provider: vscode }", turns));
      const model = `{ provider: openai, model: m, baseUrl: "${endpoint.url}" }`;
      await writeFile(join(workspace, "endpoint.team.yaml"), teamFile("Endpoint", model, turns));
      const [through, bare] = await race(workspace, howOften);
      const each = (all: readonly number[]): string => ms(median(all) / turns);
      return [
        {
          figure: FIGURE,
          aim: "",
          measured: `${times(median(through) / median(bare))}, ${each(through)} over ${each(bare)}`,
        },
      ];
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  },
};

const teamFile = (name: string, model: string, turns: number): string =>
  `name: ${name}\nkind: roundRobin\nmaxTurns: ${turns}\nmodels: { default: ${model} }\nparticipants: [{ name: ann, context: { kind: buffered, size: 1 } }]\n`;

/** Milliseconds of each run with a model of VS Code, and with an endpoint, by turns. */
async function race(workspace: string, howOften: HowOften): Promise<readonly [number[], number[]]> {
  const extension = join(root, "test", "fixtures", "steady-model");
  const editor = await launchEditor({ workspace, extension });
  const taken: [number[], number[]] = [[], []];
  try {
    const gavel = new GavelDriver(editor);
    for (let round = 0; round < howOften(ROUNDS); round++) {
      for (const [at, file, name] of [
        [0, "editor.team.yaml", "Editor"],
        [1, "endpoint.team.yaml", "Endpoint"],
      ] as const) {
        // A turn of an older thread is another matter.
        await (round === 0 ? gavel.openTeam(file, name) : gavel.openNewThread(file, name));
        const started = performance.now();
        await gavel.run("go");
        await until("the run has finished", async () =>
          /^Finished/.test(await gavel.lastRow("runEnd")) ? true : undefined,
        );
        taken[at].push(performance.now() - started);
      }
    }
  } catch (error) {
    await editor.saveDiagnostics("bench-editor-models");
    throw error;
  } finally {
    await editor.dispose();
  }
  return taken;
}
