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

interface Streamed {
  readonly textStream: AsyncIterable<string>;
  readonly text: PromiseLike<string>;
}

type Asked = { readonly prompt: string } | { readonly messages: readonly LoopMessage[] };

interface Agent {
  stream(options: Asked & { readonly abortSignal?: AbortSignal }): Promise<Streamed>;
}

interface AiSdk {
  readonly ToolLoopAgent: new (options: { model: object; instructions: string }) => Agent;
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
export async function start(at: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const [agent] = await agentsAt(at, 1, loadPeer);
  return { turn: (onText, signal) => stream(agent, { prompt: QUESTION }, onText, signal) };
}

/** A loop over its agents: it has no shared conversation. */
export async function startConversation(
  at: ModelAt,
  names: readonly string[],
  loadPeer: LoadPeer,
): Promise<ConversationContender> {
  const agents = await agentsAt(at, names.length, loadPeer);
  return conversationLoop(agents.length, (which, messages, onText) => stream(agents[which], { messages }, onText));
}

async function agentsAt({ baseUrl, model }: ModelAt, count: number, loadPeer: LoadPeer): Promise<Agent[]> {
  const { ToolLoopAgent } = await loadPeer<AiSdk>("ai");
  const { createOpenAICompatible } = await loadPeer<OpenAiCompatible>("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({ name: "local", baseURL: baseUrl, apiKey: "none", includeUsage: true });
  const newAgent = (): Agent => new ToolLoopAgent({ model: provider.chatModel(model), instructions: INSTRUCTIONS });
  return Array.from({ length: count }, newAgent);
}

async function stream(agent: Agent | undefined, asked: Asked, onText: OnText, signal?: AbortSignal): Promise<string> {
  if (agent === undefined) throw new Error("There is no such agent.");
  try {
    const streamed = await agent.stream({ ...asked, ...(signal === undefined ? {} : { abortSignal: signal }) });
    for await (const delta of streamed.textStream) onText(delta);
    return await streamed.text;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return "";
  }
}
