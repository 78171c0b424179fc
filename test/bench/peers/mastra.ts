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
  readonly text: Promise<string>;
}

interface Agent {
  stream(prompt: string | readonly LoopMessage[], options: { abortSignal?: AbortSignal }): Promise<Streamed>;
}

interface MastraAgent {
  readonly Agent: new (options: {
    id: string;
    name: string;
    instructions: string;
    model: { id: string; url: string; apiKey: string };
  }) => Agent;
}

/** An Agent's `stream`, with the model given by its address. */
export async function start(at: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const [agent] = await agentsAt(at, ["writer"], loadPeer);
  return { turn: (onText, signal) => stream(agent, QUESTION, onText, signal) };
}

/** A loop over its agents: in its networks the model would choose the next speaker. */
export async function startConversation(
  at: ModelAt,
  names: readonly string[],
  loadPeer: LoadPeer,
): Promise<ConversationContender> {
  const agents = await agentsAt(at, names, loadPeer);
  return conversationLoop(agents.length, (which, history, onText) => stream(agents[which], history, onText));
}

async function agentsAt({ baseUrl, model }: ModelAt, names: readonly string[], loadPeer: LoadPeer): Promise<Agent[]> {
  const { Agent } = await loadPeer<MastraAgent>("@mastra/core/agent");
  const address = { id: `local/${model}`, url: baseUrl, apiKey: "none" };
  return names.map((name) => new Agent({ id: name, name, instructions: INSTRUCTIONS, model: address }));
}

async function stream(
  agent: Agent | undefined,
  prompt: string | readonly LoopMessage[],
  onText: OnText,
  signal?: AbortSignal,
): Promise<string> {
  if (agent === undefined) throw new Error("There is no such agent.");
  try {
    const streamed = await agent.stream(prompt, signal === undefined ? {} : { abortSignal: signal });
    for await (const delta of streamed.textStream) onText(delta);
    return await streamed.text;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return "";
  }
}
