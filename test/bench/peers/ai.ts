import { type Contender, INSTRUCTIONS, type LoadPeer, type ModelAt, QUESTION } from "../contenders/contender.ts";

interface Streamed {
  readonly textStream: AsyncIterable<string>;
  readonly text: PromiseLike<string>;
}

interface AiSdk {
  readonly ToolLoopAgent: new (options: {
    model: object;
    instructions: string;
  }) => { stream(options: { prompt: string; abortSignal: AbortSignal }): Promise<Streamed> };
}

interface OpenAiCompatible {
  readonly createOpenAICompatible: (options: {
    name: string;
    baseURL: string;
    apiKey: string;
    includeUsage: boolean;
  }) => {
    chatModel(model: string): object;
  };
}

/** A ToolLoopAgent's `stream`. */
export async function start({ baseUrl, model }: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const { ToolLoopAgent } = await loadPeer<AiSdk>("ai");
  const { createOpenAICompatible } = await loadPeer<OpenAiCompatible>("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({ name: "local", baseURL: baseUrl, apiKey: "none", includeUsage: true });
  const agent = new ToolLoopAgent({ model: provider.chatModel(model), instructions: INSTRUCTIONS });
  return {
    async turn(onText, signal) {
      try {
        const streamed = await agent.stream({ prompt: QUESTION, abortSignal: signal });
        for await (const delta of streamed.textStream) onText(delta);
        return await streamed.text;
      } catch (error) {
        if (!signal.aborted) throw error;
        return "";
      }
    },
  };
}
