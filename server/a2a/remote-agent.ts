import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import { AgentError, type AgentRole, type Conversation, promptBlocks, Told, withHandoff } from "../agents/index.ts";
import type { Handoff, TeamEvent, Turn, TurnOutcome } from "../engine/index.ts";
import { agentFetch } from "./agent-fetch.ts";
import { AgentLink, type AgentUpdate } from "./agent-link.ts";
import { TaskGone } from "./link-errors.ts";
import { assertAddressAllowed, assertAllowed, readCard } from "./read-card.ts";
import type { RemoteServices } from "./remote-services.ts";
import { RemoteTurn } from "./remote-turn.ts";
import { partsOf, textPart } from "./sent-parts.ts";
import { TaskText } from "./task-text.ts";

/** How long an agent may take to answer a cancel, in milliseconds: less than the 2 s in which a receipt must come. */
const CANCEL_MS = 1_500;

const UNNAMED =
  "The agent had not named its task yet, so it could not be told to stop: it may go on with it, which is not shown here.";

export type RemoteOutcome = TurnOutcome | { readonly kind: "failed"; readonly message: string };

interface RemoteAgentOptions {
  readonly definition: ParticipantDefinition;
  readonly services: RemoteServices;
}

/** A task of the agent. */
interface RunningTask {
  readonly id: string;
  /** Not known for one of an earlier process. */
  readonly text?: TaskText;
  /** The turn that waits for the user's answer. */
  readonly waits?: string;
}

/** An agent elsewhere: what it has been told, and what it works on. */
export class RemoteAgent {
  readonly #name: string;
  readonly #options: RemoteAgentOptions;
  readonly #role: AgentRole;
  #link: AgentLink | undefined;
  #told = new Told();
  #contextId = "";
  #task: RunningTask | undefined;
  #isLoaded = false;
  /** It has been sent something, and has not said which task that is. */
  #isUnnamed = false;

  constructor(options: RemoteAgentOptions) {
    const { name, instructions, handoffs = [] } = options.definition;
    this.#name = name;
    this.#options = options;
    this.#role = { name, instructions, handoffs: handoffs.map(asHandoff), user: options.services.user };
  }

  /** Known failures are outcomes: this is a bundle of its own, whose classes of errors are not those of the engine. */
  async takeTurn(turn: Turn): Promise<RemoteOutcome> {
    try {
      return await this.#take(turn);
    } catch (error) {
      if (turn.signal.aborted) return await this.#stop();
      // Where it is, and its key, may be others the next time.
      this.#link = undefined;
      if (error instanceof AgentError) return { kind: "failed", message: error.message };
      throw error;
    }
  }

  /** The turn that waits for the user may be over. */
  onEvent(event: TeamEvent): void {
    const { waits } = this.#task ?? {};
    if (waits === undefined) return;
    const isOver =
      (event.type === "reasoning/conclusion" && event.correlation_id.includes(waits)) ||
      event.type === "team/reset" ||
      event.type === "state/loaded";
    if (isOver) void this.#stop();
  }

  async #take(turn: Turn): Promise<RemoteOutcome> {
    const link = await this.#connect(turn.signal);
    await this.#load();
    const updates = await this.#begin(turn, link);
    return this.#follow(turn, link, updates);
  }

  /** What the agent sends in this turn: its answer to the user's, the rest of what it works on, or something new. */
  async #begin(turn: Turn, link: AgentLink): Promise<AsyncIterable<AgentUpdate>> {
    const conversation: Conversation = { earlier: turn.earlier, own: turn.items.slice(turn.earlier.length) };
    const steps = turn.steps.filter(({ earlier }) => !earlier);
    const answer = steps.at(-1)?.calls.at(-1)?.output;
    const said = this.#told.saidSince(conversation);
    if (answer !== undefined && this.#task !== undefined) {
      const { id, text = new TaskText(steps.map(({ content }) => content).join("")) } = this.#task;
      this.#task = { id, text };
      return this.#sent(turn, link, id, typeof answer === "string" ? answer : JSON.stringify(answer));
    }
    if (this.#task !== undefined && said !== undefined) {
      this.#told = new Told({ ...this.#told.record, said });
      this.#task = { id: this.#task.id, text: new TaskText(said) };
      return this.#resumed(turn, link, this.#task.id, conversation, answer);
    }
    if (this.#task !== undefined) void this.#stop();
    return this.#asked(turn, link, conversation, answer);
  }

  async *#sent(turn: Turn, link: AgentLink, taskId: string, text: string): AsyncIterable<AgentUpdate> {
    yield* link.send({ parts: [textPart(text)], contextId: this.#contextId, taskId }, turn.signal);
  }

  /** Where the agent no longer knows its task, it is given again. */
  async *#resumed(
    turn: Turn,
    link: AgentLink,
    taskId: string,
    conversation: Conversation,
    answer: unknown,
  ): AsyncIterable<AgentUpdate> {
    try {
      yield* link.resume(taskId, turn.signal);
    } catch (error) {
      if (!(error instanceof TaskGone)) throw error;
      this.#task = undefined;
      yield* await this.#asked(turn, link, conversation, answer);
    }
  }

  async #asked(
    turn: Turn,
    link: AgentLink,
    conversation: Conversation,
    answer: unknown,
  ): Promise<AsyncIterable<AgentUpdate>> {
    const known = this.#contextId === "" ? undefined : this.#told.news(conversation);
    const isFirst = known === undefined;
    if (isFirst) this.#contextId = "";
    const news = known ?? { items: [...conversation.earlier, ...conversation.own], cutAfter: undefined };
    const notes = answer === undefined ? [] : [`You had asked the user something. The answer: ${String(answer)}`];
    const blocks = promptBlocks(news, { role: this.#role, isFirst, images: true, notes });
    this.#told.tell(conversation);
    this.#isUnnamed = true;
    return link.send({ parts: partsOf(blocks), contextId: this.#contextId }, turn.signal);
  }

  async #follow(turn: Turn, link: AgentLink, updates: AsyncIterable<AgentUpdate>): Promise<RemoteOutcome> {
    let next = updates;
    for (;;) {
      const remote = new RemoteTurn(turn, {
        name: this.#name,
        text: () => this.#task?.text,
        began: (id, contextId) => this.#began(id, contextId),
      });
      const end = await remote.take(next).catch(async (error: unknown) => {
        this.#told.say(remote.shown);
        await this.#keep();
        throw error;
      });
      this.#isUnnamed = false;
      switch (end.kind) {
        case "ended":
          return await this.#reply(end.text, end.messageId, end.text);
        case "failed":
          this.#told.say(remote.shown);
          if (end.isOver) this.#task = undefined;
          await this.#keep();
          return { kind: "failed", message: end.message };
        case "asks": {
          this.#told.say(end.text);
          this.#task?.text?.cut();
          if (turn.soft.aborted) return await this.#stop();
          const answered = await this.#ask(turn, end.text, end.question);
          if (answered.kind !== "said") return answered;
          if (this.#task === undefined) return await this.#reply("", undefined, "");
          const { waits, ...task } = this.#task;
          this.#task = task;
          next = this.#sent(turn, link, task.id, answered.text);
        }
      }
    }
  }

  /** The user is asked by a call, which may be answered much later. */
  async #ask(
    turn: Turn,
    text: string,
    question: string,
  ): Promise<RemoteOutcome | { readonly kind: "said"; readonly text: string }> {
    const { name } = this.#options.services.askUser.declaration;
    const calls = [{ name, arguments: JSON.stringify({ question }) }];
    const requested = await turn.requestCalls({ text, calls, usage: undefined });
    if (requested === undefined) return await this.#stop();
    if (this.#task !== undefined) this.#task = { ...this.#task, waits: turn.id };
    await this.#keep();
    const [outcome] = await turn.runCalls(requested);
    switch (outcome?.kind) {
      case "pending":
        return { kind: "awaitingTools" };
      case "done":
        return {
          kind: "said",
          text: typeof outcome.output === "string" ? outcome.output : JSON.stringify(outcome.output),
        };
      default:
        return await this.#stop();
    }
  }

  async #began(id: string | undefined, contextId: string): Promise<void> {
    if (id !== undefined) this.#isUnnamed = false;
    const isKnown = (id === undefined || this.#task?.id === id) && (contextId === "" || this.#contextId === contextId);
    if (isKnown) return;
    if (contextId !== "") this.#contextId = contextId;
    if (id !== undefined && this.#task?.id !== id) this.#task = { id, text: new TaskText() };
    await this.#keep();
  }

  async #reply(content: string, messageId: string | undefined, said: string): Promise<RemoteOutcome> {
    this.#task = undefined;
    this.#told.say(said);
    const id = messageId === undefined ? {} : { id: messageId };
    const reply = withHandoff({ type: "TextMessage", content, ...id }, this.#role.handoffs);
    // A participant does not see its own handoff message.
    if (reply.type === "HandoffMessage") this.#told.unsay(said);
    await this.#keep();
    return { kind: "reply", reply };
  }

  /** The turn was interrupted: the agent is told, and left alone if it does not answer in time. */
  async #stop(): Promise<TurnOutcome> {
    const task = this.#task;
    const link = this.#link;
    this.#task = undefined;
    if (task === undefined || link === undefined) {
      const isUnnamed = this.#isUnnamed;
      this.#isUnnamed = false;
      await this.#keep();
      return isUnnamed ? { kind: "interrupted", note: UNNAMED } : { kind: "interrupted" };
    }
    const late = AbortSignal.timeout(CANCEL_MS);
    const timedOut = new Promise<false>((resolve) =>
      late.addEventListener("abort", () => resolve(false), { once: true }),
    );
    const [hasEnded] = await Promise.all([Promise.race([link.cancel(task.id, late), timedOut]), this.#keep()]);
    if (hasEnded) return { kind: "interrupted" };
    const why = late.aborted
      ? `did not answer the interrupt within ${CANCEL_MS / 1000} s`
      : "did not take the interrupt";
    return {
      kind: "interrupted",
      note: `The agent ${why}: it may go on with its task, and what it does is not shown here.`,
    };
  }

  /** Where it is reached; its card is read once. What the user no longer allows is asked about again. @throws AgentError. */
  async #connect(signal: AbortSignal): Promise<AgentLink> {
    const { definition, services } = this.#options;
    const known = this.#link;
    if (known !== undefined) {
      await assertAllowed(this.#options, signal);
      await assertAddressAllowed(this.#options, known.address, signal);
      return known;
    }
    const { used, headers } = await readCard(this.#options, signal);
    await assertAddressAllowed(this.#options, used.address, signal);
    const { keyHeader } = used;
    const fetch = agentFetch({ name: this.#name, services, secret: definition.apiKey?.secret, keyHeader, headers });
    this.#link = await AgentLink.to(this.#name, used, fetch);
    return this.#link;
  }

  /** What an earlier process has kept of it. */
  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const kept = await this.#options.services.session();
    if (kept === undefined || kept.program !== this.#options.definition.url) return;
    this.#told = new Told(kept.told);
    this.#contextId = kept.session;
    if (kept.task !== undefined) this.#task = { id: kept.task };
  }

  /** What cannot be kept is told again, should the host end. */
  async #keep(): Promise<void> {
    const { services, definition } = this.#options;
    const task = this.#task === undefined ? {} : { task: this.#task.id };
    const kept = { session: this.#contextId, program: definition.url ?? "", told: this.#told.record, ...task };
    await services.keepSession(kept).catch(() => {});
  }
}

const asHandoff = (handoff: NonNullable<ParticipantDefinition["handoffs"]>[number]): Handoff =>
  typeof handoff === "string" ? { target: handoff } : handoff;
