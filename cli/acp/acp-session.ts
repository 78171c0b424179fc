import {
  type AgentContext,
  methods,
  type PromptResponse,
  RequestError,
  type SessionModeState,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { GavelError } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { TeamInterrupt, TeamResolveTools, TeamRun, TeamSendUserMessage } from "../../shared/contract/requests.ts";
import type { PendingTool, TeamSnapshot } from "../../shared/contract/team.ts";
import { eventsAfter } from "../../shared/state/missing-events.ts";
import type { RunOptions } from "../arguments/parse.ts";
import type { HostClient } from "../host/host-client.ts";
import { prepareThread } from "../run/open-thread.ts";
import { isQuestion } from "../run/previews.ts";
import { Thread } from "../run/thread.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { shownText } from "../text/shown-text.ts";
import { type AskClient, askAboutCall } from "./ask-client.ts";
import { MODES, type ModeId, ModeRules } from "./modes.ts";
import { COMMANDS, type Prompt } from "./prompt-content.ts";
import { SessionUpdates } from "./session-updates.ts";

/** The events of a thread that a client is told when it loads it; of a longer one, the first. */
const MAX_EVENTS = 200_000;

export interface AcpSessionOptions {
  readonly host: HostClient;
  readonly snapshot: TeamSnapshot;
  /** The session's folder, absolute. */
  readonly folder: string;
  readonly client: AgentContext;
  /** The model and the rules that the user gave for all sessions. */
  readonly options: RunOptions;
  readonly telemetry: Telemetry | undefined;
}

/** A thread as a session of an ACP client. */
export class AcpSession implements Disposable {
  readonly #options: AcpSessionOptions;
  readonly #thread: Thread;
  readonly #updates: SessionUpdates;
  readonly #rules = new ModeRules();
  #mode: ModeId = "ask";
  #sent: Promise<void> = Promise.resolve();
  #isPrompted = false;
  #isCancelled = false;

  constructor(options: AcpSessionOptions) {
    const { host, snapshot, folder } = options;
    this.#options = options;
    this.#updates = new SessionUpdates(folder, snapshot.participants);
    this.#thread = new Thread(host, snapshot, {
      event: (event, state) => {
        this.#show(event);
        options.telemetry?.add(event, state);
      },
    });
  }

  get id(): string {
    return this.#thread.teamId;
  }

  get modes(): SessionModeState {
    return { currentModeId: this.#mode, availableModes: MODES.map((mode) => ({ ...mode })) };
  }

  /** Gives the thread its model and rules. */
  prepare(): Promise<void> {
    return prepareThread(this.#thread, this.#options.options);
  }

  /** Tells the client what it can type after a `/`. */
  offerCommands(): void {
    const names = this.#thread.state.participants.map(({ name }) => name).join(", ");
    const availableCommands = COMMANDS.map((command) => ({
      ...command,
      ...(command.name === "ask" ? { description: `${command.description}: ${names}` } : {}),
    }));
    this.#tell({ sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Tells the client the thread so far. */
  async replay(): Promise<void> {
    const { host, folder, snapshot } = this.#options;
    const updates = new SessionUpdates(folder, snapshot.participants);
    for (const event of await eventsAfter(host, this.id, 0, MAX_EVENTS)) {
      for (const update of updates.of(event, true)) this.#tell(update);
    }
    await this.#sent;
  }

  /** Resolves when the mode counts, also for a team that runs. */
  async setMode(mode: ModeId): Promise<void> {
    this.#mode = mode;
    if (this.#isPrompted) await this.#rules.apply(this.#thread, mode);
    this.#tell({ sessionUpdate: "current_mode_update", currentModeId: mode });
  }

  /** @throws RequestError while a prompt is answered. */
  requireRest(): void {
    if (this.#isPrompted)
      throw new RequestError(-32600, "The session answers a prompt; cancel it, or wait for its end.");
  }

  /** Runs the team until it has finished, waits for an answer in words, or the client cancels. */
  async prompt(prompt: Prompt): Promise<PromptResponse> {
    this.requireRest();
    this.#isPrompted = true;
    this.#isCancelled = false;
    try {
      return await this.#answer(prompt);
    } catch (error) {
      throw error instanceof GavelError
        ? new RequestError(-32603, sentenceOf(error), { code: error.data.code })
        : error;
    } finally {
      this.#isPrompted = false;
      await this.#sent;
    }
  }

  /** Interrupts the team: what was said is kept. */
  async cancel(): Promise<void> {
    this.#isCancelled = true;
    if (!this.#isPrompted) return;
    const { host, teamId } = this.#thread;
    await host.request(TeamInterrupt, { teamId, reason: "user_request" }).catch(() => undefined);
  }

  [Symbol.dispose](): void {
    this.#thread[Symbol.dispose]();
  }

  async #answer(prompt: Prompt): Promise<PromptResponse> {
    if (prompt.kind === "wrong") {
      this.#say(prompt.sentence);
      return { stopReason: "end_turn" };
    }
    await this.#rules.apply(this.#thread, this.#mode);
    const question = this.#thread.state.pendingTools.find(isQuestion);
    if (question === undefined) {
      if (!(await this.#decideCalls())) return { stopReason: "cancelled" };
      await this.#start(prompt);
    } else {
      await this.#respond(question, prompt);
    }
    return (await this.#decideCalls()) ? this.#stopped() : { stopReason: "cancelled" };
  }

  /** Asks about each call that waits, until none does. False when the client cancelled. */
  async #decideCalls(): Promise<boolean> {
    const { client, folder } = this.#options;
    const ask: AskClient = (request) => client.request(methods.client.session.requestPermission, request);
    for (;;) {
      await this.#atRest();
      if (this.#isCancelled) return false;
      const call = this.#thread.state.pendingTools.find((one) => !isQuestion(one));
      if (call === undefined) return true;
      // The call is told before the client is asked about it.
      await this.#sent;
      if (await askAboutCall(this.#thread, call, folder, ask)) continue;
      await this.cancel();
      return false;
    }
  }

  #atRest(): Promise<void> {
    return Promise.race([this.#thread.atRest(), this.#thread.host.died]);
  }

  async #start(prompt: Exclude<Prompt, { kind: "wrong" }>): Promise<void> {
    const { host, teamId } = this.#thread;
    if (prompt.kind === "ask") {
      const { to, text: messages } = prompt;
      // biome-ignore lint/suspicious/noThenProperty: the name of the field in the protocol
      const message = { teamId, to, messages, then: "pause" as const, timeoutMs: 2_147_483_647 };
      await this.#thread.during(host.request(TeamSendUserMessage, message));
    } else {
      const task = prompt.kind === "task" ? { task: prompt.task } : {};
      await this.#thread.during(host.request(TeamRun, { teamId, ...task }));
    }
  }

  /** The answer to what a tool asks is the next prompt. */
  async #respond({ ref }: PendingTool, prompt: Exclude<Prompt, { kind: "wrong" }>): Promise<void> {
    const { host, teamId } = this.#thread;
    const text = prompt.kind === "task" ? textOfTask(prompt.task) : prompt.kind === "ask" ? prompt.text : "";
    const respond = [{ ref, output: text }];
    await this.#thread.during(host.request(TeamResolveTools, { teamId, respond }));
  }

  #stopped(): PromptResponse {
    const { lastRun, state } = this.#thread;
    const question = state.pendingTools.find(isQuestion);
    if (question !== undefined) this.#say(questionText(question));
    if (lastRun?.code === "error") throw new RequestError(-32603, lastRun.message ?? "The run failed.");
    return { stopReason: lastRun?.code === "cancelled" ? "cancelled" : "end_turn" };
  }

  #show(event: TeamEvent): void {
    for (const update of this.#updates.of(event)) this.#tell(update);
  }

  #say(text: string): void {
    this.#tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: shownText(text) } });
  }

  /** One after the other, in the order of the events. A client that has gone is told nothing. */
  #tell(update: SessionUpdate): void {
    const { client } = this.#options;
    this.#sent = this.#sent
      .then(() => client.notify(methods.client.session.update, { sessionId: this.id, update }))
      .catch(() => undefined);
  }
}

const sentenceOf = ({ data, message }: GavelError): string =>
  data.code === "TeamBusy"
    ? "The thread is running in VS Code or in another Gavel; interrupt it there, or wait until it has finished."
    : message;

const textOfTask = (task: Extract<Prompt, { kind: "task" }>["task"]): string =>
  typeof task === "string" ? task : task.map((part) => (part.type === "text" ? part.text : "")).join("\n");

function questionText({ participant, interrupt, input }: PendingTool): string {
  const asked = interrupt === true || interrupt === undefined ? input : interrupt;
  return `\n\n**${participant} asks:** ${typeof asked === "string" ? asked : JSON.stringify(asked)}`;
}
