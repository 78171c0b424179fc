import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../../scripts/root.ts";
import { HostClient, type HostOptions } from "../../host-client.ts";
import { isHostBuilt } from "../contenders/lineup.ts";
import { median, ms } from "../statistics.ts";
import type { Bench } from "./row.ts";

const ROUNDS = 15;

/** The title of the table of what a user waits for and downloads before the first run. */
export const START_AND_SIZE = "Start and size";

/** From the host's start to its answer to `initialize`, beside an empty language server. */
export const ready: Bench = {
  name: "ready",
  title: START_AND_SIZE,
  async run(howOften) {
    if (!isHostBuilt())
      return [{ figure: "host ready", aim: "300 ms", measured: "not measured: run npm run build first" }];
    const floorScript = await buildFloor();
    const storagePath = await mkdtemp(join(tmpdir(), "gavel-bench-"));
    const host: number[] = [];
    const floor: number[] = [];
    for (let round = 0; round < howOften(ROUNDS); round++) {
      host.push(await timeStart({ storagePath }));
      floor.push(await timeStart({ script: floorScript }));
    }
    await rm(storagePath, { recursive: true, force: true });
    const measured = `${ms(median(host))}; ${ms(median(floor))} for a bare vscode-languageserver`;
    return [{ figure: "host ready", aim: "300 ms", measured }];
  },
};

async function timeStart(options: HostOptions): Promise<number> {
  const started = performance.now();
  const server = await HostClient.start(options);
  const taken = performance.now() - started;
  await server.shutdown();
  return taken;
}

/** An empty language server, bundled in the same way as the host. */
async function buildFloor(): Promise<string> {
  const outfile = join(root, ".cache", "bench", "bare-language-server.cjs");
  await mkdir(join(root, ".cache", "bench"), { recursive: true });
  const entry = join(root, "test", "bench", "bare-language-server.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, minify: true, platform: "node", target: "node22" });
  return outfile;
}
