import type { InterruptPreview, MessagePreview, ToolInFlight } from "../../../shared/contract/inspection.ts";
import { countWords } from "../../../shared/contract/message-text.ts";
import type { PlacedParticipant, WaitingTool } from "../../../shared/contract/stopped.ts";
import type { InterruptScope, OpenCall } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { countOf } from "../count-of.ts";
import { addresseeOf, stateAt } from "../log/addressee.ts";
import { callsOf, waitingCalls, waitingTool } from "../log/waiting-calls.ts";
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
  const waitingTools = waitingCalls(state, scope).map(waitingTool);
  const waiting = waitingTools.length === 0 ? {} : { waitingTools };
  return { isRunning, participants, tools, streaming, ...waiting, waits: [...state.queued] };
}

/**
 * What a message to the participant `to`, or without it to the whole team, would do if it were sent now.
 * @throws GavelError `UnknownParticipant`.
 */
export function previewMessage(
  tree: TeamTree,
  to: string | undefined,
  options: Pick<SendOptions, "delivery" | "visibility">,
): MessagePreview {
  const { state } = tree.ledger;
  const { delivery = "now", visibility = "all" } = options;
  const isRefused = options.delivery === undefined && state.pendingTools.length > 0;
  const addressee = to === undefined ? undefined : addresseeOf(state, to);
  const inTheWay = addressee === undefined ? state.pendingTools : callsOf(state, addressee);
  const cancels = delivery === "now" && !isRefused ? inTheWay.map(waitingTool) : [];
  // A message to a participant of a nested team is in that team's thread.
  const team = stateAt(state, addressee?.path ?? []) ?? state;
  return {
    when: isRefused ? refusal(state) : deliveryTime(state, to, delivery, cancels),
    ...(cancels.length === 0 ? {} : { cancels }),
    interrupts: state.run === null || delivery !== "now" || isRefused ? [] : speakersIn(tree),
    seenBy: to !== undefined && visibility === "target" ? [to] : team.participants.map(({ name }) => name),
    seenByManager: team.kind === "selector" || team.kind === "magentic",
  };
}

const speakersIn = (tree: TeamTree): PlacedParticipant[] =>
  workInProgress(tree).participants.map(({ participant, path }) => ({ participant, ...pathField(path) }));

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

function refusal({ pendingTools }: TeamState): MessagePreview["when"] {
  return { code: "blocked", text: `Not yet: answer ${pendingTools.map(({ name }) => name).join(", ")} first.` };
}

function deliveryTime(
  state: TeamState,
  to: string | undefined,
  delivery: NonNullable<SendOptions["delivery"]>,
  cancels: readonly WaitingTool[],
): MessagePreview["when"] {
  const { run, pendingTools, queued } = state;
  const waits = pendingTools.length > 0;
  if (delivery === "now") return immediately(state, to, cancels);
  if (run === null && !waits) return atRest(to);
  if (delivery === "steer") {
    const turn = to === undefined ? "the next turn" : `${to}'s next turn`;
    return { code: "atNextTurn", text: `At ${turn}; no one is interrupted.` };
  }
  const before = queued.filter((message) => message.delivery === "queue").length;
  const after = before === 0 ? "" : `, after ${countOf(before, "waiting message")}`;
  const when = waits ? "When the waiting calls are decided and the run has ended" : "When this run has ended";
  return { code: "afterRun", text: `${when}${after}; no one is interrupted.` };
}

function immediately(
  { run, pendingTools }: TeamState,
  to: string | undefined,
  cancels: readonly WaitingTool[],
): MessagePreview["when"] {
  const then = to === undefined ? "the team goes on" : `${to} answers`;
  const interrupted = run === null ? "" : " the run is interrupted, everything is kept,";
  if (cancels.length > 0) {
    const calls = cancels.map(({ name }) => name).join(", ");
    const text = `Immediately:${interrupted} the waiting call of ${calls} is cancelled, and ${then}.`;
    return { code: "afterCancelling", text };
  }
  if (run !== null) return { code: "afterInterrupt", text: `Immediately:${interrupted} and ${then}.` };
  const { code, text } = atRest(to);
  return { code, text: pendingTools.length > 0 ? `${text} The calls that wait for you stay.` : text };
}

const atRest = (to: string | undefined): MessagePreview["when"] => ({
  code: "now",
  text: to === undefined ? "Immediately; the team starts." : `Immediately; only ${to} answers.`,
});
