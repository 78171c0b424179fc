import OpenAI from "openai";
import { type Contender, INSTRUCTIONS, type ModelAt, QUESTION } from "./contender.ts";

/** The least there is to do: the SDK's stream, read in a loop. */
export async function start({ baseUrl, model }: ModelAt): Promise<Contender> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 });
  return {
    async turn(onText, signal) {
      let text = "";
      try {
        const stream = await client.chat.completions.create(
          {
            model,
            messages: [
              { role: "system", content: INSTRUCTIONS },
              { role: "user", content: QUESTION },
            ],
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
        if (!signal.aborted) throw error;
      }
      return text;
    },
  };
}
