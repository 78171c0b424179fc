import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { root } from "../../../scripts/root.ts";
import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { TeamInspect, TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import type { AgentStep } from "../../fixtures/acp-agent/agent.ts";
import { HostClient, type HostOptions, LONG_GRACES } from "../../host-client.ts";
import { Scratch } from "../harness/scratch.ts";

const AGENT = join(root, "test", "fixtures", "acp-agent", "agent.ts");

/** A task that tells the agent what to do. */
export const steps = (...list: readonly AgentStep[]): string => `Do it. <<${JSON.stringify(list)}>>`;

/** A host with a workspace, and a team "t" of agent programs. */
export class AgentHost implements AsyncDisposable {
  readonly #scratch = new Scratch();
  readonly workspace = join(this.#scratch.path, "workspace");
  readonly #options: HostOptions;
  host!: HostClient;
  /** What the user was asked about programs. */
  readonly asked: unknown[] = [];
  allows = true;

  private constructor(options: HostOptions) {
    this.#options = options;
    mkdirSync(this.workspace, { recursive: true });
    mkdirSync(this.path("sessions"));
  }

  /** A host that waits long for the agent's answer to an interrupt. */
  static async start(options: HostOptions = {}): Promise<AgentHost> {
    const agents = new AgentHost(options);
    await agents.startHost();
    return agents;
  }

  async startHost(): Promise<void> {
    this.host = await HostClient.start({
      storagePath: this.path("store"),
      folders: [pathToFileURL(this.workspace).href],
      onProgram: (question) => {
        this.asked.push(question);
        return this.allows;
      },
      ...LONG_GRACES,
      ...this.#options,
    });
  }

  path(...parts: readonly string[]): string {
    return join(this.#scratch.path, ...parts);
  }

  file(name: string, content?: string): string {
    const path = join(this.workspace, name);
    if (content !== undefined) writeFileSync(path, content);
    return path;
  }

  participant(name: string, features: string, more: Partial<ParticipantDefinition> = {}): ParticipantDefinition {
    return {
      name,
      kind: "acp",
      command: process.execPath,
      args: ["--no-warnings", AGENT],
      env: { AGENT_LOG: this.path(`${name}.log`), AGENT_SESSIONS: this.path("sessions"), AGENT_FEATURES: features },
      ...more,
    };
  }

  async open(features = "", more: Partial<TeamDefinition> = {}): Promise<void> {
    const definition: TeamDefinition = {
      name: "Agents",
      kind: "roundRobin",
      participants: [this.participant("ann", features)],
      maxTurns: 1,
      ...more,
    };
    await this.host.send(TeamOpen, { teamId: "t", definition });
  }

  run(...list: readonly AgentStep[]) {
    return this.host.send(TeamRun, { teamId: "t", task: steps(...list) });
  }

  /** What the agent has noted so far under a key. */
  log(key: string, name = "ann"): unknown[] {
    if (!existsSync(this.path(`${name}.log`))) return [];
    // The last line may be in the middle of being written.
    const lines = readFileSync(this.path(`${name}.log`), "utf8")
      .split("\n")
      .slice(0, -1);
    return lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .flatMap((entry) => (key in entry ? [entry[key]] : []));
  }

  prompts(name = "ann"): string[] {
    return this.log("prompt", name).map((blocks) =>
      (blocks as { text?: string; type: string }[]).map(({ text, type }) => text ?? `[${type}]`).join("\n"),
    );
  }

  async pending() {
    return (await this.host.send(TeamInspect, { teamId: "t" })).pendingTools;
  }

  async thread() {
    return (await this.host.send(TeamInspect, { teamId: "t" })).thread;
  }

  events(type: string) {
    return this.host.eventsOf("t").filter((event) => event.type === type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    this.#scratch[Symbol.dispose]();
  }
}

/** Resolves once no process has that id. */
export async function hasEnded(pid: number | undefined): Promise<void> {
  assert.ok(pid !== undefined, "the agent has noted its process");
  while (isAlive(pid)) await pause(10);
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};
