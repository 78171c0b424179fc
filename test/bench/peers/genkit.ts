import {
  type Contender,
  type ConversationContender,
  INSTRUCTIONS,
  type LoadPeer,
  type ModelAt,
  type OnText,
  QUESTION,
} from "../contenders/contender.ts";
import { conversationLoop, type LoopMessage } from "../contenders/conversation-loop.ts";

type Asked = { readonly prompt: string } | { readonly messages: readonly object[] };

interface Genkit {
  generateStream(options: Asked & { model: string; system: string; abortSignal?: AbortSignal }): {
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
export async function start(at: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const ai = await load(at, loadPeer);
  return { turn: (onText, signal) => stream(ai, at, { prompt: QUESTION }, onText, signal) };
}

/** A loop over `generateStream`: it has no shared conversation. */
export async function startConversation(
  at: ModelAt,
  names: readonly string[],
  loadPeer: LoadPeer,
): Promise<ConversationContender> {
  const ai = await load(at, loadPeer);
  return conversationLoop(names.length, (_, history, onText) =>
    stream(ai, at, { messages: history.map(messageOf) }, onText),
  );
}

async function load({ baseUrl }: ModelAt, loadPeer: LoadPeer): Promise<Genkit> {
  const { genkit } = await loadPeer<GenkitModule>("genkit");
  const { openAICompatible } = await loadPeer<CompatOpenAi>("@genkit-ai/compat-oai");
  return genkit({ plugins: [openAICompatible({ name: "local", apiKey: "none", baseURL: baseUrl })] });
}

async function stream(
  ai: Genkit,
  { model }: ModelAt,
  asked: Asked,
  onText: OnText,
  signal?: AbortSignal,
): Promise<string> {
  const { stream: streamed, response } = ai.generateStream({
    ...asked,
    model: `local/${model}`,
    system: INSTRUCTIONS,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  try {
    for await (const { text } of streamed) if (text !== "") onText(text);
    return (await response).text;
  } catch (error) {
    if (!signal?.aborted) throw error;
    await response.catch(() => undefined);
    return "";
  }
}

const messageOf = ({ role, content }: LoopMessage): object => ({
  role: role === "user" ? "user" : "model",
  content: [{ text: content }],
});
