import { type Contender, INSTRUCTIONS, type LoadPeer, type ModelAt, QUESTION } from "../contenders/contender.ts";

interface Message {
  readonly type: string;
  readonly text: string;
}

interface State {
  readonly messages: readonly Message[];
}

type Streamed = readonly ["messages", readonly [Message, object]] | readonly ["values", State];

interface Graph {
  addNode(name: string, node: (state: State) => Promise<{ messages: Message[] }>): Graph;
  addEdge(from: string, to: string): Graph;
  compile(): {
    stream(
      input: { messages: readonly object[] },
      options: { streamMode: readonly ["messages", "values"]; signal: AbortSignal },
    ): Promise<AsyncIterable<Streamed>>;
  };
}

interface LangGraph {
  readonly StateGraph: new (annotation: object) => Graph;
  readonly MessagesAnnotation: object;
  readonly START: string;
}

interface LangChainOpenAi {
  readonly ChatOpenAI: new (options: {
    model: string;
    apiKey: string;
    configuration: { baseURL: string };
  }) => { invoke(messages: readonly object[]): Promise<Message> };
}

/** A graph of one node that asks a ChatOpenAI, streamed by its `messages`, with the state it comes to by `values`. */
export async function start({ baseUrl, model }: ModelAt, loadPeer: LoadPeer): Promise<Contender> {
  const { StateGraph, MessagesAnnotation, START } = await loadPeer<LangGraph>("@langchain/langgraph");
  const { ChatOpenAI } = await loadPeer<LangChainOpenAi>("@langchain/openai");
  const chat = new ChatOpenAI({ model, apiKey: "none", configuration: { baseURL: baseUrl } });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("writer", async ({ messages }) => ({
      messages: [await chat.invoke([{ role: "system", content: INSTRUCTIONS }, ...messages])],
    }))
    .addEdge(START, "writer")
    .compile();
  return {
    async turn(onText, signal) {
      let state: State = { messages: [] };
      try {
        const input = { messages: [{ role: "user", content: QUESTION }] };
        for await (const streamed of await graph.stream(input, { streamMode: ["messages", "values"], signal })) {
          if (streamed[0] === "values") state = streamed[1];
          else if (streamed[1][0].text !== "") onText(streamed[1][0].text);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return state.messages.findLast(({ type }) => type === "ai")?.text ?? "";
    },
  };
}
