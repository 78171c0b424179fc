import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RandomInt } from "../../server/engine/testing/random.ts";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import { isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { TeamInspect, TeamOpen, TeamResolveTools, TeamRun } from "../../shared/contract/requests.ts";
import { until } from "../editor/harness/until.ts";
import { HostClient } from "../host-client.ts";
import type { Nats } from "../servers/nats.ts";
import { TcpProxy } from "../servers/tcp-proxy.ts";
import { WorkerProcess } from "./worker-process.ts";

/** What ann says: numbered words, so that a gap shows. */
const TEXT = Array.from({ length: 120 }, (_, nth) => `w${nth}`).join(" ");
const COUNT = "count.txt";
const APPEND = { tool: "gpu/runCommand", input: { command: `echo ran >> ${COUNT}; sleep 0.2` } };

/** What happens to the link, or to those on it. */
const FAULTS = [
  "cutHost",
  "silenceHost",
  "cutWorker",
  "silenceWorker",
  "crashNats",
  "stopWorker",
  "killWorker",
] as const;
type Fault = (typeof FAULTS)[number];

/** How long a fault lasts, in milliseconds: less, and more, than a silence that counts as a loss. */
const SHORT = [50, 600] as const;
const LONG = [2_500, 3_500] as const;

const team: TeamDefinition = {
  name: "Faults",
  kind: "roundRobin",
  participants: [{ name: "ann", on: { worker: "gpu" } }],
  maxTurns: 1,
};

const workerFile = {
  participants: [{ name: "ann", tools: ["runCommand"] }],
  models: { own: { provider: "practice", pace: 100, lines: { ann: [{ calls: [APPEND] }, TEXT] } } },
  commands: { sandbox: false },
};

export interface DrawResult {
  readonly faults: readonly Fault[];
  /** Whether the turn was lost. */
  readonly isLost: boolean;
}

/**
 * One run of a team with a participant on a worker, whose tool runs once the user has allowed it, while the link fails as
 * drawn. Afterwards nothing told is lost, doubled or out of order, the tool has not run twice, and the team goes on.
 * @throws AssertionError that says what did not hold.
 */
export async function drawLinkFaults(nats: Nats, random: RandomInt): Promise<DrawResult> {
  // Without long faults nothing may be lost: no process is silent for two minutes.
  const mayLose = random(2) === 0;
  const silence = mayLose ? 2 : 120;
  await using scene = await Scene.begin(nats, silence);
  const faults: Fault[] = [];
  const { host } = scene;
  await host.send(TeamOpen, { teamId: "t", definition: team });
  await host.send(TeamRun, { teamId: "t", task: "Go." });
  const pending = (await host.send(TeamInspect, { teamId: "t" })).pendingTools[0];
  assert.ok(pending !== undefined, "the call waits for the user");
  let isOver = false;
  const resolved = host
    .send(TeamResolveTools, { teamId: "t", restart: [{ ref: pending.ref }] })
    .finally(() => (isOver = true));
  resolved.catch(() => {});
  for (let nth = random(3); nth >= 0 && !isOver; nth--) {
    await pause(random(800));
    const possible = mayLose ? FAULTS : FAULTS.filter((fault) => fault !== "killWorker");
    const fault = possible[random(possible.length)] ?? "cutHost";
    const [least, most] = mayLose && random(10) < 6 ? LONG : SHORT;
    faults.push(fault);
    await scene.fail(fault, least + random(most - least));
  }
  await resolved;
  const isLost = await scene.check(mayLose);
  await scene.goesOn();
  return { faults, isLost };
}

/** A host and a worker, each with a way of its own to NATS. */
class Scene implements AsyncDisposable {
  readonly host: HostClient;
  readonly #nats: Nats;
  readonly #ways: { readonly host: TcpProxy; readonly worker: TcpProxy };
  readonly #workerLink: string;
  #worker: WorkerProcess;
  /** Those that were killed: what their tools have done counts too. */
  readonly #killed: WorkerProcess[] = [];
  readonly #parts: AsyncDisposableStack;

  private constructor(
    nats: Nats,
    host: HostClient,
    worker: WorkerProcess,
    ways: { readonly host: TcpProxy; readonly worker: TcpProxy },
    workerLink: string,
    parts: AsyncDisposableStack,
  ) {
    this.#nats = nats;
    this.host = host;
    this.#worker = worker;
    this.#ways = ways;
    this.#workerLink = workerLink;
    this.#parts = parts;
  }

  static async begin(nats: Nats, silence: number): Promise<Scene> {
    await using parts = new AsyncDisposableStack();
    const ways = {
      host: parts.use(await TcpProxy.to(nats.port)),
      worker: parts.use(await TcpProxy.to(nats.port)),
    };
    // A space of its own: several draws share the server.
    const at = (port: number): string => `${nats.url({ silence, port })}&space=draw${ways.host.port}`;
    const workerLink = at(ways.worker.port);
    const worker = await WorkerProcess.start({ link: workerLink, file: workerFile });
    const host = parts.use(await HostClient.start({ link: at(ways.host.port) }));
    return new Scene(nats, host, worker, ways, workerLink, parts.move());
  }

  async fail(fault: Fault, ms: number): Promise<void> {
    const way = fault.endsWith("Host") ? this.#ways.host : this.#ways.worker;
    switch (fault) {
      case "cutHost":
      case "cutWorker":
        way.cut();
        await pause(ms);
        way.heal();
        return;
      case "silenceHost":
      case "silenceWorker":
        way.silence();
        await pause(ms);
        way.heal();
        return;
      case "crashNats":
        await this.#nats.crash();
        await pause(ms);
        await this.#nats.restart();
        return;
      case "stopWorker":
        this.#worker.process.kill("SIGSTOP");
        await pause(ms);
        this.#worker.process.kill("SIGCONT");
        return;
      case "killWorker":
        await this.#worker.kill();
        this.#killed.push(this.#worker);
        await pause(ms);
        this.#worker = await WorkerProcess.start({ link: this.#workerLink, file: workerFile });
    }
  }

  /** @returns whether the turn, or a call in it, was lost. */
  async check(mayLose: boolean): Promise<boolean> {
    const events = this.host.eventsOf("t");
    const durable = events.filter(isDurable);
    assert.deepEqual(
      durable.map(({ seq }) => seq),
      durable.map((_, nth) => nth + 1),
      "events are told in order, each once",
    );
    const count = (type: TeamEvent["type"]): number => durable.filter((event) => event.type === type).length;
    assert.equal(count("run/ended"), count("run/started"), "each run ends once");
    const ran = [this.#worker, ...this.#killed].flatMap(({ folder }) => linesIn(join(folder, COUNT)));
    assert.ok(ran.length <= 1, `the tool ran ${ran.length} times`);
    const said = durable.flatMap((event) =>
      event.type === "message/added" && event.message.source === "ann" ? [event.message] : [],
    );
    const chunks = events.flatMap((event) => (event.type === "message/chunk" ? [event.delta] : [])).join("");
    for (const message of said) assert.equal(textOf(message), chunks, "what was said is what was streamed");
    assert.ok(TEXT.startsWith(chunks), `a gap in: ${chunks}`);
    const isComplete = said.some(({ partial }) => partial !== true);
    if (isComplete) assert.equal(chunks, TEXT);
    // Before a turn or a call the worker is looked for, which fails where a connection is not made again in time.
    const isNotThere = durable.some(
      (event) => event.type === "run/ended" && NOT_THERE.test(event.status.message ?? ""),
    );
    assert.ok(isComplete || mayLose || isNotThere, "nothing is lost while no one is silent for long");
    return !isComplete;
  }

  /** What waits for the user is answered, and the team runs again, to its end. */
  async goesOn(): Promise<void> {
    const { pendingTools } = await this.host.send(TeamInspect, { teamId: "t" });
    for (const { ref } of pendingTools)
      await this.host.send(TeamResolveTools, { teamId: "t", respond: [{ ref, output: "It ran." }] });
    // A connection is made again some time after its fault is over; until then a user tries again.
    await until("the team runs again", async () => {
      const { status } = await this.host.send(TeamRun, { teamId: "t", task: "Again." });
      if (status.code !== "error") return true;
      assert.match(status.message ?? "", NOT_THERE);
      return undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of [this.#worker, ...this.#killed]) await worker[Symbol.asyncDispose]();
    await this.#parts.disposeAsync();
  }
}

/** What a run ends with that finds no worker. */
const NOT_THERE = /^There is no worker "gpu" on the link /;

const linesIn = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
