import type { PromptResponse, SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import { LIMITS } from "../../shared/limits.ts";
import { AgentError } from "../agents/agent-error.ts";
import type { RequestedCall, Usage } from "../engine/index.ts";
import type { FileSnapshot } from "./agent-services.ts";
import { type CommandRequest, type FileRequest, Inbox, isRequest } from "./inbox.ts";
import { LiveCall } from "./live-call.ts";

/** How many calls one turn may have, and how many characters what the agent tells about them. */
const MAX_CALLS = 5_000;
const MAX_TOLD = LIMITS.request.characters;

/** A prompt that an agent answers: for one turn, which may wait for the user meanwhile. */
export class LivePrompt {
  readonly turnId: string;
  readonly inbox = new Inbox();
  /** By the agent's own ids. */
  readonly calls = new Map<string, LiveCall>();
  readonly byRef = new Map<string, LiveCall>();
  /** What the agent asked and waits for the user, by the ref of the call that stands for it. */
  readonly waiting = new Map<
    string,
    { readonly requested: RequestedCall; readonly asked: FileRequest | CommandRequest | undefined }
  >();
  /** The commands that the agent has us run, by the ref of the call that stands for each. */
  readonly commands = new Map<string, CommandRequest>();
  /** What the agent is told when it has ended: why the user said no. */
  readonly followUps: string[] = [];
  readonly snapshot: FileSnapshot | undefined;
  /** Resolves when what has changed so far is noted. */
  noting: Promise<void> = Promise.resolve();
  /** The call that changed something last. */
  lastChange: { readonly ref: string; readonly what: string } | undefined;
  usage: Usage | undefined;
  #cost: number | undefined;
  #characters = 0;
  #told = 0;
  #requested = 0;
  #isOver = false;
  #isAttached = true;
  readonly #over = Promise.withResolvers<void>();

  constructor(turnId: string, snapshot: FileSnapshot | undefined) {
    this.turnId = turnId;
    this.snapshot = snapshot;
  }

  /** True once the agent has answered, or has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the agent has answered, or has ended. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get isAttached(): boolean {
    return this.#isAttached;
  }

  /** A turn takes what comes from now on. */
  attach(): void {
    this.#isAttached = true;
    this.inbox.onUnattended = undefined;
  }

  /**
   * No turn takes what comes, as it waits for the user. What needs a turn ends the calls that run meanwhile: it is done once
   * they have ended.
   */
  detach(): void {
    this.#isAttached = false;
    this.inbox.onUnattended = (item) => {
      const needsTurn = isRequest(item) || item.kind === "ended" || item.kind === "failed";
      if (needsTurn || !this.inbox.hasRoom) this.leaveCalls();
    };
  }

  /** Gives the calls that run the results that they have by now. */
  leaveCalls(): void {
    for (const call of this.calls.values()) if (call.isStarted && !call.isOver) call.leave();
    for (const { terminal } of this.commands.values()) terminal.leave();
  }

  /** Everything that the agent still asks is answered, and its commands end: it was cancelled. */
  cancelRequests(): void {
    for (const { asked } of this.waiting.values()) asked?.reject(new Error("The turn was cancelled."));
    this.waiting.clear();
    for (const call of this.calls.values()) call.cancel();
    for (const item of this.inbox.drain()) {
      if (item.kind === "permission") item.request.answer({ outcome: { outcome: "cancelled" } });
      if (item.kind === "file" || item.kind === "command") item.request.reject(new Error("The turn was cancelled."));
    }
    for (const { terminal } of this.commands.values()) terminal.kill();
  }

  /** The call of that id, which is new if the agent has not named it before. @throws AgentError for too many. */
  callOf({ toolCallId }: Pick<ToolCallUpdate, "toolCallId">): LiveCall {
    const known = this.calls.get(toolCallId);
    if (known !== undefined) return known;
    if (this.calls.size >= MAX_CALLS) throw tooManyCalls();
    const call = new LiveCall(this.#terminalText);
    this.calls.set(toolCallId, call);
    return call;
  }

  /** Tells a call what the agent says of it. @throws AgentError for too much. */
  updateCall(call: LiveCall, update: ToolCallUpdate): void {
    this.#told -= call.characters;
    call.update(update);
    this.#told += call.characters;
    if (this.#told > MAX_TOLD)
      throw new AgentError(
        `It told more than ${MAX_TOLD.toLocaleString("en-US")} characters about its calls in one turn`,
      );
  }

  /** One more call is recorded. @throws AgentError for too many. */
  countCall(): void {
    this.#requested += 1;
    if (this.#requested > MAX_CALLS) throw tooManyCalls();
  }

  /** A call in the place of one that is over for the user, or that was shown otherwise. */
  again({ toolCallId }: Pick<ToolCallUpdate, "toolCallId">, before: LiveCall): LiveCall {
    const call = new LiveCall(this.#terminalText, before.state);
    this.calls.set(toolCallId, call);
    if (before.requested !== undefined) before.leave();
    return call;
  }

  end(response: PromptResponse): void {
    this.#end();
    this.inbox.push({ kind: "ended", response });
  }

  fail(error: unknown, isFatal = false): void {
    this.#end();
    this.inbox.push({ kind: "failed", error, isFatal });
  }

  /** What the agent tells. What is of no use here, such as the commands that it has, is passed over. */
  update(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.#text("text", update.content.type === "text" ? update.content.text : otherContent(update.content));
        return;
      case "agent_thought_chunk":
        this.#text("thought", update.content.type === "text" ? update.content.text : "");
        return;
      case "plan":
        this.#text("plan", planText(update.entries));
        return;
      case "tool_call":
      case "tool_call_update": {
        const { sessionUpdate, ...call } = update;
        this.inbox.push({ kind: "call", update: call });
        // While no turn takes it, a call that the user has approved ends by this.
        const known = this.#isAttached ? undefined : this.calls.get(call.toolCallId);
        if (known !== undefined) this.#updateDetached(known, call);
        return;
      }
      case "usage_update":
        if (update.cost?.currency === "USD") this.#cost = update.cost.amount;
        return;
      default:
        return;
    }
  }

  /** What the session has cost so far in US dollars, if the agent says it. */
  get cost(): number | undefined {
    return this.#cost;
  }

  readonly #terminalText = (id: string): string => {
    const one = [...this.commands.values()].find(({ terminal }) => terminal.id === id);
    return one?.terminal.read().output.trim() ?? "";
  };

  #updateDetached(call: LiveCall, update: ToolCallUpdate): void {
    try {
      this.updateCall(call, update);
    } catch (error) {
      this.fail(error, true);
    }
  }

  #text(kind: "text" | "thought" | "plan", text: string): void {
    if (text === "" || this.#isOver) return;
    this.#characters += text.length;
    if (this.#characters > LIMITS.answer.characters) {
      const limit = LIMITS.answer.characters.toLocaleString("en-US");
      this.fail(new AgentError(`It sent more than ${limit} characters in one turn`), true);
      return;
    }
    this.inbox.push({ kind, text });
  }

  #end(): void {
    this.#isOver = true;
    this.#over.resolve();
  }
}

const tooManyCalls = (): AgentError => new AgentError(`It made more than ${MAX_CALLS} calls in one turn`);

const otherContent = (content: { readonly type: string; readonly uri?: string | null }): string =>
  content.type === "resource_link" && typeof content.uri === "string" ? content.uri : "";

const MARKS = { pending: "[ ]", in_progress: "[~]", completed: "[x]" } as const;

function planText(entries: readonly { readonly content: string; readonly status: keyof typeof MARKS }[]): string {
  return `Plan:\n${entries.map(({ content, status }) => `- ${MARKS[status]} ${content.replace(/\s+/g, " ")}`).join("\n")}`;
}
