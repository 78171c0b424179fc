import { TeamInterrupt, TeamOpen, TeamReset, TeamRun } from "../../../shared/contract/requests.ts";
import { type BenchHost, startBenchHost } from "../bench-host.ts";
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
  const { client, stop, showTo } = await startHost();
  await client.send(TeamOpen, { teamId: "bench", definition: benchTeam(at) });
  return {
    async turn(onText, signal) {
      showTo(onText);
      const interrupt = (): void => void client.send(TeamInterrupt, { teamId: "bench" });
      signal.addEventListener("abort", interrupt);
      const result = await client.send(TeamRun, { teamId: "bench", task: QUESTION });
      signal.removeEventListener("abort", interrupt);
      return participantTexts(result).at(-1) ?? "";
    },
    dispose: stop,
  };
}

/** A round-robin team, reset before each conversation. */
export async function startConversation(at: ModelAt, names: readonly string[]): Promise<ConversationContender> {
  const host = await startHost();
  const opened = new Set<string>();
  return {
    async converse(turns, onText) {
      const teamId = `talk${turns}`;
      if (!opened.has(teamId)) {
        await host.client.send(TeamOpen, { teamId, definition: conversationTeam(at, names, turns) });
      }
      opened.add(teamId);
      return runFromEmptyThread(host, teamId, onText);
    },
    dispose: host.stop,
  };
}

/** A graph team, reset before each run. */
export async function startBranches(at: ModelAt, names: readonly string[]): Promise<BranchContender> {
  const host = await startHost();
  await host.client.send(TeamOpen, { teamId: "branches", definition: branchingTeam(at, names) });
  return {
    runBranches: (onText) => runFromEmptyThread(host, "branches", onText),
    dispose: host.stop,
  };
}

interface Host extends BenchHost {
  readonly showTo: (onText: OnText) => void;
}

async function runFromEmptyThread({ client, showTo }: Host, teamId: string, onText: OnText): Promise<string[]> {
  showTo(onText);
  await client.send(TeamReset, { teamId });
  return participantTexts(await client.send(TeamRun, { teamId, task: QUESTION }));
}

async function startHost(): Promise<Host> {
  const host = await startBenchHost();
  let show: OnText = () => {};
  host.client.onEvent((_, event) => {
    if (event.type === "message/chunk") show(event.delta);
  });
  return {
    ...host,
    showTo: (onText) => {
      show = onText;
    },
  };
}
