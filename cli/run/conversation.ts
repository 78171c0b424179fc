import { GavelError } from "../../shared/contract/errors.ts";
import { TeamInterrupt, TeamRun, TeamSendUserMessage } from "../../shared/contract/requests.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { questionTitle, userQuestionOf } from "../../shared/text/user-question.ts";
import { EndedBy, type Ending } from "../terminal/ending.ts";
import { shownLine } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";
import type { Prompter, View } from "../view/view.ts";
import { CallDecisions } from "./decide-calls.ts";
import { codeOf, ExitCode } from "./exit-codes.ts";
import { isQuestion } from "./previews.ts";
import type { Thread } from "./thread.ts";
import { typedMessage } from "./typed-message.ts";

/** A run of a thread with its user: until the team has finished, or no one is there to answer. */
export class Conversation {
  readonly #thread: Thread;
  readonly #view: View;
  readonly #style: Style;
  readonly #ending: Ending;
  /** Rejects when a run is refused. */
  readonly #refusal = Promise.withResolvers<never>();

  constructor({ thread, view, style, ending }: { thread: Thread; view: View; style: Style; ending: Ending }) {
    this.#thread = thread;
    this.#view = view;
    this.#style = style;
    this.#ending = ending;
    this.#refusal.promise.catch(() => undefined);
    view.listen?.({ typed: (line) => this.#typed(line), interrupt: () => this.#interrupted() });
  }

  /** Starts with a task or, without one, continues. Returns the exit code. @throws what a run is refused with. */
  async run(task: string | undefined): Promise<ExitCode | EndedBy> {
    const stop = (): void => void this.#stop();
    this.#ending.signal.addEventListener("abort", stop);
    try {
      if (this.#ending.code !== undefined) return this.#ending.code;
      // A rule of this run may have decided the calls that waited: then it goes on by itself.
      const { runs, state } = this.#thread;
      if (task !== undefined || (state.pendingTools.length === 0 && runs === 0)) this.#start(task);
      for (;;) {
        await Promise.race([this.#refusal.promise, this.#thread.atRest(), this.#thread.host.died]);
        if (this.#ending.code !== undefined) return this.#ending.code;
        const code = await this.#goOn();
        if (code !== undefined) return this.#ending.code ?? code;
      }
    } finally {
      this.#ending.signal.removeEventListener("abort", stop);
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
      return (await decisions.decide(call).catch((error: unknown) => this.#refused(error)))
        ? undefined
        : ExitCode.waiting;
    }
    const question = userQuestionOf(state);
    if (question !== null) {
      if (prompter === undefined) return this.#waits(questionTitle(question), false);
      return this.#answer(prompter, questionTitle(question), question.handoffs);
    }
    if (state.status !== "paused" || prompter === undefined) return codeOf(lastRun ?? { code: "success" });
    return this.#continue(prompter);
  }

  /** The host did not take a decision: the user is asked again. */
  #refused(error: unknown): true {
    if (!(error instanceof GavelError)) throw error;
    this.#view.tell("error", error.message);
    return true;
  }

  #waits(what: string, canApprove: boolean): ExitCode {
    const atTerminal = `run "gavel run --thread ${this.#thread.teamId}" at a terminal`;
    this.#view.tell("warning", `${what}; ${atTerminal}${canApprove ? ", or give it with --approve" : ""}.`);
    return ExitCode.waiting;
  }

  async #answer(
    prompter: Prompter,
    title: string,
    handoffs: readonly { readonly target: string }[],
  ): Promise<ExitCode | undefined> {
    const targets = handoffs.map(({ target }) => `@${target}`).join(", ");
    const hint = targets === "" ? "your answer" : `your answer; begin with ${targets} to say who goes on`;
    const text = await prompter.ask({ lines: [this.#style.bold(shownLine(title))], label: hint });
    if (text === undefined) return ExitCode.waiting;
    const [, target, rest] = /^@(\S+)\s+(.*)$/s.exec(text.trim()) ?? [];
    const handoff = handoffs.find((one) => one.target === target)?.target;
    const task = handoff === undefined ? text.trim() : (rest ?? "");
    if (task !== "") this.#start(task, handoff);
    return undefined;
  }

  /** After an interrupt: what is typed goes to the team or to one of it, and nothing lets it go on. */
  async #continue(prompter: Prompter): Promise<ExitCode | undefined> {
    const text = await prompter.ask({ lines: [], label: "Enter continues; or a message, @name for one; Ctrl+C ends" });
    if (text === undefined) return ExitCode.paused;
    const message = typedMessage(text);
    if (message === undefined || /^continue$/i.test(message.messages)) this.#start(undefined);
    else this.#send(message.to === undefined ? text.trim() : text);
    return undefined;
  }

  #start(task: string | undefined, handoff?: string): void {
    const { host, teamId } = this.#thread;
    const params = { teamId, ...(task === undefined ? {} : { task }), ...(handoff === undefined ? {} : { handoff }) };
    this.#thread.during(host.request(TeamRun, params)).catch(this.#refusal.reject);
  }

  #typed(line: string): void {
    this.#send(line);
  }

  /** A message that is refused is said, and changes nothing. */
  #send(line: string): void {
    const message = typedMessage(line);
    if (message === undefined) return;
    const { host, teamId } = this.#thread;
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
    const { host, teamId } = this.#thread;
    const interrupt = host.request(TeamInterrupt, { teamId, reason: "user_request" });
    interrupt.catch((error: unknown) =>
      this.#view.tell("error", error instanceof Error ? error.message : String(error)),
    );
  }

  /** The process is to end: what runs is interrupted, and stays as it is. */
  async #stop(): Promise<void> {
    this.#view[Symbol.dispose]();
    const { host, teamId } = this.#thread;
    if (this.#thread.isRunning) await host.request(TeamInterrupt, { teamId, reason: "user_request" }).catch(() => {});
  }
}

const waitingText = (call: PendingTool): string =>
  call.review
    ? `The result of ${call.name} waits for your review before ${call.participant} gets it`
    : `${call.participant} waits for your decision on ${call.name}`;

/** Whether a rule of the command line could decide the call. */
const canBeApproved = (call: PendingTool): boolean => call.review === undefined && !isQuestion(call);
