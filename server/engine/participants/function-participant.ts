import type { ChatMessage } from "../../../shared/contract/message.ts";
import { type Collector, collectStream } from "../cancellation/collector.ts";
import type { Reply } from "../context/reply.ts";
import { newId } from "../id.ts";
import type { Participant, Turn, TurnOutcome } from "./participant.ts";

/** What a function participant replies: a text, a stream of text, or a whole message. */
export type FunctionReply = string | AsyncIterable<string> | Reply;

/** Replies for a participant, given the thread; `signal` is aborted by an interrupt. */
export type ReplyFunction = (
  thread: readonly ChatMessage[],
  signal: AbortSignal,
) => FunctionReply | Promise<FunctionReply>;

/**
 * A participant that is a function. A stream of text is shown as it comes, and its partial is kept when it is interrupted.
 */
export class FunctionParticipant implements Participant {
  readonly name: string;
  readonly #reply: ReplyFunction;

  constructor(name: string, reply: ReplyFunction) {
    this.name = name;
    this.#reply = reply;
  }

  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    const reply = await this.#reply(turn.thread, turn.signal);
    if (turn.signal.aborted) return { kind: "interrupted" };
    if (typeof reply === "string") return { kind: "reply", reply: { type: "TextMessage", content: reply } };
    if (!(Symbol.asyncIterator in reply)) return { kind: "reply", reply };
    return this.#stream(turn, reply);
  }

  async #stream(turn: Turn, reply: AsyncIterable<string>): Promise<TurnOutcome> {
    const messageId = newId("msg");
    turn.emit({ type: "message/started", messageId, source: this.name });
    let content = "";
    const collector: Collector<string, string> = {
      add: (delta) => {
        content += delta;
        turn.emit({ type: "message/chunk", messageId, source: this.name, delta });
      },
      result: () => content,
    };
    const { status, error } = await collectStream(() => reply, collector, turn.signal);
    if (status.code === "interrupted") return { kind: "interrupted" };
    if (error !== undefined) throw error;
    return { kind: "reply", reply: { id: messageId, type: "TextMessage", content } };
  }
}
