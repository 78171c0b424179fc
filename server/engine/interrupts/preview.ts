import type { InterruptPreview, MessagePreview, ToolInFlight } from "../../../shared/contract/inspection.ts";
import { countWords } from "../../../shared/contract/message-text.ts";
import type { PlacedParticipant } from "../../../shared/contract/stopped.ts";
import type { InterruptScope } from "../../../shared/contract/team.ts";
import type { OpenCall, TeamState } from "../../../shared/state/team-state.ts";
import { pathField } from "../paths.ts";
import type { SendOptions } from "../requests.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/** What an interrupt of that scope would stop if it came now. It is no promise: the team goes on meanwhile. */
export function previewInterrupt(tree: TeamTree, scope: InterruptScope | undefined): InterruptPreview {
  const { state } = tree.ledger;
  const all = workInProgress(tree);
  const { participants, tools, streaming } = scope === undefined ? all : workInScope(all, scope);
  const isRunning = scope === undefined ? state.run !== null : participants.length + tools.length > 0;
  return { isRunning, participants, tools, streaming, waits: [...state.queued] };
}

/** What a message to `to`, who is a participant of the team, would do if it were sent now. */
export function previewMessage(
  tree: TeamTree,
  to: string,
  { delivery = "now", visibility = "all" }: Pick<SendOptions, "delivery" | "visibility">,
): MessagePreview {
  const { state } = tree.ledger;
  const interrupts =
    state.run === null || delivery !== "now"
      ? []
      : workInProgress(tree).participants.map(({ participant, path }) => ({ participant, ...pathField(path) }));
  return {
    when: deliveryTime(state, to, delivery),
    interrupts: state.pendingTools.length > 0 ? [] : interrupts,
    seenBy: visibility === "target" ? [to] : state.participants.map(({ name }) => name),
    seenByManager: state.kind === "selector" || state.kind === "magentic",
  };
}

/** The calls of a team that are open, those that an interrupt left behind among them. */
export function toolsInFlight(team: TeamTree, path: readonly string[]): ToolInFlight[] {
  return team.ledger.state.calls.map(({ ref, name, participant, started, abandoned }) => {
    const executor = team.executors.get(participant);
    return {
      ref,
      name,
      participant,
      ...pathField(path),
      mayHaveHadEffects: started && executor?.isReadOnly(name) !== true,
      state: abandoned ? "abandoned" : started ? "running" : "requested",
      onInterrupt: executor?.interruptBehavior(name) ?? "abort",
    };
  });
}

type WorkInProgress = Pick<InterruptPreview, "participants" | "tools" | "streaming">;

/** Who speaks now, and what is in flight, in the team and those within it. */
function workInProgress(tree: TeamTree): WorkInProgress {
  const work: WorkInProgress = { participants: [], tools: [], streaming: [] };
  for (const { team, path } of teamsIn(tree)) {
    const { state } = team.ledger;
    work.tools.push(...toolsInFlight(team, path).filter(({ state }) => state !== "abandoned"));
    if (state.run === null) continue;
    for (const { name, activity } of state.participants) {
      if (activity === "idle" || activity === "awaitingTools") continue;
      work.participants.push({ participant: name, ...pathField(path), activity });
    }
    for (const { messageId, source, text } of state.streaming) {
      work.streaming.push({ messageId, source, ...pathField(path), words: countWords(text) });
    }
  }
  return work;
}

/** The part of it that a scope names. With a participant that is a team, all within it stops. */
function workInScope(work: WorkInProgress, scope: InterruptScope): WorkInProgress {
  if ("ref" in scope) return { ...work, participants: [], streaming: [], tools: work.tools.filter(isCall(scope.ref)) };
  const named = work.participants.find(({ participant }) => participant === scope.participant);
  if (named === undefined) return { participants: [], tools: [], streaming: [] };
  const way = pathTo(named);
  return {
    participants: work.participants.filter((placed) => isOnPath(way, pathTo(placed))),
    tools: work.tools.filter((placed) => startsWith(pathTo(placed), way)),
    streaming: work.streaming.filter(({ source, path }) => startsWith([...(path ?? []), source], way)),
  };
}

const isCall =
  (ref: string) =>
  (call: Pick<OpenCall, "ref">): boolean =>
    call.ref === ref;

const pathTo = ({ participant, path = [] }: PlacedParticipant): readonly string[] => [...path, participant];

/** True for those within a participant, and for those around it: the turn that a nested team takes ends with its run. */
const isOnPath = (way: readonly string[], other: readonly string[]): boolean =>
  startsWith(other, way) || startsWith(way, other);

const startsWith = (way: readonly string[], start: readonly string[]): boolean =>
  start.every((name, at) => way[at] === name);

function deliveryTime(
  { run, pendingTools, queued }: TeamState,
  to: string,
  delivery: NonNullable<SendOptions["delivery"]>,
): MessagePreview["when"] {
  if (pendingTools.length > 0) {
    const names = pendingTools.map(({ name }) => name).join(", ");
    return { code: "blocked", text: `Not yet: ${names} must be answered first.` };
  }
  if (run === null) return { code: "now", text: `At once; ${to} alone is asked to answer.` };
  switch (delivery) {
    case "now":
      return { code: "afterInterrupt", text: `At once: the run is stopped for it, with all kept, and ${to} answers.` };
    case "queue": {
      const before = queued.filter((message) => message.delivery === "queue").length;
      const after = before === 0 ? "" : `, after ${before} that ${before === 1 ? "waits" : "wait"} already`;
      return { code: "afterRun", text: `When this run has come to its end${after}; nobody is stopped.` };
    }
    case "steer":
      return { code: "atNextTurn", text: `At ${to}'s next turn; nobody is stopped.` };
  }
}
