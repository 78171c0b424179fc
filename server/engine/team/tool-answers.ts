import { invalidParams, invalidResume } from "../../../shared/contract/errors.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import type { ExecutableCall } from "../calls/tool-executor.ts";
import type { Ledger } from "../log/ledger.ts";
import { callAddress } from "../participants/participant-container.ts";
import type { ToolAnswers } from "../requests.ts";
import type { TeamTree } from "../run/team-tree.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** A call that the user told to run. */
interface RestartedCall {
  readonly participant: string;
  readonly call: ExecutableCall;
}

/** What is wrong with an input in the place of a pending call's own, if anything. */
export type InputProblem = (call: PendingTool, input: unknown) => string | undefined;

/**
 * @throws GavelError `InvalidParams` for no answers, or for an edited input that its tool refuses, `InvalidResume` when one
 * matches no pending call; nothing is changed then.
 */
export function assertAnswersFit(
  answers: ToolAnswers,
  pending: readonly PendingTool[],
  inputProblem: InputProblem,
): void {
  const refs = [...(answers.respond ?? []), ...(answers.restart ?? []), ...(answers.deny ?? [])].map(({ ref }) => ref);
  if (refs.length === 0) {
    throw invalidParams("team/resolveTools", [
      { path: "", message: "give at least one answer in respond, restart or deny" },
    ]);
  }
  const known = pending.map(({ ref }) => ref);
  const unknown = refs.filter((ref) => !known.includes(ref));
  if (unknown.length > 0) {
    throw invalidResume(
      `No call ${unknown.join(", ")} is pending; ${known.length === 0 ? "none is" : `pending: ${known.join(", ")}`}.`,
      { refs: unknown, pending: known },
    );
  }
  const twice = refs.filter((ref, at) => refs.indexOf(ref) !== at);
  if (twice.length > 0) {
    throw invalidResume(`The call ${twice.join(", ")} is answered twice; answer each call once.`, { refs: twice });
  }
  const problems = (answers.restart ?? []).flatMap(({ ref, input }, at) => {
    const call = pending.find((other) => other.ref === ref);
    const message = call === undefined || input === undefined ? undefined : inputProblem(call, input);
    return message === undefined ? [] : [{ path: `restart[${at}].input`, message }];
  });
  if (problems.length > 0) throw invalidParams("team/resolveTools", problems);
}

/** The answers to calls of the team within `participant`, as that team sees them; nothing when there are none. */
function answersWithin(
  answers: ToolAnswers,
  pending: readonly PendingTool[],
  participant: string | undefined,
): ToolAnswers | undefined {
  const refs = new Set(pending.flatMap(({ ref, path }) => (path?.[0] === participant ? [ref] : [])));
  const isTheirs = ({ ref }: { readonly ref: string }): boolean => refs.has(ref);
  const { respond = [], restart = [], deny = [] } = answers;
  const theirs = { respond: respond.filter(isTheirs), restart: restart.filter(isTheirs), deny: deny.filter(isTheirs) };
  return Object.values(theirs).every((list) => list.length === 0) ? undefined : theirs;
}

/** Records the answers, checked before, with the results of those that need no tool; returns the calls to run. */
function recordAnswers(ledger: Ledger, answers: ToolAnswers, by: string): RestartedCall[] {
  const pending = new Map(ledger.state.pendingTools.map((call) => [call.ref, call]));
  for (const { ref, output } of answers.respond ?? []) {
    ledger.record({ type: "tool/resolved", ref, how: "respond", by });
    giveResult(ledger, pending.get(ref), output ?? null, false);
  }
  for (const { ref, reason } of answers.deny ?? []) {
    ledger.record({ type: "tool/resolved", ref, how: "deny", by, ...(reason === undefined ? {} : { reason }) });
    giveResult(ledger, pending.get(ref), denial(reason), true);
  }
  return (answers.restart ?? []).flatMap(({ ref, input, metadata }) => {
    const call = pending.get(ref);
    if (call === undefined) return [];
    const edited = input === undefined ? {} : { input };
    const given = metadata === undefined ? {} : { metadata };
    ledger.record({ type: "tool/resolved", ref, how: "restart", by, ...edited, ...given });
    const resumed = { metadata: metadata ?? {} };
    return [{ participant: call.participant, call: { ref, name: call.name, input: input ?? call.input, resumed } }];
  });
}

/** Runs a call at once; resolves when it has ended, asked the user again, or was interrupted. */
async function runRestart(
  runtime: Runtime,
  teamId: string,
  { participant, call }: RestartedCall,
  options: { readonly signal: AbortSignal; readonly graceMs: number },
): Promise<void> {
  try {
    await runtime.send(callAddress(teamId, participant), call, options);
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
}

function giveResult(ledger: Ledger, call: PendingTool | undefined, output: unknown, isError: boolean): void {
  if (call === undefined) return;
  const { ref, name, participant } = call;
  ledger.record({ type: "tool/executed", ref, name, participant, output, isError });
}

const denial = (reason: string | undefined): string =>
  reason === undefined || reason === "" ? "The user denied this call." : `The user denied this call: ${reason}`;

/** Records rulings, of the team and those within it; gives what runs the calls that they tell to run, if any. */
export function resolveToolCalls(
  { teamId, ledger, runtime, graceMs, inner }: TeamTree,
  answers: ToolAnswers,
  by: string,
): ((signal: AbortSignal) => Promise<unknown>) | undefined {
  const { pendingTools } = ledger.state;
  const within = [...inner].flatMap(([name, team]) => {
    const theirs = answersWithin(answers, pendingTools, name);
    return theirs === undefined ? [] : (resolveToolCalls(team, theirs, by) ?? []);
  });
  const own = answersWithin(answers, pendingTools, undefined);
  const restarts = own === undefined ? [] : recordAnswers(ledger, own, by);
  if (restarts.length === 0 && within.length === 0) return undefined;
  return (signal) =>
    Promise.all([
      ...restarts.map((restart) => runRestart(runtime, teamId, restart, { signal, graceMs })),
      ...within.map((run) => run(signal)),
    ]);
}
