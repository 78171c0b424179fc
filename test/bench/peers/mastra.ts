import { type Contender, INSTRUCTIONS, type LoadPeer, type ModelAt, QUESTION } from "../contenders/contender.ts";

interface Streamed {
  readonly textStream: AsyncIterable<string>;
  readonly text: Promise<string>;
}

interface MastraAgent {
  readonly Agent: new (options: {
    id: string;
    name: string;
    instructions: string;
    model: { id: string; url: string; apiKey: string };
  }) => { stream(prompt: string, options: { abortSignal: AbortSignal }): Promise<Streamed> };
}

/** An Agent's `stream`, with the model given by its address. */
export async function start({ baseUrl, model }: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const { Agent } = await loadPeer<MastraAgent>("@mastra/core/agent");
  const agent = new Agent({
    id: "writer",
    name: "writer",
    instructions: INSTRUCTIONS,
    model: { id: `local/${model}`, url: baseUrl, apiKey: "none" },
  });
  return {
    async turn(onText, signal) {
      try {
        const streamed = await agent.stream(QUESTION, { abortSignal: signal });
        for await (const delta of streamed.textStream) onText(delta);
        return await streamed.text;
      } catch (error) {
        if (!signal.aborted) throw error;
        return "";
      }
    },
  };
}
