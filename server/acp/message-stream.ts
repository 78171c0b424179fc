import { setImmediate } from "node:timers/promises";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable";
import { isRecord } from "../../shared/json-record.ts";
import { LIMITS } from "../../shared/limits.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { sizeProblem } from "../../shared/size-problem.ts";
import { AgentError } from "../agents/agent-error.ts";
import type { ProgramProcess } from "../programs/index.ts";

/**
 * The longest message, in bytes, and how many lines that are no message are passed over: programs that start it may
 * write some.
 */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_OTHER_LINES = 200;

/** How many characters of answers may wait for a program that does not read them, before no more is read of it. */
const MAX_UNREAD = LIMITS.request.characters;

/** After so many messages, others get their turn of the event loop. */
const BATCH = 50;

const LIMIT = { depth: LIMITS.value.depth, text: LIMITS.message.text };

/**
 * The messages of a program, one a line. They are read as fast as they are wanted, and no faster than `ready` allows: an
 * agent that floods waits. The stream ends with an AgentError for a message that is too large, and for too much that is
 * none.
 */
export function messageStream(
  { input, output }: Pick<ProgramProcess, "input" | "output">,
  ready: () => Promise<void>,
): Stream {
  const lines = linesOf(output);
  const unread = new Unread();
  let others = 0;
  let read = 0;
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          await ready();
          await unread.room();
          if (++read % BATCH === 0) await setImmediate();
          const { value: line, done } = await lines.next();
          if (done) return controller.close();
          const message = messageOfLine(line);
          if (message !== undefined) return controller.enqueue(message);
          if (line.trim() !== "" && ++others > MAX_OTHER_LINES)
            throw new AgentError("It does not speak the Agent Client Protocol: its output is not JSON-RPC");
        }
      },
      cancel: async () => void (await lines.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<AnyMessage>({
    write(message, controller) {
      const line = `${JSON.stringify(message)}\n`;
      unread.add(line.length);
      // The next message does not wait for it: what waits is counted.
      input.write(line, (error) => {
        unread.add(-line.length);
        if (error) controller.error(error);
      });
    },
  });
  return { readable, writable };
}

/** What a program was sent and has not read. */
class Unread {
  #characters = 0;
  #wake = Promise.withResolvers<void>();

  add(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MAX_UNREAD) return;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Resolves when more may be sent. */
  async room(): Promise<void> {
    while (this.#characters > MAX_UNREAD) await this.#wake.promise;
  }
}

/** Undefined for a line that is no message. @throws AgentError for one that is nested too deep, or has too long a text. */
function messageOfLine(line: string): AnyMessage | undefined {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    if (error instanceof RangeError) throw new AgentError("It sent a message that is nested too deep");
    return undefined;
  }
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return undefined;
  const problem = sizeProblem(value, LIMIT);
  if (problem !== undefined) throw new AgentError(`It sent a message that ${problem.split(";")[0] ?? problem}`);
  // The SDK checks what is in it.
  return value as AnyMessage;
}

async function* linesOf(output: AsyncIterable<Buffer>): AsyncGenerator<string, undefined, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const bytes of output) {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      parts.push(bytes.subarray(from, end));
      yield Buffer.concat(parts).toString("utf8");
      parts = [];
      length = 0;
      from = end + 1;
    }
    const rest = bytes.subarray(from);
    length += rest.length;
    if (length > MAX_BYTES) throw new AgentError(`It sent a message of more than ${MAX_BYTES / 1024 / 1024} MB`);
    if (rest.length > 0) parts.push(rest);
  }
  return undefined;
}
