import { invalidResume, teamBusy } from "../../../shared/contract/errors.ts";
import type { PendingTool, TaskResult } from "../../../shared/contract/team.ts";
import type { CallToApprove } from "../approvals/evaluate-call.ts";
import { assertNothingPending } from "../log/guards.ts";
import type { ToolAnswers } from "../requests.ts";
import type { Run } from "../run/run.ts";
import { executorOf, type TeamTree } from "../run/team-tree.ts";
import { type CountedAnswers, countApprovals, recordApprovals } from "./count-approvals.ts";
import type { CurrentRun } from "./current-run.ts";
import { restoreConditions } from "./nested-teams.ts";
import { preparedAnswers, refsOf, resolveToolCalls } from "./tool-answers.ts";

/** The outcome of answers to pending calls: the refs that are still pending and, once there are none, the run's result. */
export interface ToolResolution {
  readonly remaining: string[];
  readonly result?: TaskResult;
}

export interface ToolDecisionsOptions {
  readonly tree: () => TeamTree;
  /** The user who acts now. */
  readonly user: () => string;
  readonly currentRun: CurrentRun;
  /** How many users have to approve a call. */
  readonly required: () => number;
}

/** The user's decisions on a team's pending calls, and the runs that continue with them. */
export class ToolDecisions {
  readonly #options: ToolDecisionsOptions;
  /** True from the first recorded decision until the run that continues with it has started. */
  #isResolving = false;

  constructor(options: ToolDecisionsOptions) {
    this.#options = options;
  }

  /** @throws GavelError `InvalidResume` while calls are pending, `TeamBusy` while decisions on them are recorded. */
  assertNothingPending(): void {
    this.assertDecided();
    assertNothingPending(this.#tree.ledger.state);
  }

  /** @throws GavelError `TeamBusy` while decisions on calls are recorded. */
  assertDecided(): void {
    if (this.#isResolving) throw teamBusy(this.#tree.teamId);
  }

  /** See `Team.resolveTools`. */
  async resolve(answers: ToolAnswers): Promise<ToolResolution> {
    const { currentRun } = this.#options;
    const by = this.#options.user();
    let prepared = this.#prepare(answers, by);
    while (currentRun.run !== undefined && !currentRun.run.acceptsAnswers) {
      await currentRun.run.ended;
      prepared = this.#prepare(answers, by);
    }
    const { deciding, counted } = this.#count(prepared, by);
    restoreConditions(this.#tree);
    recordApprovals(this.#tree, counted, { by, required: this.#required });
    if (refsOf(deciding).length === 0) return { remaining: this.#pendingRefs };
    const resolved = this.#record(deciding, by);
    if (resolved === undefined) return { remaining: this.#pendingRefs };
    await resolved.tools;
    if (this.#pendingRefs.length > 0) return { remaining: this.#pendingRefs };
    const result = await resolved.run.ended;
    return { remaining: this.#pendingRefs, result };
  }

  /** See `Team.previewTool`. */
  async preview(ref: string, input?: unknown): Promise<unknown> {
    const call = this.#pendingCall(ref);
    return (await executorOf(this.#tree, call)?.preview(call.name, input ?? call.input)) ?? null;
  }

  /** See `Team.callToApprove`. */
  async callToApprove(ref: string): Promise<CallToApprove | undefined> {
    const { participant, path, name, input } = this.#pendingCall(ref);
    const placed = { participant, ...(path === undefined ? {} : { path }) };
    return executorOf(this.#tree, placed)?.callToApprove(name, input);
  }

  #pendingCall(ref: string): PendingTool {
    const call = this.#tree.ledger.state.pendingTools.find((pending) => pending.ref === ref);
    if (call !== undefined) return call;
    throw invalidResume(`No call ${ref} is pending; it may have been answered.`, { refs: [ref] });
  }

  get #tree(): TeamTree {
    return this.#options.tree();
  }

  get #pendingRefs(): string[] {
    return this.#tree.ledger.state.pendingTools.map(({ ref }) => ref);
  }

  get #required(): number {
    return this.#options.required();
  }

  #count(answers: ToolAnswers, by: string): CountedAnswers {
    const tree = this.#tree;
    const isReadOnly = (call: PendingTool) => executorOf(tree, call)?.isReadOnly(call.name) === true;
    return countApprovals(answers, { state: tree.ledger.state, by, required: this.#required, isReadOnly });
  }

  #prepare(answers: ToolAnswers, by: string): ToolAnswers {
    const tree = this.#tree;
    return preparedAnswers(answers, tree.ledger.state, by, (call, input) => {
      const executor = executorOf(tree, call);
      return executor === undefined ? input : executor.prepare(call.name, input);
    });
  }

  /**
   * Records the decisions, and continues in the run in progress or in a new one. Undefined if no tool runs and other calls
   * are still pending.
   */
  #record(answers: ToolAnswers, by: string): { readonly run: Run; readonly tools: Promise<void> } | undefined {
    const { currentRun } = this.#options;
    const given = currentRun.run;
    // The run is there before the first decision is recorded, so that an interrupt during that event stops it.
    const run = given ?? (this.#startsRun(answers) ? currentRun.create({ cause: "tools", by }) : undefined);
    this.#isResolving = true;
    try {
      const runTools = resolveToolCalls(this.#tree, answers, by);
      if (run === undefined) return undefined;
      currentRun.begin(run);
      const tools = run.addAnswers(async (context) => runTools?.(context));
      if (!run.isStarted) currentRun.execute(run);
      return { run, tools };
    } catch (error) {
      if (given === undefined && run !== undefined && currentRun.run === run) currentRun.drop(run, error);
      throw error;
    } finally {
      this.#isResolving = false;
    }
  }

  /** True if a tool runs now, or no call is left pending. */
  #startsRun({ respond = [], restart = [], deny = [] }: ToolAnswers): boolean {
    return restart.length > 0 || respond.length + deny.length === this.#pendingRefs.length;
  }
}
