import { textOf } from "../../../../shared/contract/message-text.ts";
import { LIMITS } from "../../../../shared/limits.ts";
import { safeParse } from "../../../../shared/safe-parse.ts";
import {
  type ModelCallContext,
  type ModelPart,
  type ModelRequest,
  newId,
  type Turn,
  type TurnOutcome,
} from "../../../engine/index.ts";
import {
  asData,
  type Link,
  type LinkAddress,
  LinkRuntime,
  LostError,
  linkAddress,
  offersSubject,
  type RemoteError,
  type TurnData,
  TurnOutcomeData,
  WorkerOffers,
  workerModels,
  workerPlans,
  workerPreviews,
  workerTools,
  workerTurns,
} from "../../../link/index.ts";
import { connectNats } from "../../../link/nats-link.ts";
import { Parts } from "./parts.ts";
import { RemoteTurn } from "./remote-turn.ts";

/** How long workers may take to say what they offer, in milliseconds. */
const ANSWER_MS = 3_000;
/** How long a worker is looked for that is not there, in milliseconds: it may be starting, or connecting again. */
const PATIENCE_MS = 3_000;
const AGAIN_MS = 200;

export interface WorkerLinkListeners {
  readonly status: (isUp: boolean) => void;
  readonly failed: (message: string) => void;
}

/**
 * What a worker has answered, as data: this is a bundle of its own, whose errors are of other classes. `lost`: the worker
 * was, so what it did is not known.
 */
export type Answered<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: RemoteError }
  | { readonly kind: "lost"; readonly why: string };

/** A call of a tool, as `ToolContext` and the executor have it. */
export interface CallAtWorker {
  readonly tool: string;
  readonly input: unknown;
  readonly teamId: string;
  readonly participant: string;
  readonly ref: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The link of a host to its workers. */
export class WorkerLink {
  readonly name: string;
  readonly warning: string | undefined;
  readonly #link: Link;
  readonly #space: string;
  readonly #runtime: LinkRuntime;
  /** By the name of a worker, the node that was used last: several may have one name. */
  readonly #nodes = new Map<string, string>();

  private constructor(link: Link, { space, silence, warning }: LinkAddress, { status, failed }: WorkerLinkListeners) {
    this.name = link.name;
    this.warning = warning;
    this.#link = link;
    this.#space = space;
    this.#runtime = new LinkRuntime(link, { space, silence }, (error) =>
      failed(error instanceof Error ? error.message : String(error)),
    );
    link.onStatus(status);
  }

  /** @throws Error with one sentence. */
  static async connect(text: string, listeners: WorkerLinkListeners): Promise<WorkerLink> {
    const address = linkAddress(text);
    return new WorkerLink(await connectNats(address), address, listeners);
  }

  /** The worker of that name which was used before or, if it is gone, another one; undefined where there is none. */
  async find(worker: string): Promise<WorkerOffers | undefined> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const offers = await this.#findNow(worker);
      if (offers !== undefined || performance.now() > until) return offers;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  async #findNow(worker: string): Promise<WorkerOffers | undefined> {
    const subject = offersSubject(this.#space, worker);
    const last = this.#nodes.get(worker);
    const known = last === undefined ? undefined : await this.#ask(`${subject}.${last}`);
    const offers = known ?? (await this.#ask(subject));
    if (offers?.worker !== worker) {
      this.#nodes.delete(worker);
      return undefined;
    }
    this.#nodes.set(worker, offers.node);
    return offers;
  }

  /** Has a worker take a turn. Where it is lost, the calls that the host runs for it have ended. */
  async takeTurn(
    node: string,
    turn: Turn,
    name: string,
    data: Omit<TurnData, "host">,
  ): Promise<Answered<TurnOutcome> & { readonly waits?: boolean }> {
    const remote = new RemoteTurn(turn, name, this.#runtime);
    try {
      const { signal, soft } = turn;
      const host = remote.address;
      const outcome = await this.#runtime.send(workerTurns(node), { ...data, host }, { signal, soft });
      const parsed = safeParse(TurnOutcomeData, outcome);
      if (!parsed.success) return failed("The worker ended the turn in no known way.");
      const value = ownOutcome(parsed.data as TurnOutcome, remote);
      const isLong = value.kind === "reply" && textOf(value.reply).length > LIMITS.answer.characters;
      return isLong ? failed("The reply of the worker is too long.") : { kind: "done", value };
    } catch (error) {
      const end = answeredWith(error);
      if (end.kind === "failed" || turn.signal.aborted) return end;
      const outcomes = await remote.settled();
      return { ...end, waits: outcomes.some(({ kind }) => kind === "pending") };
    } finally {
      remote.close();
    }
  }

  /** The user has changed the plan of a participant in its turn. */
  planChanged(node: string, turn: Turn): void {
    this.#runtime.publish(workerPlans(node), { turnId: turn.id, plan: turn.plan });
  }

  async runTool(
    node: string,
    call: CallAtWorker,
    { signal, output }: { readonly signal: AbortSignal; readonly output: (delta: string) => void },
  ): Promise<Answered<unknown>> {
    const topic = { id: newId("output"), node: this.#runtime.node };
    const unregister = this.#runtime.register(topic, (delta: unknown) => {
      if (typeof delta === "string") output(delta);
    });
    const unsubscribe = this.#runtime.subscribe(topic, topic);
    try {
      const value = await this.#runtime.send(workerTools(node), { ...call, output: topic }, { signal });
      return { kind: "done", value };
    } catch (error) {
      return answeredWith(error);
    } finally {
      unsubscribe();
      unregister();
    }
  }

  async preview(node: string, tool: string, input: unknown): Promise<Answered<unknown>> {
    try {
      return { kind: "done", value: await this.#runtime.send(workerPreviews(node), { tool, input }) };
    } catch (error) {
      return answeredWith(error);
    }
  }

  /** Streams the parts of a model's answer; returns how the request has ended. */
  async *stream(
    node: string,
    model: string,
    request: ModelRequest,
    context: ModelCallContext,
  ): AsyncGenerator<ModelPart, Answered<void>, undefined> {
    const parts = new Parts(context);
    const topic = { id: newId("parts"), node: this.#runtime.node };
    const unregister = this.#runtime.register(topic, (news: unknown) => parts.add(news));
    const unsubscribe = this.#runtime.subscribe(topic, topic);
    const { signal, longestWaitMs } = context;
    const longest = longestWaitMs === undefined ? {} : { longestWaitMs };
    const ended = this.#runtime.send(workerModels(node), { model, request, ...longest, parts: topic }, { signal }).then(
      (): Answered<void> => ({ kind: "done", value: undefined }),
      (error: unknown): Answered<void> => answeredWith(error),
    );
    void ended.then(() => parts.end());
    signal.addEventListener("abort", () => parts.end(), { once: true });
    try {
      yield* parts;
      return signal.aborted ? { kind: "done", value: undefined } : await ended;
    } finally {
      unsubscribe();
      unregister();
    }
  }

  async close(): Promise<void> {
    this.#runtime.close();
    await this.#link.close();
  }

  async #ask(subject: string): Promise<WorkerOffers | undefined> {
    const answer = await this.#link.request(subject, new Uint8Array(), ANSWER_MS);
    if (answer === undefined) return undefined;
    try {
      const parsed = safeParse(WorkerOffers, JSON.parse(new TextDecoder().decode(answer)));
      return parsed.success ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }
}

/** A reply has the id of a message that this turn has begun, or a new one. */
function ownOutcome(outcome: TurnOutcome, remote: RemoteTurn): TurnOutcome {
  if (outcome.kind !== "reply" || outcome.reply.id === undefined || remote.hasMessage(outcome.reply.id)) return outcome;
  const { id: _, ...reply } = outcome.reply;
  return { kind: "reply", reply };
}

const answeredWith = (error: unknown): Exclude<Answered<never>, { kind: "done" }> =>
  error instanceof LostError ? { kind: "lost", why: error.message } : { kind: "failed", error: asData(error) };

const failed = (message: string) => ({ kind: "failed", error: { kind: "other", message } }) as const;
