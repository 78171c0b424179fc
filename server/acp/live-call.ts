import type { PermissionOptionKind, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import type { CallEffects, RequestedCall, ToolContext } from "../engine/index.ts";
import { type AgentCallState, agentCallOutput, newAgentCall, updatedCall } from "./agent-call.ts";
import { charactersIn } from "./characters-in.ts";
import type { PermissionRequest } from "./inbox.ts";

/** The result of a call that goes on while the turn waits for the user, or that the agent did not end. */
const GOES_ON = "The agent has started this.";

interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

/** A call of an agent during a prompt, from its announcement to its result. */
export class LiveCall {
  /** Once it is recorded. */
  requested: RequestedCall | undefined;
  /** What the agent was allowed to do with it, while it does it. */
  allowed: ToolContext | undefined;
  /** True once it was given to the executor. */
  isStarted = false;
  #state: AgentCallState;
  #characters = 0;
  #permission: PermissionRequest | undefined;
  readonly #terminalText: (id: string) => string;
  /** The command that the user has accepted with it, which the agent may have us run. */
  #accepted: CallEffects["command"];
  readonly #result = Promise.withResolvers<CallResult>();
  #isOver = false;

  constructor(terminalText: (id: string) => string, state: AgentCallState = newAgentCall) {
    this.#terminalText = terminalText;
    this.#state = state;
  }

  get state(): AgentCallState {
    return this.#state;
  }

  /** How many characters the agent has told of it. */
  get characters(): number {
    return this.#characters;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  update(update: ToolCallUpdate): void {
    this.#state = updatedCall(this.#state, update);
    this.#characters = charactersIn(this.#state);
    if (update.status !== "completed" && update.status !== "failed") return;
    this.#accepted = undefined;
    if (update.status === "completed") this.end({ text: this.#output, isError: false });
    else this.end({ text: this.#output || "It failed.", isError: true });
  }

  /** The agent waits for the user's permission for this call. */
  ask(permission: PermissionRequest): void {
    this.#permission = permission;
  }

  /** The call as our executor runs it: once it may, the agent does, and this resolves with what the agent tells of it. */
  async run(context: ToolContext): Promise<string> {
    this.#answer("allow_once", "allow_always");
    this.allowed = context;
    if (context.metadata["resumed"] === true) this.#accepted = context.effects?.command;
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(new Error("The agent can only be stopped as a whole, and goes on."));
    context.signal.addEventListener("abort", onAbort, { once: true });
    if (context.signal.aborted) onAbort();
    try {
      const { text, isError } = await Promise.race([this.#result.promise, aborted.promise]);
      if (isError) throw new Error(text);
      return text;
    } finally {
      this.allowed = undefined;
      context.signal.removeEventListener("abort", onAbort);
    }
  }

  /** Gives the call the result that it has by now. */
  leave(): void {
    if (this.#permission === undefined) this.end({ text: this.#output || GOES_ON, isError: false });
  }

  /** The command that the user has accepted with this call and that has not been run since; undefined for none. */
  get acceptedCommand(): CallEffects["command"] {
    return this.#accepted;
  }

  /** The command that the user has accepted is run: once. */
  useAccepted(): void {
    this.#accepted = undefined;
  }

  /** Tells the agent that it may not. */
  reject(): void {
    this.#answer("reject_once", "reject_always");
    this.end({ text: "", isError: true });
  }

  /** The prompt is cancelled. */
  cancel(): void {
    this.#permission?.answer({ outcome: { outcome: "cancelled" } });
    this.#permission = undefined;
  }

  /** What a call comes to counts once. */
  end(result: CallResult): void {
    this.#isOver = true;
    this.#result.resolve(result);
  }

  get #output(): string {
    return agentCallOutput(this.#state, this.#terminalText);
  }

  /** Of the options that the agent offers, the one that decides least. Rules for more are the user's own, in Gavel. */
  #answer(...kinds: readonly PermissionOptionKind[]): void {
    const permission = this.#permission;
    this.#permission = undefined;
    if (permission === undefined) return;
    const option = kinds.flatMap((kind) => permission.options.filter((one) => one.kind === kind))[0];
    permission.answer({
      outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId },
    });
  }
}
