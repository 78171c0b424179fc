import type { InterruptPreview, MessagePreview, ToolInFlight } from "../../../shared/contract/inspection.ts";
import { countWords } from "../../../shared/contract/message-text.ts";
import type { PlacedParticipant } from "../../../shared/contract/stopped.ts";
import type { InterruptScope, OpenCall } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { countOf } from "../count-of.ts";
import { addresseeOf, stateAt } from "../log/addressee.ts";
import { isOnPath, pathField, samePath, startsWith } from "../paths.ts";
import type { SendOptions } from "../requests.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/**
 * What an interrupt of that scope would stop now. The team continues meanwhile, so a later interrupt may stop something
 * else.
 */
export function previewInterrupt(tree: TeamTree, scope: InterruptScope | undefined): InterruptPreview {
  const { state } = tree.ledger;
  const all = workInProgress(tree);
  const { participants, tools, streaming } = scope === undefined ? all : workInScope(all, scope);
  const isRunning = scope === undefined ? state.run !== null : participants.length + tools.length > 0;
  return { isRunning, participants, tools, streaming, waits: [...state.queued] };
}

/** What a directed message to the participant `to` would do if it were sent now. */
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
  // A message to a participant of a nested team is in that team's thread.
  const team = stateAt(state, addresseeOf(state, to).path) ?? state;
  return {
    when: deliveryTime(state, to, delivery),
    interrupts: state.pendingTools.length > 0 ? [] : interrupts,
    seenBy: visibility === "target" ? [to] : team.participants.map(({ name }) => name),
    seenByManager: team.kind === "selector" || team.kind === "magentic",
  };
}

/** The open calls of a team, including abandoned ones. */
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

/** Who is speaking and which calls are open, in the team and its nested teams. */
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

/** The part of the work that a scope covers. The scope of a participant that is a team covers its whole team. */
function workInScope(work: WorkInProgress, scope: InterruptScope): WorkInProgress {
  if ("ref" in scope) return { ...work, participants: [], streaming: [], tools: work.tools.filter(isCall(scope.ref)) };
  const named = work.participants.find(
    ({ participant, path = [] }) =>
      participant === scope.participant && (scope.path === undefined || samePath(path, scope.path)),
  );
  if (named === undefined) return { participants: [], tools: [], streaming: [] };
  const scopePath = pathTo(named);
  return {
    participants: work.participants.filter((placed) => isOnPath(scopePath, pathTo(placed))),
    tools: work.tools.filter((placed) => startsWith(pathTo(placed), scopePath)),
    streaming: work.streaming.filter(({ source, path }) => startsWith([...(path ?? []), source], scopePath)),
  };
}

const isCall =
  (ref: string) =>
  (call: Pick<OpenCall, "ref">): boolean =>
    call.ref === ref;

const pathTo = ({ participant, path = [] }: PlacedParticipant): readonly string[] => [...path, participant];

function deliveryTime(
  { run, pendingTools, queued }: TeamState,
  to: string,
  delivery: NonNullable<SendOptions["delivery"]>,
): MessagePreview["when"] {
  if (pendingTools.length > 0) {
    const names = pendingTools.map(({ name }) => name).join(", ");
    return { code: "blocked", text: `Not yet: answer ${names} first.` };
  }
  if (run === null) return { code: "now", text: `Immediately; only ${to} answers.` };
  switch (delivery) {
    case "now":
      return {
        code: "afterInterrupt",
        text: `Immediately: the run is interrupted, everything is kept, and ${to} answers.`,
      };
    case "queue": {
      const before = queued.filter((message) => message.delivery === "queue").length;
      const after = before === 0 ? "" : `, after ${countOf(before, "waiting message")}`;
      return { code: "afterRun", text: `When this run has ended${after}; no one is interrupted.` };
    }
    case "steer":
      return { code: "atNextTurn", text: `At ${to}'s next turn; no one is interrupted.` };
  }
}
