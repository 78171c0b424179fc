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

/** `run(agent, input, { stream: true })`, read as a text stream. */
export async function start(at: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const agents = await load(at, loadPeer);
  const agent = new agents.Agent({ name: "writer", instructions: INSTRUCTIONS, model: at.model });
  return { turn: (onText, signal) => stream(agents, agent, QUESTION, onText, signal) };
}

/** A loop over its agents: with its handoffs the model would choose the next speaker. */
export async function startConversation(
  at: ModelAt,
  names: readonly string[],
  loadPeer: LoadPeer,
): Promise<ConversationContender> {
  const agents = await load(at, loadPeer);
  const all = names.map((name) => new agents.Agent({ name, instructions: INSTRUCTIONS, model: at.model }));
  return conversationLoop(all.length, (which, history, onText) =>
    stream(agents, all[which] ?? {}, history.map(itemOf), onText),
  );
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

const itemOf = ({ role, content }: LoopMessage): object =>
  role === "user"
    ? { role, content }
    : { role, status: "completed", content: [{ type: "output_text", text: content }] };
