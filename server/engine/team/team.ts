import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { SAVED_STATE_VERSION, type SavedState } from "../../../shared/contract/saved-state.ts";
import type { InterruptReceipt, Severity, Task, TaskResult } from "../../../shared/contract/team.ts";
import { invalidParams, invalidResume, notYet, teamBusy, unknownParticipant } from "../../../shared/errors.ts";
import { HOST_STOPPED } from "../../../shared/stop-reasons.ts";
import { NO_USAGE, type TeamState } from "../../../shared/team-state.ts";
import { newId } from "../id.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { abandon, askOutcome, closingDrafts } from "./closing.ts";
import { Interrupts } from "./interrupts.ts";
import type { InterruptOptions, RunOptions, SendOptions, ToolAnswers } from "./options.ts";
import { type Opening, Run, type RunParts } from "./run.ts";
import { checkAnswers, runRestart, takeAnswers } from "./tool-answers.ts";
import type { Transcript } from "./transcript.ts";

/** How long the answer to a directed message is waited for, in milliseconds. */
const ANSWER_TIMEOUT = 120_000;

/** What a team is made of; `createTeam` puts it together. */
export interface TeamBody extends RunParts {
  readonly teamId: string;
  readonly transcript: Transcript;
  readonly runtime: Runtime;
  readonly user: string;
  readonly graceMs: number;
}

/** What came of answers to pending calls: those that still wait, and the run's result where they were the last. */
export interface ToolResolution {
  readonly remaining: string[];
  readonly result?: TaskResult;
}

/**
 * A group chat (AutoGen AgentChat's team, with the interrupts of seeds 000 and 001): one run at a time, over a thread that
 * outlives them all. Its state is the fold of its events.
 */
export class Team {
  readonly id: string;
  readonly #body: TeamBody;
  readonly #interrupts: Interrupts;
  #run: Run | undefined;

  constructor(body: TeamBody) {
    this.id = body.teamId;
    this.#body = body;
    this.#interrupts = new Interrupts(body.ledger, body.user);
  }

  get state(): TeamState {
    return this.#body.ledger.state;
  }

  /** True while a run is in progress. */
  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Calls `listener` with every event once it is kept; the function that it returns ends that. */
  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.#body.ledger.onEvent(listener);
  }

  /**
   * Starts a run with a task, or goes on from the thread; resolves when the run ends, also when it fails.
   * @throws GavelError `TeamBusy` while another is in progress, `InvalidResume` while calls wait for the user, `InvalidParams`
   * for a task of no messages.
   */
  async run(task?: Task | readonly ChatMessage[], options: RunOptions = {}): Promise<TaskResult> {
    const messages = this.#taskMessages(task);
    this.#needRest();
    this.#needNothingPending();
    const wire = isMessages(task) ? undefined : task;
    return this.#start({ cause: "run", messages, ...(wire === undefined ? {} : { task: wire }) }, options).ended;
  }

  /**
   * Stops the run where it is; resolves when nothing moves any more. A team at rest is left as it is, but for the severity.
   * @throws GavelError for a scope or a grace that this version does not have.
   */
  async interrupt(options: InterruptOptions = {}): Promise<InterruptReceipt> {
    if (options.scope !== undefined) throw notYet("interrupt of a part of a team");
    if (options.grace !== undefined && options.grace !== "now")
      throw notYet(`interrupt with the grace ${options.grace}`);
    const wasRunning = this.#run !== undefined;
    return this.#interrupts.interrupt(this.#run, options, (severity) => this.#settle(severity, wasRunning));
  }

  /**
   * Says something to one participant, who alone is asked to answer; resolves on the answer.
   * @throws GavelError `UnknownParticipant`, or `InvalidResume` while calls wait for the user.
   */
  async sendUserMessage(to: string, texts: readonly string[], options: SendOptions = {}): Promise<TaskResult> {
    this.#needParticipant(to);
    this.#needNothingPending();
    if (texts.length === 0) {
      throw invalidParams("team/sendUserMessage", [{ path: "messages", message: "give at least one message" }]);
    }
    if (this.#run !== undefined && options.delivery !== undefined && options.delivery !== "now") {
      throw notYet(`delivery "${options.delivery}" to a running team`);
    }
    while (this.#run !== undefined) await this.interrupt({ reason: "a message for one participant", by: options.by });
    this.#needNothingPending();
    const by = options.by ?? this.#body.user;
    const messages = texts.map((content) => userMessage(by, content, to));
    const answer = Promise.withResolvers<TaskResult>();
    const { then = "continue", timeoutMs = ANSWER_TIMEOUT } = options;
    const message = { to, messages, then, timeoutMs, onAnswer: answer.resolve };
    const run = this.#start({ cause: "userMessage", message }, options);
    // Seed 001: on the answer it is completed, whether or not a condition then ends the run.
    return Promise.race([answer.promise, run.ended.then((result) => run.answered ?? result)]);
  }

  /**
   * Takes the user's rulings on pending calls, all of them or none. The calls to run are run at once; with the last ruling the
   * turn goes on, and `result` is what the run then came to.
   * @throws GavelError `InvalidResume` when a ruling matches no pending call, `InvalidParams` for none.
   */
  async resolveTools(answers: ToolAnswers): Promise<ToolResolution> {
    checkAnswers(answers, this.state.pendingTools);
    while (this.#run !== undefined && !this.#run.takesAnswers) {
      await this.#run.ended;
      checkAnswers(answers, this.state.pendingTools);
    }
    const { ledger, runtime, graceMs, user } = this.#body;
    this.#prime();
    const restarts = takeAnswers(ledger, answers, user);
    if (this.#run === undefined && restarts.length === 0 && this.state.pendingTools.length > 0)
      return this.#stillOpen();
    const run = this.#run ?? this.#begin({ cause: "tools" });
    const ran = run.answer((signal) =>
      Promise.all(restarts.map((restart) => runRestart(runtime, this.id, restart, { signal, graceMs }))),
    );
    if (!run.isGoing) this.#go(run);
    await ran;
    if (this.state.pendingTools.length > 0) return this.#stillOpen();
    const result = await run.ended;
    return { ...this.#stillOpen(), result };
  }

  /** Ends the run when the current turn has ended: sets the `external` condition. Does nothing to a team at rest. */
  stop(): void {
    this.#run?.askStop();
  }

  /** Empties the thread and begins anew. @throws GavelError `TeamBusy` while a run is in progress. */
  reset(): void {
    this.#needRest();
    this.#body.ledger.record({ type: "team/reset" });
    this.#body.conditions.reset();
  }

  /** The team's whole state as plain JSON. @throws GavelError `TeamBusy` while a run is in progress. */
  save(): SavedState {
    this.#needRest();
    const {
      name,
      kind,
      participants,
      pendingTools,
      queued,
      openTurns,
      lastSpeaker,
      turn,
      usage,
      interrupted,
      lastStop,
    } = this.state;
    return {
      schemaVersion: SAVED_STATE_VERSION,
      team: { name, kind, participants: participants.map((participant) => participant.name) },
      transcript: [...this.#body.transcript.entries],
      pendingTools,
      queued,
      openTurns: [...openTurns],
      lastSpeaker,
      turn,
      usage,
      interrupted,
      ...(lastStop === undefined ? {} : { lastStop }),
      conditionMessages: this.state.conditionMessages,
    };
  }

  /** Puts a saved state in the place of the team's own. @throws GavelError `TeamBusy` while a run is in progress. */
  load(state: SavedState): void {
    this.#needRest();
    this.#body.ledger.record({ type: "state/loaded", state });
    this.#body.conditions.forget();
  }

  /**
   * Closes what a host that died left open, as an interrupt would have: streamed text is a partial message, and a tool that was
   * running is put to the user, as nobody knows what it did. Does nothing to a team at rest.
   */
  recover(): void {
    const { ledger } = this.#body;
    const { run, calls } = ledger.state;
    // Between a ruling and the run that it begins there is a call, and no run yet.
    if (this.#run !== undefined || (run === null && calls.every(({ asked }) => asked === undefined))) return;
    for (const draft of closingDrafts(ledger.state, askOutcome, "keepPending")) ledger.record(draft);
    if (run === null) return;
    const status = { code: "interrupted" as const, reason: HOST_STOPPED, message: "The host stopped during the run." };
    ledger.record({ type: "run/ended", stopReason: null, status, usage: run.usage });
  }

  #start(opening: Opening, options: RunOptions): Run {
    this.#prime();
    const run = this.#begin(opening);
    this.#go(run, options.signal);
    return run;
  }

  /** From its first event on, an interrupt finds the run. */
  #begin(opening: Opening): Run {
    const run = new Run(this.#body, opening);
    this.#run = run;
    try {
      run.begin();
    } catch (error) {
      this.#run = undefined;
      throw error;
    }
    return run;
  }

  #go(run: Run, signal?: AbortSignal): void {
    const cancel = (): void => run.context.interrupt({ kind: "cancel" });
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    // The run is over for the team before anyone who waits for it hears so.
    void run.go(() => {
      this.#run = undefined;
      signal?.removeEventListener("abort", cancel);
    });
  }

  /** Fails the run in progress: what happens in it can not be recorded. */
  fail(error: unknown): void {
    this.#run?.context.interrupt({ kind: "failure", error });
  }

  /** What a severity asks for beyond the end of the run. */
  #settle(severity: Severity, wasRunning: boolean): void {
    if (this.#run !== undefined) return;
    const { ledger, conditions } = this.#body;
    if (severity === "reset") this.reset();
    else if (severity === "stop" && !wasRunning && ledger.state.status !== "idle") {
      for (const draft of closingDrafts(ledger.state, abandon, "dropPending")) ledger.record(draft);
      const status = { code: "interrupted" as const, reason: "external_interrupt" };
      ledger.record({ type: "run/ended", stopReason: null, status, usage: NO_USAGE, resets: true });
      conditions.reset();
    }
  }

  #prime(): void {
    this.#body.conditions.prime(this.#body.transcript, this.state.conditionMessages);
  }

  #stillOpen(): ToolResolution {
    return { remaining: this.state.pendingTools.map(({ ref }) => ref) };
  }

  #taskMessages(task: Task | readonly ChatMessage[] | undefined): readonly ChatMessage[] {
    if (task === undefined) return [];
    if (isMessages(task)) return task;
    if (task.length === 0) {
      throw invalidParams("team/run", [{ path: "task", message: "a task has at least one message" }]);
    }
    const type = typeof task === "string" ? ("TextMessage" as const) : ("MultiModalMessage" as const);
    return [{ id: newId("msg"), type, source: this.#body.user, content: task, createdAt: new Date().toISOString() }];
  }

  #needRest(): void {
    if (this.#run !== undefined) throw teamBusy(this.id);
  }

  #needNothingPending(): void {
    const pending = this.state.pendingTools.map(({ ref, name }) => `${name} (${ref})`);
    if (pending.length > 0) {
      throw invalidResume(
        `Tool calls wait for the user: ${pending.join(", ")}; answer them with team/resolveTools first.`,
        {
          pending: this.state.pendingTools.map(({ ref }) => ref),
        },
      );
    }
  }

  #needParticipant(name: string): void {
    const known = this.state.participants.map((participant) => participant.name);
    if (!known.includes(name)) throw unknownParticipant(name, known);
  }
}

function userMessage(source: string, content: string, to: string): ChatMessage {
  const createdAt = new Date().toISOString();
  return { id: newId("msg"), type: "UserTextMessage", source, content, createdAt, metadata: { to } };
}

function isMessages(task: Task | readonly ChatMessage[] | undefined): task is readonly ChatMessage[] {
  return Array.isArray(task) && task.length > 0 && task.every((item) => "source" in item);
}
