import { HostClient } from "../host-client.ts";
import { benchTeam, branchingTeam, saidIn, talkingTeam } from "./bench-team.ts";
import { type Branches, type Contender, type ModelAt, type OnText, QUESTION, type Talkers } from "./contender.ts";

/** Gavel as a client has it: the built host in its own process, its store on disk, every event over the wire. */
export async function start(at: ModelAt): Promise<Contender> {
  const { client, showTo } = await hostOf();
  await client.open("bench", benchTeam(at));
  return {
    async turn(onText, signal) {
      showTo(onText);
      const interrupt = (): void => void client.interrupt("bench");
      signal.addEventListener("abort", interrupt);
      const result = await client.run("bench", QUESTION);
      signal.removeEventListener("abort", interrupt);
      return saidIn(result).at(-1) ?? "";
    },
    dispose: () => client.stop(),
  };
}

/** A round-robin team, emptied before each talk. */
export async function startTalkers(at: ModelAt, names: readonly string[]): Promise<Talkers> {
  const host = await hostOf();
  const opened = new Set<string>();
  return {
    async talk(turns, onText) {
      const teamId = `talk${turns}`;
      if (!opened.has(teamId)) await host.client.open(teamId, talkingTeam(at, names, turns));
      opened.add(teamId);
      return runAnew(host, teamId, onText);
    },
    dispose: () => host.client.stop(),
  };
}

/** A graph team, emptied before each flow. */
export async function startBranches(at: ModelAt, names: readonly string[]): Promise<Branches> {
  const host = await hostOf();
  await host.client.open("branches", branchingTeam(at, names));
  return {
    flow: (onText) => runAnew(host, "branches", onText),
    dispose: () => host.client.stop(),
  };
}

interface Host {
  readonly client: HostClient;
  readonly showTo: (onText: OnText) => void;
}

async function runAnew({ client, showTo }: Host, teamId: string, onText: OnText): Promise<string[]> {
  showTo(onText);
  await client.reset(teamId);
  return saidIn(await client.run(teamId, QUESTION));
}

async function hostOf(): Promise<Host> {
  const client = await HostClient.start();
  let show: OnText = () => {};
  client.onEvent((_, event) => {
    if (event.type === "message/chunk") show(event.delta);
  });
  return {
    client,
    showTo: (onText) => {
      show = onText;
    },
  };
}
