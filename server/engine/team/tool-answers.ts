import { invalidParams, invalidResume, messageOf } from "../../../shared/contract/errors.ts";
import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import { waitingResultOf } from "../../../shared/reviewed-result.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { AskedCall, ExecutableCall } from "../calls/tool-executor.ts";
import { type RunContext, stopLimitOf } from "../cancellation/run-context.ts";
import type { Ledger } from "../log/ledger.ts";
import { callAddress } from "../participants/participant-container.ts";
import type { ToolAnswers } from "../requests.ts";
import type { TeamTree } from "../run/team-tree.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { alreadyDecided, decisionsOn } from "./decided-calls.ts";

/** A call that the user restarted. */
interface RestartedCall {
  readonly participant: string;
  readonly call: ExecutableCall;
}

/** The calls that are answered. */
export const refsOf = ({ respond = [], restart = [], deny = [] }: ToolAnswers): string[] =>
  [...respond, ...restart, ...deny].map(({ ref }) => ref);

/** The normal form of an edited input of a pending call. @throws Error that says what is wrong with it. */
export type PrepareInput = (call: PendingTool, input: unknown) => unknown;

/**
 * The answers of `by` with edited inputs in their normal form. @throws GavelError `InvalidParams` without answers, or for an
 * edited input that its tool rejects, `InvalidResume` if an answer matches no pending call: it says who has decided on it,
 * if somebody has. Nothing has changed then.
 */
export function preparedAnswers(
  answers: ToolAnswers,
  state: TeamState,
  by: string,
  prepare: PrepareInput,
): ToolAnswers {
  const pending = state.pendingTools;
  const refs = refsOf(answers);
  if (refs.length === 0) {
    throw invalidParams("team/resolveTools", [
      { path: "", message: "give at least one answer in respond, restart or deny" },
    ]);
  }
  const known = pending.map(({ ref }) => ref);
  const unknown = refs.filter((ref) => !known.includes(ref));
  if (unknown.length > 0) {
    const decided = decisionsOn(state, unknown);
    if (decided.length > 0) throw alreadyDecided(decided, by, state, { refs: unknown, pending: known });
    throw invalidResume(
      `No call ${unknown.join(", ")} is pending; ${known.length === 0 ? "none is" : `pending: ${known.join(", ")}`}.`,
      { refs: unknown, pending: known },
    );
  }
  const twice = refs.filter((ref, at) => refs.indexOf(ref) !== at);
  if (twice.length > 0) {
    throw invalidResume(`The call ${twice.join(", ")} is answered twice. Answer each call once.`, { refs: twice });
  }
  const rerun = answers.restart?.find(({ ref }) => pending.find((call) => call.ref === ref)?.review);
  if (rerun !== undefined) {
    throw invalidResume(
      `The call ${rerun.ref} has run, and its result waits for review: respond with the result, or deny it.`,
      { refs: [rerun.ref] },
    );
  }
  const problems: { path: string; message: string }[] = [];
  const restart = answers.restart?.map((answer, at) => {
    const call = pending.find((other) => other.ref === answer.ref);
    if (call === undefined || answer.input === undefined) return answer;
    try {
      return { ...answer, input: prepare(call, answer.input) };
    } catch (error) {
      problems.push({ path: `restart[${at}].input`, message: messageOf(error) });
      return answer;
    }
  });
  if (problems.length > 0) throw invalidParams("team/resolveTools", problems);
  return restart === undefined ? answers : { ...answers, restart };
}

/** The answers to calls of the nested team of `participant`; undefined if there are none. */
function answersFor(
  answers: ToolAnswers,
  pending: readonly PendingTool[],
  participant: string | undefined,
): ToolAnswers | undefined {
  const refs = new Set(pending.flatMap(({ ref, path }) => (path?.[0] === participant ? [ref] : [])));
  const isOwn = ({ ref }: { readonly ref: string }): boolean => refs.has(ref);
  const { respond = [], restart = [], deny = [] } = answers;
  const own = { respond: respond.filter(isOwn), restart: restart.filter(isOwn), deny: deny.filter(isOwn) };
  return Object.values(own).every((list) => list.length === 0) ? undefined : own;
}

/** Records the checked answers, with the results of those that need no tool; returns the calls to run. */
function recordAnswers(ledger: Ledger, answers: ToolAnswers, by: string): RestartedCall[] {
  const pending = new Map(ledger.state.pendingTools.map((call) => [call.ref, call]));
  for (const { ref, output } of answers.respond ?? []) {
    ledger.record({ type: "tool/resolved", ref, how: "respond", by });
    const call = pending.get(ref);
    const result = call && waitingResultOf(call);
    if (result === undefined) recordResult(ledger, call, { output: output ?? null, isError: false });
    else {
      const isSame = jsonEquals(output ?? null, result.output);
      const reviewed = isSame ? ("sent" as const) : ("edited" as const);
      recordResult(ledger, call, { output: output ?? null, isError: result.isError, reviewed });
    }
  }
  for (const { ref, reason } of answers.deny ?? []) {
    ledger.record({ type: "tool/resolved", ref, how: "deny", by, ...(reason === undefined ? {} : { reason }) });
    const call = pending.get(ref);
    if (call?.review) recordResult(ledger, call, { output: withholding(reason), isError: true, reviewed: "withheld" });
    else recordResult(ledger, call, { output: denial(reason), isError: true });
  }
  return (answers.restart ?? []).flatMap(({ ref, input, metadata }) => {
    const call = pending.get(ref);
    if (call === undefined) return [];
    const edited = input === undefined ? {} : { input };
    const given = metadata === undefined ? {} : { metadata };
    ledger.record({ type: "tool/resolved", ref, how: "restart", by, ...edited, ...given });
    const resumed = { metadata: metadata ?? {}, ...askedOf(call, input !== undefined) };
    return [{ participant: call.participant, call: { ref, name: call.name, input: input ?? call.input, resumed } }];
  });
}

function askedOf({ places, input }: PendingTool, isEdited: boolean): { readonly asked?: AskedCall } {
  return places === undefined ? {} : { asked: { places, ...(isEdited ? { input } : {}) } };
}

/** Runs a call; resolves when it has ended, is pending again, or was interrupted. */
async function runRestart(
  runtime: Runtime,
  teamId: string,
  { participant, call }: RestartedCall,
  context: RunContext,
  graceMs: number,
): Promise<void> {
  const { signal, softSignal: soft } = context;
  try {
    await runtime.send(callAddress(teamId, participant), call, {
      signal,
      soft,
      graceMs: () => Math.min(graceMs, stopLimitOf(context)),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type GivenResult = Pick<Extract<DurableDraft, { type: "tool/executed" }>, "output" | "isError" | "reviewed">;

function recordResult(ledger: Ledger, call: PendingTool | undefined, result: GivenResult): void {
  // An interrupt that came with the event of the decision has given the call its result.
  if (call === undefined || ledger.state.pendingTools.every(({ ref }) => ref !== call.ref)) return;
  const { ref, name, participant } = call;
  ledger.record({ type: "tool/executed", ref, name, participant, ...result });
}

const denial = (reason: string | undefined): string =>
  reason === undefined || reason === "" ? "The user denied this call." : `The user denied this call: ${reason}`;

function withholding(reason: string | undefined): string {
  const sentence = "This call has run, but the user has reviewed its result and withholds it";
  return reason === undefined || reason === "" ? `${sentence}.` : `${sentence}: ${reason}`;
}

/**
 * Records the decisions for a team and its nested teams; returns a function that runs the restarted calls, if there are any.
 */
export function resolveToolCalls(
  { teamId, ledger, runtime, graceMs, inner }: TeamTree,
  answers: ToolAnswers,
  by: string,
): ((context: RunContext) => Promise<unknown>) | undefined {
  const { pendingTools } = ledger.state;
  const within = [...inner].flatMap(([name, team]) => {
    const own = answersFor(answers, pendingTools, name);
    return own === undefined ? [] : (resolveToolCalls(team, own, by) ?? []);
  });
  const own = answersFor(answers, pendingTools, undefined);
  const restarts = own === undefined ? [] : recordAnswers(ledger, own, by);
  if (restarts.length === 0 && within.length === 0) return undefined;
  return (context) =>
    Promise.all([
      ...restarts.map((restart) => runRestart(runtime, teamId, restart, context, graceMs)),
      ...within.map((run) => run(context)),
    ]);
}
