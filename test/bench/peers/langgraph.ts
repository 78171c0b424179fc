import {
  type BranchContender,
  type Contender,
  type ConversationContender,
  INSTRUCTIONS,
  JOINER,
  type LoadPeer,
  type ModelAt,
  type OnText,
  QUESTION,
} from "../contenders/contender.ts";

interface Message {
  readonly type: string;
  readonly text: string;
}

interface State {
  readonly messages: readonly Message[];
}

type Streamed = readonly ["messages", readonly [Message, object]] | readonly ["values", State];

interface Compiled {
  stream(
    input: { messages: readonly object[] },
    options: { streamMode: readonly ["messages", "values"]; signal?: AbortSignal; recursionLimit?: number },
  ): Promise<AsyncIterable<Streamed>>;
}

interface Graph {
  addNode(name: string, node: (state: State) => Promise<{ messages: Message[] }>): Graph;
  addEdge(from: string | readonly string[], to: string): Graph;
  addConditionalEdges(from: string, next: (state: State) => string): Graph;
  compile(): Compiled;
}

interface LangGraph {
  readonly StateGraph: new (annotation: object) => Graph;
  readonly MessagesAnnotation: object;
  readonly START: string;
  readonly END: string;
}

interface LangChainOpenAi {
  readonly ChatOpenAI: new (options: {
    model: string;
    apiKey: string;
    configuration: { baseURL: string };
  }) => { invoke(messages: readonly object[]): Promise<Message> };
}

/** A graph of one node with a ChatOpenAI: text from the stream mode `messages`, the final state from `values`. */
export async function start(at: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const { graph, node, START } = await load(at, loadPeer);
  const compiled = graph.addNode("writer", node).addEdge(START, "writer").compile();
  return {
    async turn(onText, signal) {
      const { messages } = await stream(compiled, onText, { signal });
      return messages.findLast(({ type }) => type === "ai")?.text ?? "";
    },
  };
}

/** A ring of nodes that ends after the last turn. */
export async function startConversation(
  at: ModelAt,
  names: readonly string[],
  loadPeer: LoadPeer,
): Promise<ConversationContender> {
  const { graph, node, START, END } = await load(at, loadPeer);
  let turnsWanted = 0;
  const isOver = ({ messages }: State): boolean => messages.length > turnsWanted;
  for (const name of names) graph.addNode(name, node);
  for (const [at, name] of names.entries()) {
    const next = names[(at + 1) % names.length] ?? END;
    graph.addConditionalEdges(name, (state) => (isOver(state) ? END : next));
  }
  const compiled = graph.addEdge(START, names[0] ?? END).compile();
  return {
    async converse(turns, onText) {
      turnsWanted = turns;
      return saidIn(await stream(compiled, onText, { recursionLimit: turns + 5 }));
    },
  };
}

/** A node for each branch, and one that joins them. */
export async function startBranches(
  at: ModelAt,
  names: readonly string[],
  loadPeer: LoadPeer,
): Promise<BranchContender> {
  const { graph, node, START, END } = await load(at, loadPeer);
  for (const name of names) graph.addNode(name, node).addEdge(START, name);
  const compiled = graph.addNode(JOINER, node).addEdge(names, JOINER).addEdge(JOINER, END).compile();
  return { runBranches: async (onText) => saidIn(await stream(compiled, onText, {})) };
}

async function load({ baseUrl, model }: ModelAt, loadPeer: LoadPeer) {
  const { StateGraph, MessagesAnnotation, START, END } = await loadPeer<LangGraph>("@langchain/langgraph");
  const { ChatOpenAI } = await loadPeer<LangChainOpenAi>("@langchain/openai");
  const chat = new ChatOpenAI({ model, apiKey: "none", configuration: { baseURL: baseUrl } });
  const node = async ({ messages }: State): Promise<{ messages: Message[] }> => ({
    messages: [await chat.invoke([{ role: "system", content: INSTRUCTIONS }, ...messages])],
  });
  return { graph: new StateGraph(MessagesAnnotation), node, START, END };
}

async function stream(
  graph: Compiled,
  onText: OnText,
  options: { readonly signal?: AbortSignal; readonly recursionLimit?: number },
): Promise<State> {
  let state: State = { messages: [] };
  try {
    const input = { messages: [{ role: "user", content: QUESTION }] };
    for await (const streamed of await graph.stream(input, { streamMode: ["messages", "values"], ...options })) {
      if (streamed[0] === "values") state = streamed[1];
      else if (streamed[1][0].text !== "") onText(streamed[1][0].text);
    }
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
  return state;
}

const saidIn = ({ messages }: State): string[] => messages.filter(({ type }) => type === "ai").map(({ text }) => text);
