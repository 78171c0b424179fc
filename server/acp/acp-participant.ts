import { isDeepStrictEqual } from "node:util";
import type { PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import { modelError } from "../../shared/contract/errors.ts";
import { AgentError } from "../agents/agent-error.ts";
import { withHandoff } from "../agents/handoff-line.ts";
import { type AgentRole, promptBlocks } from "../agents/prompt.ts";
import type { Conversation } from "../agents/told.ts";
import type { Handoff, Participant, TeamEvent, Tool, ToolContext, Turn, TurnOutcome, Usage } from "../engine/index.ts";
import { AgentProgram, type AgentSession } from "./agent-program.ts";
import type { AgentServices } from "./agent-services.ts";
import { agentTools } from "./agent-tools.ts";
import { AgentTurn, type AgentTurnEnd } from "./agent-turn.ts";
import type { FileRequest } from "./inbox.ts";
import { LivePrompt } from "./live-prompt.ts";
import { terminalTool } from "./terminal-tool.ts";
import { addedUsage, usageOf, withCost } from "./usage.ts";
import { useWithinCalls } from "./within-calls.ts";

/** How long an agent may take to answer a cancel, in milliseconds: less than the 2 s in which a receipt must come. */
const CANCEL_MS = 1_500;

const INTERRUPTED: TurnOutcome = { kind: "interrupted" };

export interface AcpParticipantOptions {
  readonly definition: ParticipantDefinition;
  readonly teamId: string;
  readonly services: AgentServices;
}

/**
 * A program that speaks the Agent Client Protocol, as a participant. Each has a process and a session of its own. A turn
 * is a prompt; one that waits for the user's decision goes on with the prompt that waits for it.
 */
export class AcpParticipant implements Participant {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly #options: AcpParticipantOptions;
  readonly #role: AgentRole;
  readonly #program: AgentProgram;
  #live: LivePrompt | undefined;
  /** Resolves when the agent has ended the prompt of a turn that was left: it says no more for the next turn then. */
  #left: Promise<unknown> = Promise.resolve();
  /** What prompts took that were cut short: it counts with the next. */
  #unbilled: Usage | undefined;
  #cost = 0;

  constructor(options: AcpParticipantOptions) {
    const { definition } = options;
    const { name, instructions, handoffs = [] } = definition;
    const services = { ...options.services, writeFile: noting(options.services.writeFile, () => this.#live) };
    this.name = name;
    this.#options = { ...options, services };
    this.#role = { name, instructions, handoffs: handoffs.map(asHandoff), user: services.user };
    this.tools = [
      ...agentTools(services, (input, context) => this.#carryOut(input, context)),
      services.readFile,
      services.writeFile,
      terminalTool(services.runCommand, name, () => this.#live),
    ];
    this.#program = new AgentProgram({
      definition,
      services,
      live: () => this.#live,
      useFile: (live, request) => this.#useFile(live, request),
    });
  }

  /** @throws GavelError with a sentence that says what to do. */
  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    try {
      await this.#left;
      const going = this.#live?.turnId === turn.id && this.#program.isRunning ? this.#live : undefined;
      if (this.#live !== undefined && going === undefined) await this.#cancel(this.#live);
      const live = going ?? (await this.#start(turn));
      return live === undefined ? INTERRUPTED : await this.#follow(turn, live);
    } catch (error) {
      if (turn.signal.aborted) return INTERRUPTED;
      if (error instanceof AgentError) throw modelError(error.message, { retryable: true });
      throw error;
    }
  }

  /** A turn that waited for the user is over: it was interrupted, or the conversation is another now. */
  onEvent(event: TeamEvent): void {
    const live = this.#live;
    if (live === undefined || live.isAttached) return;
    const isOver =
      (event.type === "reasoning/conclusion" && event.correlation_id.includes(live.turnId)) ||
      event.type === "team/reset" ||
      event.type === "state/loaded";
    if (isOver) this.#left = this.#cancel(live);
  }

  /** Ends its program. */
  close(): void {
    this.#program.close();
  }

  /** The prompt of a turn; undefined when it is interrupted before. */
  async #start(turn: Turn): Promise<LivePrompt | undefined> {
    const { services } = this.#options;
    const conversation = conversationOf(turn);
    const session = await this.#program.sessionFor(conversation, turn.signal);
    const snapshot = await services.snapshot(turn.signal).catch(() => undefined);
    if (turn.signal.aborted || turn.soft.aborted) return undefined;
    const live = new LivePrompt(turn.id, snapshot);
    this.#live = live;
    const { news, isFirst, told } = session;
    const notes = turn.steps.filter(({ earlier }) => !earlier).flatMap(({ calls }) => calls.map(callNote));
    told.tell(conversation);
    const images = this.#program.takesImages;
    this.#send(live, session, promptBlocks(news, { role: this.#role, isFirst, images, notes }));
    return live;
  }

  #send(live: LivePrompt, session: AgentSession, prompt: Parameters<AgentSession["prompt"]>[0]): void {
    session.prompt(prompt).then(
      (response) => this.#answered(live, session, response),
      (error: unknown) => live.fail(error),
    );
  }

  /** The agent has ended its turn; what the user said no to, and why, it is told then. */
  #answered(live: LivePrompt, session: AgentSession, response: PromptResponse): void {
    const told = live.followUps.splice(0);
    if (told.length === 0 || live.isOver || response.stopReason === "cancelled") live.end(response);
    else this.#send(live, session, [{ type: "text", text: told.join("\n\n") }]);
  }

  async #follow(turn: Turn, live: LivePrompt): Promise<TurnOutcome> {
    const { services, teamId } = this.#options;
    const { told, cwd } = this.#program.session;
    const agentTurn = new AgentTurn(turn, live, { name: this.name, cwd, services, teamId, told });
    live.attach();
    agentTurn.settleWaiting();
    const end = await agentTurn.take().catch((error: unknown) => ({ kind: "failed" as const, error, isFatal: true }));
    switch (end.kind) {
      case "awaitingTools":
        await this.#program.keepSession();
        return end;
      case "stopped":
        return this.#stop(live);
      case "failed":
        this.#live = undefined;
        live.cancelRequests();
        this.#program.failed(end.isFatal);
        throw end.error instanceof AgentError ? new AgentError(this.#failure(end.error)) : end.error;
      case "ended":
        this.#live = undefined;
        return this.#reply(live, end);
    }
  }

  /** Some errors are only the end of a sentence. */
  #failure({ message }: AgentError): string {
    return message.endsWith(".")
      ? message
      : `${this.name} was stopped: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}; continue to start it again.`;
  }

  async #reply(
    live: LivePrompt,
    { text, messageId, response }: Extract<AgentTurnEnd, { kind: "ended" }>,
  ): Promise<TurnOutcome> {
    const cost = live.cost ?? this.#cost;
    const usage = addedUsage(this.#unbilled, withCost(live.usage, this.#cost, cost));
    this.#cost = cost;
    this.#unbilled = undefined;
    if (response.stopReason === "refusal")
      throw new AgentError(`${this.name} refused to answer; change the task, or its instructions.`);
    const reply = withHandoff(
      {
        type: "TextMessage",
        content: text,
        ...(messageId === undefined ? {} : { id: messageId }),
        ...(usage === undefined ? {} : { usage }),
      },
      this.#role.handoffs,
    );
    // A participant does not see its own handoff message.
    await this.#program.turnEnded(reply.type === "HandoffMessage" ? text : "");
    return { kind: "reply", reply };
  }

  /** The turn was interrupted: the agent is told, and ended if it does not answer in time. */
  async #stop(live: LivePrompt): Promise<TurnOutcome> {
    const stopped = await this.#cancel(live);
    await this.#program.turnEnded("");
    if (stopped) return INTERRUPTED;
    const limit = `${CANCEL_MS / 1000} s`;
    const note = `The program did not answer the interrupt within ${limit}, so it was ended. It starts again at its next turn.`;
    return { kind: "interrupted", note };
  }

  /** True if the agent has stopped; otherwise its program is ended. */
  async #cancel(live: LivePrompt): Promise<boolean> {
    if (this.#live === live) this.#live = undefined;
    live.cancelRequests();
    this.#noteLateChanges(live);
    if (live.isOver || !this.#program.isRunning) return true;
    this.#program.cancel();
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), CANCEL_MS);
    const stopped = await Promise.race([live.over.then(() => true), late.promise]);
    clearTimeout(timer);
    if (!stopped) this.#program.kill();
    for (const item of live.inbox.drain())
      if (item.kind === "ended") this.#unbilled = addedUsage(this.#unbilled, usageOf(item.response));
    return stopped;
  }

  /** What the agent has changed by then is noted, whenever it ends. */
  #noteLateChanges({ snapshot, lastChange, over }: LivePrompt): void {
    if (snapshot === undefined || lastChange === undefined) return;
    const note = async (): Promise<void> => {
      if ((await snapshot.changed(new AbortController().signal)).length > 0)
        await snapshot.note(lastChange.ref, lastChange.what);
    };
    void over.then(note).catch(() => {});
  }

  /** A part of a call that the user has just approved: the turn goes on only once that has ended. */
  async #useFile(live: LivePrompt, request: FileRequest): Promise<boolean> {
    if (live.isAttached) return false;
    const { teamId, services } = this.#options;
    const allowed = [...live.calls.values()].filter((call) => call.allowed !== undefined);
    const signal = AbortSignal.any(allowed.flatMap((call) => call.allowed?.signal ?? []));
    return useWithinCalls({ teamId, participant: this.name, services, signal }, request, allowed);
  }

  /** Lets the agent do what the user, or a rule, allows. */
  #carryOut(input: unknown, context: ToolContext): Promise<string> {
    const call = this.#live?.byRef.get(context.ref);
    if (call !== undefined && isDeepStrictEqual(call.requested?.input, input)) {
      const done = call.run(context);
      // It asks for something else already, which the turn has to take first.
      if (this.#live?.isAttached === false && this.#live.inbox.hasRequest) this.#live.leaveCalls();
      return done;
    }
    if (call !== undefined) {
      // What was approved is not what the agent would do.
      call.reject();
      this.#live?.followUps.push(`The user does not want that, but this instead:\n${JSON.stringify(input)}`);
      return Promise.reject(new Error(`${this.name} was not allowed to do this, and is told what you want instead.`));
    }
    const message = `${this.name} does not wait for this any more, as it was started again; it is told that you allowed it, and may ask again.`;
    return Promise.reject(new Error(message));
  }
}

/** What the tool writes for the agent is told apart from what the agent writes by itself. */
const noting = (tool: Tool, live: () => LivePrompt | undefined): Tool => ({
  ...tool,
  run: async (input, context) => {
    const output = await tool.run(input, context);
    const [written] = context.effects?.paths ?? [];
    if (written !== undefined) await live()?.snapshot?.wrote(written.path);
    return output;
  },
});

const asHandoff = (handoff: NonNullable<ParticipantDefinition["handoffs"]>[number]): Handoff =>
  typeof handoff === "string" ? { target: handoff } : handoff;

const conversationOf = ({ earlier, items }: Turn): Conversation => ({ earlier, own: items.slice(earlier.length) });

/** What came of a call that the agent made before it was started again. */
function callNote({ name, input, output }: Turn["steps"][number]["calls"][number]): string {
  const result = typeof output === "string" ? output : JSON.stringify(output);
  return `Before you were started again, you asked for ${name} (${JSON.stringify(input).slice(0, 2_000)}). What came of it: ${result.slice(0, 2_000)}`;
}
