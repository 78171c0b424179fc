import { invalidParams } from "../../../shared/contract/errors.ts";
import type { InterruptReceipt, PendingTool, TaskResult } from "../../../shared/contract/team.ts";
import { directedMessage } from "../context/user-message.ts";
import { newId } from "../id.ts";
import { addresseeOf } from "../log/addressee.ts";
import type { Ledger } from "../log/ledger.ts";
import { callsOf } from "../log/waiting-calls.ts";
import type { InterruptOptions, SendOptions } from "../requests.ts";
import { ANSWER_TIMEOUT_MS } from "../run/run-trigger.ts";
import type { CurrentRun } from "./current-run.ts";
import type { WaitingMessages } from "./waiting-messages.ts";

export interface DirectedMessagesOptions {
  readonly ledger: Ledger;
  readonly user: string;
  readonly currentRun: CurrentRun;
  readonly waiting: WaitingMessages;
  readonly interrupt: (options: InterruptOptions) => Promise<InterruptReceipt>;
  /** @throws GavelError `InvalidResume` while calls are pending. */
  readonly assertNothingPending: () => void;
  /** @throws GavelError `TeamBusy` while decisions on calls are recorded. */
  readonly assertDecided: () => void;
  /** Cancels these waiting calls, as the user sends a message instead. */
  readonly cancelCalls: (calls: readonly PendingTool[]) => void;
}

/** The user's messages to single participants: delivered at once, or queued for later. */
export class DirectedMessages {
  readonly #options: DirectedMessagesOptions;

  constructor(options: DirectedMessagesOptions) {
    this.#options = options;
  }

  /** See `Team.sendUserMessage`. */
  async send(to: string, texts: readonly string[], options: SendOptions): Promise<TaskResult> {
    const { ledger, user, currentRun, waiting, interrupt } = this.#options;
    addresseeOf(ledger.state, to);
    this.#assertAllowed(options);
    if (texts.length === 0) {
      throw invalidParams("team/sendUserMessage", [{ path: "messages", message: "give at least one message" }]);
    }
    const {
      then = "continue",
      timeoutMs = ANSWER_TIMEOUT_MS,
      delivery = "now",
      by = user,
      visibility,
      context,
    } = options;
    const id = newId("user");
    const message = {
      id,
      by,
      to,
      messages: [...texts],
      ...(visibility === undefined ? {} : { visibility }),
      ...(context === undefined || context.length === 0 ? {} : { context: [...context] }),
    };
    const waits = currentRun.run !== undefined || ledger.state.pendingTools.length > 0;
    if (waits && delivery !== "now") {
      const queued = { ...message, delivery, then, timeoutMs };
      return currentRun.run === undefined ? waiting.addAtRest(queued) : waiting.add(queued, options.signal);
    }
    while (currentRun.run !== undefined) await interrupt({ reason: "a message for one participant", by: options.by });
    this.#assertAllowed(options);
    this.#options.cancelCalls(callsOf(ledger.state, addresseeOf(ledger.state, to)));
    const answer = Promise.withResolvers<TaskResult>();
    const request = { message, then, timeoutMs, waited: false, onAnswer: answer.resolve };
    const run = currentRun.start({ cause: "userMessage", request }, options);
    // The request is completed by the answer, whether or not a condition ends the run then (PROTOCOL.md, "Directed
    // messages").
    return Promise.race([answer.promise, run.ended.then((result) => run.answeredResult ?? result)]);
  }

  /**
   * While calls are pending, only a message that says when it is delivered is taken: to a client that does not know of this,
   * the calls come first.
   */
  #assertAllowed({ delivery }: SendOptions): void {
    if (delivery === undefined) this.#options.assertNothingPending();
    else this.#options.assertDecided();
  }

  /** Delivers the next queued message, unless a run is in progress or calls are pending. */
  deliverNext(): void {
    const { ledger, user, currentRun, waiting } = this.#options;
    const { next } = waiting;
    if (next === undefined || currentRun.run !== undefined || ledger.state.pendingTools.length > 0) return;
    const { id, then = "continue", timeoutMs = ANSWER_TIMEOUT_MS } = next;
    const message = directedMessage(next, user);
    try {
      currentRun.start({ cause: "userMessage", request: { message, then, timeoutMs, waited: true } });
    } catch (error) {
      waiting.fail(id, error);
    }
  }
}
