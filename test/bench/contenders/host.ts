import { HostClient } from "../host-client.ts";
import { benchTeam, branchingTeam, conversationTeam, participantTexts } from "./bench-team.ts";
import {
  type BranchContender,
  type Contender,
  type ConversationContender,
  type ModelAt,
  type OnText,
  QUESTION,
} from "./contender.ts";

/** Gavel as a client uses it: the built host in its own process, its store on disk, every event over the wire. */
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
      return participantTexts(result).at(-1) ?? "";
    },
    dispose: () => client.stop(),
  };
}

/** A round-robin team, reset before each conversation. */
export async function startConversation(at: ModelAt, names: readonly string[]): Promise<ConversationContender> {
  const host = await hostOf();
  const opened = new Set<string>();
  return {
    async converse(turns, onText) {
      const teamId = `talk${turns}`;
      if (!opened.has(teamId)) await host.client.open(teamId, conversationTeam(at, names, turns));
      opened.add(teamId);
      return runFromEmptyThread(host, teamId, onText);
    },
    dispose: () => host.client.stop(),
  };
}

/** A graph team, reset before each run. */
export async function startBranches(at: ModelAt, names: readonly string[]): Promise<BranchContender> {
  const host = await hostOf();
  await host.client.open("branches", branchingTeam(at, names));
  return {
    runBranches: (onText) => runFromEmptyThread(host, "branches", onText),
    dispose: () => host.client.stop(),
  };
}

interface Host {
  readonly client: HostClient;
  readonly showTo: (onText: OnText) => void;
}

async function runFromEmptyThread({ client, showTo }: Host, teamId: string, onText: OnText): Promise<string[]> {
  showTo(onText);
  await client.reset(teamId);
  return participantTexts(await client.run(teamId, QUESTION));
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
