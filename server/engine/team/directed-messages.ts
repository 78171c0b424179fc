import { invalidParams } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { InterruptReceipt, PendingTool, TaskResult } from "../../../shared/contract/team.ts";
import { hasAddressee, threadMessages, type UserMessage, userMessage } from "../context/user-message.ts";
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
  /** The user who acts now. */
  readonly user: () => string;
  readonly currentRun: CurrentRun;
  readonly waiting: WaitingMessages;
  /** Starts a run with messages to the whole team; they are the input of a user participant that has the turn. */
  readonly run: (
    messages: readonly ChatMessage[],
    texts: readonly string[],
    options: SendOptions,
  ) => Promise<TaskResult>;
  readonly interrupt: (options: InterruptOptions) => Promise<InterruptReceipt>;
  /** @throws GavelError `InvalidResume` while calls are pending. */
  readonly assertNothingPending: () => void;
  /** @throws GavelError `TeamBusy` while decisions on calls are recorded. */
  readonly assertDecided: () => void;
  /** Cancels these waiting calls, as the user sends a message instead. */
  readonly cancelCalls: (calls: readonly PendingTool[]) => void;
}

/** The user's messages to single participants and to the whole team: delivered at once, or queued for later. */
export class DirectedMessages {
  readonly #options: DirectedMessagesOptions;

  constructor(options: DirectedMessagesOptions) {
    this.#options = options;
  }

  /** See `Team.sendUserMessage`. */
  async send(to: string | undefined, texts: readonly string[], given: SendOptions): Promise<TaskResult> {
    // Whatever follows from it, also later, is done in the sender's name.
    const by = given.by ?? this.#options.user();
    const options = { ...given, by };
    const { ledger, currentRun, waiting, interrupt } = this.#options;
    if (to !== undefined) addresseeOf(ledger.state, to);
    this.#assertAllowed(options);
    if (texts.length === 0) {
      throw invalidParams("team/sendUserMessage", [{ path: "messages", message: "give at least one message" }]);
    }
    const { then = "continue", timeoutMs = ANSWER_TIMEOUT_MS, delivery = "now" } = options;
    const message = newMessage(to, texts, options);
    const waits = currentRun.run !== undefined || ledger.state.pendingTools.length > 0;
    if (waits && delivery !== "now") {
      const queued = { ...message, delivery, then, timeoutMs };
      return currentRun.run === undefined ? waiting.addAtRest(queued) : waiting.add(queued, options.signal);
    }
    const reason = to === undefined ? "a message for the team" : "a message for one participant";
    while (currentRun.run !== undefined) await interrupt({ reason, by });
    this.#assertAllowed(options);
    if (!hasAddressee(message)) {
      this.#options.cancelCalls(ledger.state.pendingTools);
      return this.#options.run(threadMessages(message), texts, options);
    }
    this.#options.cancelCalls(callsOf(ledger.state, addresseeOf(ledger.state, message.to)));
    const answer = Promise.withResolvers<TaskResult>();
    const request = { message, then, timeoutMs, waited: false, onAnswer: answer.resolve };
    const run = currentRun.start({ cause: "userMessage", request, by }, options);
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
    const start = (): void => {
      if (hasAddressee(next)) {
        const message = userMessage(next, user());
        const request = { message, then, timeoutMs, waited: true };
        currentRun.start({ cause: "userMessage", request, by: message.by });
      } else {
        const message = userMessage(next, user());
        currentRun.start({ cause: "run", messages: threadMessages(message), waited: id, by: message.by });
      }
    };
    try {
      // The run before it was perhaps somebody else's.
      waiting.inNameOfSender(id, start);
    } catch (error) {
      waiting.fail(id, error);
    }
  }
}

function newMessage(
  to: string | undefined,
  texts: readonly string[],
  { by, visibility, context }: SendOptions & { readonly by: string },
): UserMessage {
  return {
    id: newId("user"),
    by,
    ...(to === undefined ? {} : { to }),
    messages: [...texts],
    ...(visibility === undefined ? {} : { visibility }),
    ...(context === undefined || context.length === 0 ? {} : { context: [...context] }),
  };
}
