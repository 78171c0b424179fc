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
  readonly run: (
    agent: object,
    input: string | readonly object[],
    options: { stream: true; signal?: AbortSignal },
  ) => Promise<Streamed>;
  setDefaultOpenAIClient(client: object): void;
  setOpenAIAPI(api: "chat_completions"): void;
  setTracingDisabled(disabled: boolean): void;
}

interface OpenAiSdk {
  readonly OpenAI: new (options: { baseURL: string; apiKey: string; maxRetries: number }) => object;
}

/** `run(agent, input, { stream: true })`, its text as a stream. */
export async function start(at: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const agents = await load(at, loadPeer);
  const agent = new agents.Agent({ name: "writer", instructions: INSTRUCTIONS, model: at.model });
  return { turn: (onText, signal) => stream(agents, agent, QUESTION, onText, signal) };
}

/** A loop over its agents: who speaks next is the model's choice in its handoffs, and here it is not. */
export async function startTalkers(at: ModelAt, names: readonly string[], loadPeer: LoadPeer): Promise<Talkers> {
  const agents = await load(at, loadPeer);
  const all = names.map((name) => new agents.Agent({ name, instructions: INSTRUCTIONS, model: at.model }));
  return talkInALoop(all.length, (which, talk, onText) => stream(agents, all[which] ?? {}, talk.map(itemOf), onText));
}

async function load({ baseUrl }: ModelAt, loadPeer: LoadPeer): Promise<Agents> {
  const agents = await loadPeer<Agents>("@openai/agents");
  const { OpenAI } = await loadPeer<OpenAiSdk>("openai");
  agents.setDefaultOpenAIClient(new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 }));
  agents.setOpenAIAPI("chat_completions");
  agents.setTracingDisabled(true);
  return agents;
}

async function stream(
  agents: Agents,
  agent: object,
  input: string | readonly object[],
  onText: OnText,
  signal?: AbortSignal,
): Promise<string> {
  const streamed = await agents.run(agent, input, { stream: true, ...(signal === undefined ? {} : { signal }) });
  try {
    for await (const delta of streamed.toTextStream()) onText(delta);
    await streamed.completed;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  const last = streamed.history.findLast(({ role }) => role === "assistant")?.content ?? "";
  return typeof last === "string" ? last : last.map(({ text }) => text ?? "").join("");
}

const itemOf = ({ role, content }: Line): object =>
  role === "user"
    ? { role, content }
    : { role, status: "completed", content: [{ type: "output_text", text: content }] };
