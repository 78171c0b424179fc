import type { LoadPeer } from "../contenders/contender.ts";
import { SPEAKERS, type ThreadSaver, WORDS } from "./saver.ts";

interface State {
  readonly messages: readonly object[];
}

interface Graph {
  addNode(name: string, node: (state: State) => object): Graph;
  addEdge(from: string, to: string): Graph;
  addConditionalEdges(from: string, next: (state: State) => string): Graph;
  compile(options: { checkpointer: Saver }): {
    invoke(
      input: { messages: readonly object[] },
      options: { configurable: { thread_id: string }; recursionLimit: number },
    ): Promise<State>;
  };
}

/** Both hold serialized bytes in nested records. */
interface Saver {
  readonly storage: object;
  readonly writes: object;
}

interface LangGraph {
  readonly StateGraph: new (annotation: object) => Graph;
  readonly MessagesAnnotation: object;
  readonly MemorySaver: new () => Saver;
  readonly START: string;
  readonly END: string;
}

/** LangGraph with its MemorySaver: two nodes in a ring. */
export async function createSaver(loadPeer: LoadPeer): Promise<ThreadSaver> {
  const { StateGraph, MessagesAnnotation, MemorySaver, START, END } = await loadPeer<LangGraph>("@langchain/langgraph");
  const saver = new MemorySaver();
  let turnsWanted = 0;
  const graph = new StateGraph(MessagesAnnotation);
  for (const name of SPEAKERS) {
    graph.addNode(name, () => ({ messages: [{ role: "assistant", name, content: WORDS.join("") }] }));
  }
  for (const [at, name] of SPEAKERS.entries()) {
    const next = SPEAKERS[(at + 1) % SPEAKERS.length] ?? END;
    graph.addConditionalEdges(name, ({ messages }) => (messages.length > turnsWanted ? END : next));
  }
  const compiled = graph.addEdge(START, SPEAKERS[0] ?? END).compile({ checkpointer: saver });
  return {
    async converse(turns) {
      turnsWanted = turns;
      await compiled.invoke(
        { messages: [{ role: "user", content: "Talk." }] },
        { configurable: { thread_id: "talk" }, recursionLimit: turns + 5 },
      );
    },
    savedBytes: () => bytesIn(saver.storage) + bytesIn(saver.writes),
  };
}

function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + bytesIn(item), 0);
}
