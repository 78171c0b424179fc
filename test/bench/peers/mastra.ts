import {
  type Contender,
  INSTRUCTIONS,
  type LoadPeer,
  type ModelAt,
  type OnText,
  QUESTION,
  type Talkers,
} from "../contenders/contender.ts";
import { type Line, talkInALoop } from "../contenders/plain-loop.ts";

interface Streamed {
  readonly textStream: AsyncIterable<string>;
  readonly text: Promise<string>;
}

interface Agent {
  stream(prompt: string | readonly Line[], options: { abortSignal?: AbortSignal }): Promise<Streamed>;
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

/** A loop over its agents: in its networks the model chooses who speaks next, and here it does not. */
export async function startTalkers(at: ModelAt, names: readonly string[], loadPeer: LoadPeer): Promise<Talkers> {
  const agents = await agentsAt(at, names, loadPeer);
  return talkInALoop(agents.length, (which, talk, onText) => stream(agents[which], talk, onText));
}

async function agentsAt({ baseUrl, model }: ModelAt, names: readonly string[], loadPeer: LoadPeer): Promise<Agent[]> {
  const { Agent } = await loadPeer<MastraAgent>("@mastra/core/agent");
  const address = { id: `local/${model}`, url: baseUrl, apiKey: "none" };
  return names.map((name) => new Agent({ id: name, name, instructions: INSTRUCTIONS, model: address }));
}

async function stream(
  agent: Agent | undefined,
  prompt: string | readonly Line[],
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
