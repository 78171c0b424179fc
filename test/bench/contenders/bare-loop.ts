import OpenAI from "openai";
import {
  type Branches,
  type Contender,
  INSTRUCTIONS,
  type ModelAt,
  type OnText,
  QUESTION,
  type Talkers,
} from "./contender.ts";
import { type Line, talkInALoop } from "./plain-loop.ts";

const QUESTION_ALONE: readonly Line[] = [{ role: "user", content: QUESTION }];

type Stream = (talk: readonly Line[], onText: OnText, signal?: AbortSignal) => Promise<string>;

/** The least there is to do: the SDK's stream, read in a loop. */
export async function start(at: ModelAt): Promise<Contender> {
  const stream = streamOf(at);
  return { turn: (onText, signal) => stream(QUESTION_ALONE, onText, signal) };
}

export async function startTalkers(at: ModelAt, names: readonly string[]): Promise<Talkers> {
  const stream = streamOf(at);
  return talkInALoop(names.length, (_, talk, onText) => stream(talk, onText));
}

/** All calls at once, with `Promise.all`. */
export async function startBranches(at: ModelAt, names: readonly string[]): Promise<Branches> {
  const stream = streamOf(at);
  return {
    async flow(onText) {
      const said = await Promise.all(names.map(() => stream(QUESTION_ALONE, onText)));
      const answers = said.map((content): Line => ({ role: "user", content }));
      return [...said, await stream([...QUESTION_ALONE, ...answers], onText)];
    },
  };
}

function streamOf({ baseUrl, model }: ModelAt): Stream {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 });
  return async (talk, onText, signal) => {
    let text = "";
    try {
      const stream = await client.chat.completions.create(
        {
          model,
          messages: [{ role: "system", content: INSTRUCTIONS }, ...talk],
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
