import { type Contender, INSTRUCTIONS, type LoadPeer, type ModelAt, QUESTION } from "../contenders/contender.ts";

interface Genkit {
  generateStream(options: { model: string; system: string; prompt: string; abortSignal: AbortSignal }): {
    readonly stream: AsyncIterable<{ readonly text: string }>;
    readonly response: Promise<{ readonly text: string }>;
  };
}

interface GenkitModule {
  readonly genkit: (options: { plugins: readonly object[] }) => Genkit;
}

interface CompatOpenAi {
  readonly openAICompatible: (options: { name: string; apiKey: string; baseURL: string }) => object;
}

/** `generateStream` with the plugin for compatible endpoints. */
export async function start({ baseUrl, model }: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const { genkit } = await loadPeer<GenkitModule>("genkit");
  const { openAICompatible } = await loadPeer<CompatOpenAi>("@genkit-ai/compat-oai");
  const ai = genkit({ plugins: [openAICompatible({ name: "local", apiKey: "none", baseURL: baseUrl })] });
  return {
    async turn(onText, signal) {
      const { stream, response } = ai.generateStream({
        model: `local/${model}`,
        system: INSTRUCTIONS,
        prompt: QUESTION,
        abortSignal: signal,
      });
      try {
        for await (const { text } of stream) if (text !== "") onText(text);
        return (await response).text;
      } catch (error) {
        if (!signal.aborted) throw error;
        await response.catch(() => undefined);
        return "";
      }
    },
  };
}
