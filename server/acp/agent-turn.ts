import { isDeepStrictEqual } from "node:util";
import type { PromptResponse, ToolCallUpdate } from "@agentclientprotocol/sdk/unstable";
import { isRecord } from "../../shared/json-record.ts";
import { LIMITS } from "../../shared/limits.ts";
import { AgentError } from "../agents/agent-error.ts";
import type { Told } from "../agents/told.ts";
import {
  type CallOutcome,
  type ExecutableCall,
  newId,
  type RequestedCall,
  type Turn,
  type TurnOutcome,
} from "../engine/index.ts";
import { acceptedFolder } from "./accepted-command.ts";
import { type AgentCallInput, agentCallInput, agentToolName, isReadOnlyKind } from "./agent-call.ts";
import type { AgentServices } from "./agent-services.ts";
import { type AgentItem, type CommandRequest, type FileRequest, isRequest, type PermissionRequest } from "./inbox.ts";
import type { LiveCall } from "./live-call.ts";
import type { LivePrompt } from "./live-prompt.ts";
import { usageOf } from "./usage.ts";
import { useWithinCalls } from "./within-calls.ts";

/** How long a call about which the agent says nothing more is left unshown, in milliseconds: it may ask about it. */
const ANNOUNCE_MS = 1_000;

export interface AgentTurnOptions {
  readonly name: string;
  readonly cwd: string;
  readonly services: AgentServices;
  readonly teamId: string;
  /** What the session knows; what the agent says is added. */
  readonly told: Told;
}

/** How far a turn has come: it ended, it waits for the user, it was interrupted, or the agent has failed. */
export type AgentTurnEnd =
  | Extract<TurnOutcome, { kind: "awaitingTools" }>
  | {
      readonly kind: "ended";
      readonly text: string;
      readonly messageId: string | undefined;
      readonly response: PromptResponse;
    }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly error: unknown; readonly isFatal: boolean };

/** Turns what an agent sends during a prompt into the events of one turn. */
export class AgentTurn {
  readonly #turn: Turn;
  readonly #live: LivePrompt;
  readonly #options: AgentTurnOptions;
  /** The calls that run beside what the agent sends. */
  readonly #runs = new Set<Promise<void>>();
  #messageId: string | undefined;
  #text = "";
  #thought = "";
  #plan = "";
  /** The text that is left is the turn's message: no call takes it. */
  #isEnding = false;

  constructor(turn: Turn, live: LivePrompt, options: AgentTurnOptions) {
    this.#turn = turn;
    this.#live = live;
    this.#options = options;
  }

  /** Takes what comes until the turn ends, or has to wait. */
  async take(): Promise<AgentTurnEnd> {
    const { signal, soft } = this.#turn;
    try {
      for (;;) {
        const item = await this.#live.inbox.next(signal);
        if (item === undefined) return { kind: "stopped" };
        // What the agent has begun is finished: the next step is not started.
        if (soft.aborted && item.kind !== "text" && item.kind !== "thought" && item.kind !== "ended") {
          this.#giveBack(item);
          return { kind: "stopped" };
        }
        const end = await this.#use(item);
        if (end !== undefined) return end;
      }
    } finally {
      this.#options.told.say(this.#text);
    }
  }

  /** Answers what the agent asked before the turn had to wait, by what came of the calls. */
  settleWaiting(): void {
    const results = new Map(this.#turn.steps.flatMap(({ calls }) => calls.map((call) => [call.ref, call] as const)));
    for (const [ref, { requested, asked }] of this.#live.waiting) {
      const { output = "It was not decided.", isError = true } = results.get(ref) ?? {};
      if (asked !== undefined) answer(asked, output, isError);
      else this.#settlePermission(ref, requested, output, isError);
    }
    this.#live.waiting.clear();
  }

  #settlePermission(ref: string, { input }: RequestedCall, output: unknown, isError: boolean): void {
    const call = this.#live.byRef.get(ref);
    // One that was approved has run, and was answered by that.
    if (call === undefined || call.isOver || call.allowed !== undefined) return;
    call.reject();
    const title = isRecord(input) && typeof input["title"] === "string" ? input["title"] : "what you asked for";
    const said = typeof output === "string" ? output : JSON.stringify(output);
    if (!isError) this.#live.followUps.push(`Instead of "${title}", the user gave you this result:\n${said}`);
    else if (said.includes(": ")) this.#live.followUps.push(`About "${title}": ${said}`);
  }

  async #use(item: AgentItem): Promise<AgentTurnEnd | undefined> {
    switch (item.kind) {
      case "text":
        return this.#say(item.text);
      case "thought":
        this.#thought += item.text;
        this.#turn.emit({ type: "reasoning/chunk", ...this.#self, delta: item.text });
        return undefined;
      case "plan":
        return this.#showPlan(item.text);
      case "call":
        return this.#takeCall(item.update);
      case "announce": {
        const call = this.#live.calls.get(item.id);
        return call === undefined || call.requested !== undefined ? undefined : this.#report(call);
      }
      case "permission":
        return this.#askPermission(item.request);
      case "file":
        return this.#useFile(item.request);
      case "command":
        return this.#runCommand(item.request);
      case "changed":
        this.#noteChangesOf(item);
        return undefined;
      case "pending":
        // Others may end meanwhile, but the turn waits now.
        this.#live.detach();
        this.#live.leaveCalls();
        await Promise.all(this.#runs);
        return { kind: "awaitingTools" };
      case "ended":
        return this.#end(item.response);
      case "failed":
        return item;
    }
  }

  get #self() {
    return { from: this.#options.name, correlation_id: [this.#turn.id] };
  }

  #say(delta: string): undefined {
    const source = this.#options.name;
    if (this.#messageId === undefined) {
      this.#messageId = newId("msg");
      this.#turn.emit({ type: "message/started", messageId: this.#messageId, source });
    }
    this.#text += delta;
    this.#turn.emit({ type: "message/chunk", messageId: this.#messageId, source, delta });
  }

  /** Each plan is a thought of its own. */
  #showPlan(text: string): undefined {
    if (text === this.#plan) return;
    this.#plan = text;
    this.#endThought();
    this.#turn.emit({ type: "reasoning/thought", ...this.#self, message: text });
  }

  #endThought(): void {
    if (this.#thought.trim() !== "")
      this.#turn.emit({ type: "reasoning/thought", ...this.#self, message: this.#thought });
    this.#thought = "";
  }

  async #takeCall(update: ToolCallUpdate): Promise<AgentTurnEnd | undefined> {
    const isNew = !this.#live.calls.has(update.toolCallId);
    const call = this.#live.callOf(update);
    this.#live.updateCall(call, update);
    if (update.status === "completed" && call.requested !== undefined) this.#noteChanges(call);
    if (call.isStarted) return undefined;
    const runs = update.status === "in_progress" || call.isOver;
    if (runs) return this.#report(call);
    if (isNew) {
      const { inbox } = this.#live;
      setTimeout(() => inbox.push({ kind: "announce", id: update.toolCallId }), ANNOUNCE_MS).unref();
    }
    return undefined;
  }

  /** Records and runs a call that the agent makes without asking. */
  async #report(call: LiveCall): Promise<AgentTurnEnd | undefined> {
    const requested = await this.#request(call);
    if (requested === undefined) return { kind: "stopped" };
    call.isStarted = true;
    this.#run({ ...requested, reported: true });
    if (call.isOver) this.#noteChanges(call);
    return undefined;
  }

  async #askPermission(request: PermissionRequest): Promise<AgentTurnEnd | undefined> {
    const { toolCall } = request;
    let call = this.#live.callOf(toolCall);
    this.#live.updateCall(call, toolCall);
    const isShown = call.requested !== undefined && isDeepStrictEqual(call.requested.input, this.#inputOf(call));
    if (call.isStarted || call.isOver || (call.requested !== undefined && !isShown)) {
      // What the agent asks now is judged by itself, whatever it has said before.
      call = this.#live.again(toolCall, call);
    }
    call.ask(request);
    const requested = call.requested ?? (await this.#request(call));
    if (requested === undefined) return { kind: "stopped" };
    call.isStarted = true;
    this.#run(requested, undefined, call);
    return undefined;
  }

  async #useFile(request: FileRequest): Promise<AgentTurnEnd | undefined> {
    const covering = [...this.#live.calls.values()].filter((call) => call.isStarted && !call.isOver);
    const { teamId, name: participant, services } = this.#options;
    const done = await useWithinCalls({ teamId, participant, services, signal: this.#turn.signal }, request, covering);
    if (done) return undefined;
    const requested = await this.#requestCall(request.tool, request.input);
    if (requested === undefined) {
      request.reject(new Error("The turn was interrupted."));
      return { kind: "stopped" };
    }
    this.#run(requested, request);
    return undefined;
  }

  async #runCommand(request: CommandRequest): Promise<AgentTurnEnd | undefined> {
    const requested = await this.#requestCall(request.tool, request.input);
    if (requested === undefined) {
      request.reject(new Error("The turn was interrupted."));
      return { kind: "stopped" };
    }
    this.#live.commands.set(requested.ref, request);
    const folder = await acceptedFolder(this.#options.services, requested.input, this.#live.calls.values());
    const accepted = folder === undefined ? {} : { resumed: { metadata: {}, asked: { places: [folder] } } };
    this.#run({ ...requested, ...accepted }, request);
    return undefined;
  }

  /** Runs a call beside what the agent sends. */
  #run(requested: ExecutableCall, file?: FileRequest | CommandRequest, asked?: LiveCall): void {
    const { ref } = requested;
    const ended = (outcome: CallOutcome | undefined): void => {
      switch (outcome?.kind) {
        case "done":
          if (file !== undefined) answer(file, outcome.output, outcome.isError);
          else if (asked !== undefined && !asked.isOver) this.#settlePermission(ref, requested, outcome.output, true);
          return;
        case "pending":
          this.#live.waiting.set(ref, { requested, asked: file });
          this.#live.inbox.push({ kind: "pending", ref });
          return;
        default:
          if (file !== undefined) answer(file, "The user interrupted this call.", true);
          asked?.cancel();
      }
    };
    const run = this.#turn.runCalls([requested]).then(
      ([outcome]) => ended(outcome),
      () => ended(undefined),
    );
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }

  #inputOf(call: LiveCall): AgentCallInput {
    return agentCallInput(call.state, this.#options.cwd);
  }

  async #request(call: LiveCall): Promise<RequestedCall | undefined> {
    if (call.requested !== undefined) return call.requested;
    const requested = await this.#requestCall(agentToolName(call.state.kind), this.#inputOf(call));
    if (requested === undefined) return undefined;
    call.requested = requested;
    this.#live.byRef.set(requested.ref, call);
    return requested;
  }

  /** Records a call, and with it the text before it. */
  async #requestCall(name: string, input: unknown): Promise<RequestedCall | undefined> {
    if (this.#isEnding) return this.#recordCall(name, input, "");
    this.#endThought();
    const requested = await this.#recordCall(name, input, this.#text);
    if (requested === undefined) return undefined;
    this.#options.told.say(this.#text);
    this.#text = "";
    this.#messageId = undefined;
    return requested;
  }

  async #recordCall(name: string, input: unknown, text: string): Promise<RequestedCall | undefined> {
    this.#live.countCall();
    const calls = [{ name, arguments: JSON.stringify(input) }];
    if ((calls[0]?.arguments.length ?? 0) > LIMITS.value.characters)
      throw new AgentError("It made a call that is too large");
    return (await this.#turn.requestCalls({ text, calls, usage: undefined }))?.[0];
  }

  /** Notes what has changed on the disk, once that is so: the agent may go on meanwhile. */
  #noteChanges(call: LiveCall): void {
    const { requested, state } = call;
    if (requested === undefined || isReadOnlyKind(state.kind)) return;
    this.#noteChangesOf({ ref: requested.ref, what: state.title });
  }

  #noteChangesOf(made: { readonly ref: string; readonly what: string }): void {
    const { snapshot } = this.#live;
    if (snapshot === undefined) return;
    this.#live.lastChange = made;
    this.#live.noting = this.#live.noting.then(() => noteChanges(snapshot, made, this.#turn.signal));
  }

  async #end(response: PromptResponse): Promise<AgentTurnEnd> {
    this.#isEnding = true;
    this.#live.leaveCalls();
    for (const call of this.#live.calls.values()) {
      if (call.requested === undefined && call.state.title !== "") {
        call.leave();
        const stopped = await this.#report(call);
        if (stopped !== undefined) return stopped;
      }
    }
    await this.#live.noting;
    await this.#noteRest();
    await Promise.all(this.#runs);
    this.#endThought();
    this.#live.usage = usageOf(response);
    return { kind: "ended", text: this.#text, messageId: this.#messageId, response };
  }

  /** Files that have changed and belong to no call: a call stands for them. */
  async #noteRest(): Promise<void> {
    const { snapshot, lastChange } = this.#live;
    const { signal } = this.#turn;
    const paths = (await snapshot?.changed(signal).catch(() => [])) ?? [];
    if (snapshot === undefined || paths.length === 0 || signal.aborted) return;
    if (lastChange !== undefined) return snapshot.note(lastChange.ref, lastChange.what);
    const call = this.#live.callOf({ toolCallId: `changes of ${this.#turn.id}` });
    call.update({ toolCallId: "", kind: "edit", title: "Changed files", locations: paths.map((path) => ({ path })) });
    call.leave();
    await this.#report(call);
    if (call.requested !== undefined) await snapshot.note(call.requested.ref, "Changed files");
  }

  /** What is not used any more is answered when the prompt is cancelled. */
  #giveBack(item: AgentItem): void {
    if (isRequest(item) || item.kind === "failed") this.#live.inbox.push(item);
  }
}

async function noteChanges(
  snapshot: NonNullable<LivePrompt["snapshot"]>,
  { ref, what }: { readonly ref: string; readonly what: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    if ((await snapshot.changed(signal)).length > 0) await snapshot.note(ref, what);
  } catch {
    // What the agent did is done, whether or not it can be told.
  }
}

/** The answer to a request, from the call that stands for it; a command was answered when it started. */
function answer(request: FileRequest | CommandRequest, output: unknown, isError: boolean): void {
  if (isError) request.reject(new Error(typeof output === "string" ? output : JSON.stringify(output)));
  else request.resolve(output);
  if (request.tool === "runCommand") request.terminal.settle();
}
