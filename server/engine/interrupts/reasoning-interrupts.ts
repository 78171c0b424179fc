import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import { type ReasoningAck, ReasoningRequest, type ReasoningStatus } from "../../../shared/contract/reasoning.ts";
import type { Grace, InterruptReceipt } from "../../../shared/contract/team.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import { countOf } from "../count-of.ts";
import { newId } from "../id.ts";
import type { Ledger } from "../log/ledger.ts";
import type { ReasoningAnswer } from "../participants/participant.ts";
import { pathField, samePath } from "../paths.ts";
import type { InterruptOptions } from "../requests.ts";
import type { LiveReasoning } from "../run/live-reasoning.ts";
import type { Timers } from "../timers.ts";
import { type ParticipantLocation, reasoningInterruptsPerMinute, type TeamMember } from "./authority.ts";
import { InterruptRate } from "./interrupt-rate.ts";

/** How long a participant may take to answer an interrupt itself, in milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long a stopping sequence may complete its thought before it is aborted, in milliseconds. */
const STOPPING_TIMEOUT_MS = 1_500;

/** How long an aborted sequence may then take to stop, in milliseconds: after `stopping` it is concluded within 2 s. */
const ABORT_LIMIT_MS = 400;

/** From the status that changes most to the one that changes least. */
const STATUSES: readonly ReasoningStatus[] = ["stopping", "completing_thought", "continuing", "ignored"];

/** A reasoning sequence in progress, and the team that it is in. */
export interface OpenReasoning {
  readonly reasoning: LiveReasoning;
  /** The path of participants that leads to its team. */
  readonly path: readonly string[];
  /** Asks the participant how it responds. */
  readonly ask: (request: ReasoningRequest) => Promise<ReasoningAnswer>;
}

export interface ReasoningInterruptsOptions {
  readonly ledger: Ledger;
  /** The user who acts now. Every user may interrupt everyone. */
  readonly user: () => string;
  readonly timers: Timers;
  /** All participants and monitors of the team and its nested teams. */
  readonly members: () => readonly TeamMember[];
  readonly find: (turnId: string) => OpenReasoning | undefined;
  readonly interrupt: (options: InterruptOptions) => Promise<InterruptReceipt>;
}

/** How an interrupt is acknowledged. `byForce`: no answer came in time. `limited`: the sender has interrupted too often. */
interface ReasoningResponse {
  readonly status: ReasoningStatus;
  readonly message?: string;
  readonly byForce?: true;
  readonly limited?: true;
}

/** Who may have sent a request: the user who acts, and the participants and monitors of the name that it gives. */
interface Sender {
  readonly user: string;
  readonly senders: readonly TeamMember[];
}

/** A sender that may interrupt a sequence, and how often. */
interface Permit {
  readonly sender: TeamMember;
  readonly perMinute: number;
}

/**
 * Interrupts of reasoning: requests with an acknowledgement (the MEW reasoning interruption design, DECISIONS.md). Both are
 * events, even if the request is ignored. `stopping` interrupts the participant after the thought in progress: the run ends,
 * and can continue. A redirection ends the thought too, and the participant starts over with the message in view.
 */
export class ReasoningInterrupts {
  readonly #options: ReasoningInterruptsOptions;
  readonly #rate: InterruptRate;

  constructor(options: ReasoningInterruptsOptions) {
    this.#options = options;
    this.#rate = new InterruptRate(options.timers);
  }

  /**
   * `senderPath`: the participants that lead to the sender's team; without it, the sender is any participant of that name.
   * @throws GavelError `InvalidParams` for an invalid request.
   */
  async interrupt(wanted: ReasoningRequest, senderPath?: readonly string[]): Promise<ReasoningAck> {
    const parsed = safeParse(ReasoningRequest, wanted);
    if (!parsed.success) {
      const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
      throw invalidParams("reasoning/interrupt", problems);
    }
    const request = parsed.data;
    const id = newId("interrupt");
    const user = this.#options.user();
    // Who speaks from within the team says where it is. What comes from elsewhere is some user's act.
    const by = senderPath === undefined ? { by: user } : {};
    this.#options.ledger.record({ type: "reasoning/interrupt", id, ...request, ...by });
    const names = [...new Set(request.to)];
    const senders = this.#senders(request.from, senderPath);
    return combined(await Promise.all(names.map((name) => this.#interruptOne(id, name, request, { user, senders }))));
  }

  async #interruptOne(
    interruptId: string,
    name: string,
    request: ReasoningRequest,
    sender: Sender,
  ): Promise<ReasoningAck> {
    const open = this.#openOf(name, request);
    const refusal = this.#refusal(name, request, open, sender);
    if (refusal !== undefined || open === undefined)
      return this.#acknowledge(interruptId, name, refusal ?? alreadyEnded(name));
    const response = await this.#responseTo(open, request);
    const ack = this.#acknowledge(interruptId, name, response);
    this.#execute(open, request, response);
    return ack;
  }

  /** True if that participant of the team at `path` may interrupt the sequence, but has interrupted too often. */
  isLimited(name: string, path: readonly string[], turnId: string): boolean {
    const open = this.#options.find(turnId);
    if (open === undefined) return false;
    const target = { name: open.reasoning.participant, path: open.path };
    const permits = permitsOf(this.#senders(name, path), target);
    return permits.length > 0 && !permits.some((permit) => this.#isBelow(permit));
  }

  #senders(from: string, senderPath: readonly string[] | undefined): readonly TeamMember[] {
    return this.#options
      .members()
      .filter(({ name, path }) => name === from && (senderPath === undefined || samePath(path, senderPath)));
  }

  #isBelow({ sender, perMinute }: Permit): boolean {
    return this.#rate.isBelow(keyOf(sender), perMinute);
  }

  #openOf(name: string, { correlation_id }: ReasoningRequest): OpenReasoning | undefined {
    const open = correlation_id.map((id) => this.#options.find(id));
    return open.find((sequence) => sequence?.reasoning.participant === name);
  }

  /** Why the request is ignored without asking the participant; undefined if it is not. It is then counted. */
  #refusal(
    name: string,
    { from, correlation_id }: ReasoningRequest,
    open: OpenReasoning | undefined,
    { user, senders }: Sender,
  ): ReasoningResponse | undefined {
    const ignored = (message: string): ReasoningResponse => ({ status: "ignored", message });
    const isUser = from === user;
    if (!isUser && senders.length === 0) return ignored(`There is no participant or monitor "${from}".`);
    if (open === undefined)
      return ignored(`${name} has no reasoning in progress with the id ${correlation_id.join(" or ")}.`);
    if (isUser) return undefined;
    const permits = permitsOf(senders, { name, path: open.path });
    const [first] = permits;
    if (first === undefined) {
      return ignored(
        `${from} lacks the capability reasoning/interrupt for ${name}; grant it in the team file's capabilities.`,
      );
    }
    const permit = permits.find((each) => this.#isBelow(each));
    if (permit === undefined) return { ...ignored(limitText(from, first)), limited: true };
    if (permit.perMinute !== Number.POSITIVE_INFINITY) this.#rate.add(keyOf(permit.sender));
    return undefined;
  }

  /** The participant's own response, or the default for the reason. */
  async #responseTo({ reasoning, ask }: OpenReasoning, request: ReasoningRequest): Promise<ReasoningResponse> {
    const { timers } = this.#options;
    const { promise: tooLate, resolve: expire } = Promise.withResolvers<ReasoningResponse>();
    const cancelTimer = timers.after(ANSWER_TIMEOUT_MS, () =>
      expire({
        status: "stopping",
        message: `${reasoning.participant} did not answer within ${ANSWER_TIMEOUT_MS / 1000} s and is stopped by force.`,
        byForce: true,
      }),
    );
    const own = ask(request).then(
      (status): ReasoningResponse => ({ status: status ?? defaultStatus(request) }),
      (error: unknown): ReasoningResponse => ({
        status: defaultStatus(request),
        message: `The participant failed to answer: ${messageOf(error)}`,
      }),
    );
    try {
      return await Promise.race([own, tooLate, reasoning.ended.then(() => alreadyEnded(reasoning.participant))]);
    } finally {
      cancelTimer();
    }
  }

  #acknowledge(interruptId: string, from: string, { status, message, limited }: ReasoningResponse): ReasoningAck {
    const payload = {
      status,
      ...(message === undefined ? {} : { message }),
      ...(limited === undefined ? {} : { limited }),
    };
    const ack = { id: newId("ack"), from, correlation_id: [interruptId], payload };
    this.#options.ledger.record({ type: "reasoning/interrupt-ack", ...ack });
    return ack;
  }

  #execute(
    { reasoning, path }: OpenReasoning,
    { from, payload }: ReasoningRequest,
    { status, byForce }: ReasoningResponse,
  ): void {
    if (status === "continuing" || status === "ignored") return;
    const { reason, message } = payload;
    const conclusion = message ?? `${from} interrupted this reasoning: ${reason}.`;
    if (status === "completing_thought" && reason === "redirect" && message !== undefined) {
      reasoning.windDown(conclusion, { by: from, text: message });
      return;
    }
    const interrupt = (grace: Grace, limitMs?: number): void => {
      const scope = { participant: reasoning.participant, ...pathField(path) };
      // The receipt is not awaited: an error that keeps it from being recorded fails the run anyway.
      this.#options
        .interrupt({ scope, grace, limitMs, by: from, reason, ...(message === undefined ? {} : { message }) })
        .catch(() => {});
    };
    if (byForce) {
      interrupt("now");
      return;
    }
    reasoning.windDown(conclusion);
    interrupt("thought");
    if (status !== "stopping") return;
    const cancelTimer = this.#options.timers.after(STOPPING_TIMEOUT_MS, () => interrupt("now", ABORT_LIMIT_MS));
    void reasoning.ended.then(cancelTimer);
  }
}

const permitsOf = (senders: readonly TeamMember[], target: ParticipantLocation): readonly Permit[] =>
  senders.flatMap((sender) => {
    const perMinute = reasoningInterruptsPerMinute(sender, target);
    return perMinute === 0 ? [] : [{ sender, perMinute }];
  });

const keyOf = ({ name, path }: ParticipantLocation): string => [...path, name].join("/");

const limitText = (from: string, { perMinute }: Permit): string =>
  `${from} has interrupted reasoning ${countOf(perMinute, "time")} in the last minute, the most that its capability allows; ` +
  "wait, or raise its maxPerMinute in the team file.";

/** The response if the participant gives none. */
const defaultStatus = ({ payload }: ReasoningRequest): ReasoningStatus =>
  payload.reason === "redirect" ? "completing_thought" : "stopping";

const alreadyEnded = (name: string): ReasoningResponse => ({
  status: "ignored",
  message: `${name} had already ended this reasoning.`,
});

/** Combines several acknowledgements: the status that changes most, and the messages of all. */
function combined(acks: readonly ReasoningAck[]): ReasoningAck {
  const [first, ...others] = [...acks].sort(
    (a, b) => STATUSES.indexOf(a.payload.status) - STATUSES.indexOf(b.payload.status),
  );
  if (first === undefined) throw new Error("An interrupt of reasoning names at least one participant.");
  if (others.length === 0) return first;
  const { status } = first.payload;
  const messages = acks.map(({ from, payload }) => `${from}: ${payload.message ?? payload.status}`);
  return { ...first, payload: { status, message: messages.join(" ") } };
}
