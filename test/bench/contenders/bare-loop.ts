import OpenAI from "openai";
import {
  type BranchContender,
  type Contender,
  type ConversationContender,
  INSTRUCTIONS,
  type ModelAt,
  type OnText,
  QUESTION,
} from "./contender.ts";
import { conversationLoop, type LoopMessage } from "./conversation-loop.ts";

const QUESTION_ALONE: readonly LoopMessage[] = [{ role: "user", content: QUESTION }];

type Stream = (history: readonly LoopMessage[], onText: OnText, signal?: AbortSignal) => Promise<string>;

/** The floor: the SDK's stream, read in a loop. */
export async function start(at: ModelAt): Promise<Contender> {
  const stream = streamOf(at);
  return { turn: (onText, signal) => stream(QUESTION_ALONE, onText, signal) };
}

export async function startConversation(at: ModelAt, names: readonly string[]): Promise<ConversationContender> {
  const stream = streamOf(at);
  return conversationLoop(names.length, (_, history, onText) => stream(history, onText));
}

/** All calls at once, with `Promise.all`. */
export async function startBranches(at: ModelAt, names: readonly string[]): Promise<BranchContender> {
  const stream = streamOf(at);
  return {
    async runBranches(onText) {
      const said = await Promise.all(names.map(() => stream(QUESTION_ALONE, onText)));
      const answers = said.map((content): LoopMessage => ({ role: "user", content }));
      return [...said, await stream([...QUESTION_ALONE, ...answers], onText)];
    },
  };
}

function streamOf({ baseUrl, model }: ModelAt): Stream {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 });
  return async (history, onText, signal) => {
    let text = "";
    try {
      const stream = await client.chat.completions.create(
        {
          model,
          messages: [{ role: "system", content: INSTRUCTIONS }, ...history],
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal },
      );
      for await (const chunk of stream) {
        const delta = chunk.choices[0]?.delta.content;
        if (!delta) continue;
        text += delta;
        onText(delta);
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
    return text;
  };
}
