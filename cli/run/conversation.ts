import { GavelError, teamBusy } from "../../shared/contract/errors.ts";
import { TeamPreviewInterrupt, TeamRun, TeamSendUserMessage } from "../../shared/contract/requests.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { questionTitle, type UserQuestion, userQuestionOf } from "../../shared/text/user-question.ts";
import type { HostClient } from "../host/host-client.ts";
import { HostEndedError } from "../host/host-errors.ts";
import { EndedBy, type Ending } from "../terminal/ending.ts";
import { shownLine } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";
import type { Prompter, TextQuestion, View } from "../view/view.ts";
import { CallDecisions } from "./decide-calls.ts";
import { codeOf, ExitCode } from "./exit-codes.ts";
import { isQuestion } from "./previews.ts";
import type { Thread } from "./thread.ts";
import { typedMessage } from "./typed-message.ts";

interface ConversationOptions {
  readonly thread: Thread;
  readonly view: View;
  readonly style: Style;
  readonly ending: Ending;
  /** Another host, when the one that was joined has ended. */
  readonly nextHost: () => Promise<HostClient>;
}

/** A thread with its user: until the team has finished, the user leaves, or no one is there to answer. */
export class Conversation {
  readonly #thread: Thread;
  readonly #view: View;
  readonly #style: Style;
  readonly #ending: Ending;
  readonly #nextHost: () => Promise<HostClient>;
  /** Rejects when a run is refused. */
  readonly #refusal = Promise.withResolvers<never>();
  /** Aborted when the user leaves the thread as it is. */
  readonly #leaving = new AbortController();
  /** Resolves then. */
  readonly #left: Promise<void>;
  /** Whether the thread has been run by another client meanwhile: then this one stays when a run ends. */
  #isMeeting = false;

  constructor({ thread, view, style, ending, nextHost }: ConversationOptions) {
    this.#thread = thread;
    this.#view = view;
    this.#style = style;
    this.#ending = ending;
    this.#nextHost = nextHost;
    this.#refusal.promise.catch(() => undefined);
    this.#left = new Promise((resolve) => this.#leaving.signal.addEventListener("abort", () => resolve()));
    view.listen?.({
      typed: (line) => this.#send(line),
      interrupt: () => this.#interrupted(),
      leave: () => this.#leave(),
      runsOn: () => thread.host.isJoined,
    });
  }

  /** Starts with a task or, without one, continues. Returns the exit code. @throws what a run is refused with. */
  async run(task: string | undefined): Promise<ExitCode | EndedBy> {
    const stop = (): void => void this.#stop();
    this.#ending.signal.addEventListener("abort", stop);
    try {
      if (this.#ending.code !== undefined) return this.#ending.code;
      await this.#begin(task);
      for (;;) {
        await this.#atRest();
        if (this.#ending.code !== undefined) return this.#ending.code;
        const code = this.#leaving.signal.aborted ? this.#codeOfLeaving() : await this.#goOn();
        if (code !== undefined) return this.#ending.code ?? code;
      }
    } finally {
      this.#ending.signal.removeEventListener("abort", stop);
    }
  }

  /** Whether the user has left a run that goes on. */
  get isLeftRunning(): boolean {
    return this.#leaving.signal.aborted && this.#thread.isRunning;
  }

  /** A run that another client has started is followed, and the task is a message to it. @throws GavelError `TeamBusy` */
  async #begin(task: string | undefined): Promise<void> {
    const { host, runs, state, isOthersRun, teamId } = this.#thread;
    if (isOthersRun) {
      this.#isMeeting = true;
      try {
        const { isRunning } = await host.request(TeamPreviewInterrupt, { teamId });
        // Another host runs it, which tells nothing here.
        if (!isRunning && this.#thread.isOthersRun) throw teamBusy(teamId);
        if (task !== undefined) this.#send(task);
      } catch (error) {
        if (!this.#isEndOfJoined(error)) throw error;
        await this.#moveOn();
        if (task !== undefined) this.#start(task);
      }
      return;
    }
    // A rule of this run may have decided the calls that waited: then it goes on by itself.
    if (task !== undefined || (state.pendingTools.length === 0 && runs === 0)) this.#start(task);
  }

  /** Resolves when the team waits for somebody, in the host that it is in then, or the user leaves. */
  async #atRest(): Promise<void> {
    for (;;) {
      const { host, lost, isOthersRun } = this.#thread;
      this.#isMeeting ||= isOthersRun;
      const died = host.isJoined ? host.died.catch(() => undefined) : host.died;
      if (!lost.aborted) await Promise.race([this.#refusal.promise, this.#thread.atRest(), died, this.#left]);
      if (!lost.aborted || this.#ending.code !== undefined || this.#leaving.signal.aborted) return;
      await this.#moveOn();
    }
  }

  async #moveOn(): Promise<void> {
    this.#view.tell("warning", "The agent host has ended; going on in another.");
    await this.#move();
  }

  /** The host that ended may still be joined for a moment. @throws HostError */
  async #move(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#thread.moveTo(await this.#nextHost());
      } catch (error) {
        if (!(error instanceof HostEndedError) || tries === MAX_MOVES) throw error;
      }
    }
  }

  /** What the team waits for, if somebody can be asked; the exit code if there is nothing, or no one can. */
  async #goOn(): Promise<ExitCode | undefined> {
    const { state, lastRun } = this.#thread;
    const { prompter } = this.#view;
    const [call] = state.pendingTools;
    if (call !== undefined) {
      if (prompter === undefined) return this.#waits(waitingText(call), canBeApproved(call));
      const decisions = new CallDecisions(this.#thread, prompter, this.#style);
      const decided = decisions.decide(call, this.#leaving.signal).catch((error: unknown) => this.#refused(error));
      return (await decided) ? undefined : ExitCode.waiting;
    }
    const question = userQuestionOf(state);
    if (question !== null) {
      if (prompter === undefined) return this.#waits(questionTitle(question), false);
      return this.#answer(prompter, question);
    }
    const waitsForWords = state.status === "paused" || (this.#isMeeting && state.status === "idle");
    if (!waitsForWords || prompter === undefined) return codeOf(lastRun ?? { code: "success" });
    return this.#continue(prompter);
  }

  /** The host did not take a decision: the user is asked again. */
  #refused(error: unknown): true {
    if (this.#isEndOfJoined(error)) return true;
    if (!(error instanceof GavelError)) throw error;
    this.#view.tell("error", error.message);
    return true;
  }

  #waits(what: string, canApprove: boolean): ExitCode {
    const atTerminal = `run "gavel run --thread ${this.#thread.teamId}" at a terminal`;
    this.#view.tell("warning", `${what}; ${atTerminal}${canApprove ? ", or give it with --approve" : ""}.`);
    return ExitCode.waiting;
  }

  async #answer(prompter: Prompter, question: UserQuestion): Promise<ExitCode | undefined> {
    const { handoffs, key } = question;
    const targets = handoffs.map(({ target }) => `@${target}`).join(", ");
    const label = targets === "" ? "your answer" : `your answer; begin with ${targets} to say who goes on`;
    const lines = [this.#style.bold(shownLine(questionTitle(question)))];
    const isAsked = (state: TeamState): boolean => userQuestionOf(state)?.key === key;
    const text = await this.#ask(prompter, { lines, label }, isAsked);
    if (typeof text !== "string") return text === OBSOLETE ? undefined : ExitCode.waiting;
    const [, target, rest] = /^@(\S+)\s+(.*)$/s.exec(text.trim()) ?? [];
    const handoff = handoffs.find((one) => one.target === target)?.target;
    const task = handoff === undefined ? text.trim() : (rest ?? "");
    if (task !== "") this.#start(task, handoff);
    return undefined;
  }

  /** At rest: what is typed goes to the team or to one of it; nothing lets a paused team go on. */
  async #continue(prompter: Prompter): Promise<ExitCode | undefined> {
    const isPaused = this.#thread.state.status === "paused";
    const label = isPaused
      ? "Enter continues; or a message, @name for one; Ctrl+C ends"
      : "a message, @name for one; Ctrl+C ends";
    const question = { lines: [], label, keepsText: true };
    const { status } = this.#thread.state;
    const text = await this.#ask(prompter, question, (state) => state.status === status);
    if (text === OBSOLETE) return undefined;
    if (text === undefined) return isPaused ? ExitCode.paused : codeOf(this.#thread.lastRun ?? { code: "success" });
    const message = typedMessage(text);
    if (isPaused && (message === undefined || /^continue$/i.test(message.messages))) this.#start(undefined);
    else if (message !== undefined && !isPaused && message.to === undefined) this.#start(message.messages);
    else if (message !== undefined) this.#send(message.to === undefined ? text.trim() : text);
    return undefined;
  }

  /**
   * Asks as long as the team is so: another client may do something meanwhile, or the host may end. Undefined without an
   * answer, because the user leaves or the process is to end.
   */
  async #ask(
    prompter: Prompter,
    question: TextQuestion,
    isSo: (state: TeamState) => boolean,
  ): Promise<string | typeof OBSOLETE | undefined> {
    const changed = new AbortController();
    const { lost } = this.#thread;
    void this.#thread.until((state) => !isSo(state)).then(() => changed.abort());
    const obsolete = AbortSignal.any([changed.signal, lost]);
    const text = await prompter.ask(question, AbortSignal.any([obsolete, this.#leaving.signal]));
    return text ?? (obsolete.aborted && this.#ending.code === undefined ? OBSOLETE : undefined);
  }

  #start(task: string | undefined, handoff?: string): void {
    const { host, teamId } = this.#thread;
    const params = { teamId, ...(task === undefined ? {} : { task }), ...(handoff === undefined ? {} : { handoff }) };
    if (task !== undefined) this.#thread.sends(task);
    this.#thread.during(host.request(TeamRun, params)).catch((error: unknown) => {
      if (this.#isEndOfJoined(error)) return;
      const wasFaster = error instanceof GavelError && error.data.code === "TeamBusy" && this.#thread.isOthersRun;
      if (!wasFaster) this.#refusal.reject(error);
      else if (task !== undefined) this.#send(task);
    });
  }

  /** A message that is refused is said, and changes nothing. */
  #send(line: string): void {
    const message = typedMessage(line);
    if (message === undefined) return;
    const { host, teamId } = this.#thread;
    this.#thread.sends(message.messages);
    const sent = host.request(TeamSendUserMessage, { teamId, ...message, delivery: this.#delivery(message) });
    const told = sent.catch((error: unknown) => {
      if (!(error instanceof GavelError)) throw error;
      this.#view.tell("error", error.message);
    });
    void this.#thread.during(told);
  }

  /** A message does not cancel calls that wait for the user: it waits with those of its target. */
  #delivery({ to, delivery }: NonNullable<ReturnType<typeof typedMessage>>): "now" | "queue" | "steer" | undefined {
    const { isRunning, state } = this.#thread;
    if (isRunning) return delivery;
    const waiting = state.pendingTools.map(({ path = [], participant }) => [...path, participant].join("/"));
    if (waiting.length === 0) return "now";
    return to === undefined || waiting.some((one) => one === to || one.startsWith(`${to}/`)) ? "queue" : "now";
  }

  /** The first Ctrl+C interrupts, and the next ends the command. */
  #interrupted(): void {
    if (!this.#thread.isRunning || this.#thread.state.status === "interrupting") {
      this.#ending.request(EndedBy.interrupt);
      return;
    }
    this.#thread
      .interrupt()
      .catch((error: unknown) => this.#view.tell("error", error instanceof Error ? error.message : String(error)));
  }

  /** Ctrl+D leaves a thread of another's host as it is. */
  #leave(): void {
    if (this.#thread.host.isJoined || !this.#thread.isRunning) this.#leaving.abort();
    else this.#view.tell("info", ENDS_WITH_COMMAND);
  }

  #codeOfLeaving(): ExitCode {
    const { isRunning, state, lastRun } = this.#thread;
    if (isRunning) return ExitCode.busy;
    if (state.pendingTools.length > 0 || userQuestionOf(state) !== null) return ExitCode.waiting;
    return state.status === "paused" ? ExitCode.paused : codeOf(lastRun ?? { code: "success" });
  }

  /** The process is to end: what it runs is interrupted, and with Ctrl+C also what others run. */
  async #stop(): Promise<void> {
    this.#view[Symbol.dispose]();
    const { isRunning, isOthersRun } = this.#thread;
    if (!isRunning || (isOthersRun && this.#ending.code !== EndedBy.interrupt)) return;
    await this.#thread.interrupt().catch(() => undefined);
  }

  /** Whether a request has no answer because the host has ended, in whose place another comes. */
  #isEndOfJoined(error: unknown): boolean {
    return error instanceof HostEndedError && (this.#thread.host.isJoined || !this.#thread.lost.aborted);
  }
}

/** How often another host is looked for before the command gives up. */
const MAX_MOVES = 5;

/** The team no longer waits for the answer that was asked for. */
const OBSOLETE = Symbol("obsolete");

const ENDS_WITH_COMMAND =
  'The run would end with this command; Ctrl+C interrupts it. With "gavel serve" before it, a run goes on when you leave.';

const waitingText = (call: PendingTool): string =>
  call.review
    ? `The result of ${call.name} waits for your review before ${call.participant} gets it`
    : `${call.participant} waits for your decision on ${call.name}`;

/** Whether a rule of the command line could decide the call. */
const canBeApproved = (call: PendingTool): boolean => call.review === undefined && !isQuestion(call);
