import { type Contender, INSTRUCTIONS, type LoadPeer, type ModelAt, QUESTION } from "../contenders/contender.ts";

interface Item {
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

interface Streamed {
  toTextStream(): AsyncIterable<string>;
  readonly completed: Promise<void>;
  readonly history: readonly Item[];
}

interface Agents {
  readonly Agent: new (options: { name: string; instructions: string; model: string }) => object;
  readonly run: (agent: object, input: string, options: { stream: true; signal: AbortSignal }) => Promise<Streamed>;
  setDefaultOpenAIClient(client: object): void;
  setOpenAIAPI(api: "chat_completions"): void;
  setTracingDisabled(disabled: boolean): void;
}

interface OpenAiSdk {
  readonly OpenAI: new (options: { baseURL: string; apiKey: string; maxRetries: number }) => object;
}

/** `run(agent, input, { stream: true })`, its text as a stream. */
export async function start({ baseUrl, model }: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const agents = await loadPeer<Agents>("@openai/agents");
  const { OpenAI } = await loadPeer<OpenAiSdk>("openai");
  agents.setDefaultOpenAIClient(new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 }));
  agents.setOpenAIAPI("chat_completions");
  agents.setTracingDisabled(true);
  const agent = new agents.Agent({ name: "writer", instructions: INSTRUCTIONS, model });
  return {
    async turn(onText, signal) {
      const streamed = await agents.run(agent, QUESTION, { stream: true, signal });
      try {
        for await (const delta of streamed.toTextStream()) onText(delta);
        await streamed.completed;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      const last = streamed.history.findLast(({ role }) => role === "assistant")?.content ?? "";
      return typeof last === "string" ? last : last.map(({ text }) => text ?? "").join("");
    },
  };
}
