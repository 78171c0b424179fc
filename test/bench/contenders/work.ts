import { TURN_PIECES, turnText } from "../endpoint/script.ts";
import { benchAgentNames, type ContenderExports, type LoadPeer, type ModelAt, type OnText } from "./contender.ts";

/** The kind of work that is timed: one turn, a conversation, or parallel branches followed by one call. */
export type Kind = "turn" | "conversation" | "branches";

/** Turns of a conversation, regardless of how many agents take part, so that the models' inputs have the same length. */
export const CONVERSATION_TURNS = 20;

/** Work of a contender that can be timed. */
export interface Work {
  /** Does it once. @throws when the result is not what the endpoint sent. */
  once(): Promise<void>;
  dispose?(): Promise<void>;
}

/** @throws when the contender does not support it. */
export async function workOf(
  contender: ContenderExports,
  { kind, agents }: { readonly kind: Kind; readonly agents: number },
  at: ModelAt,
  loadPeer: LoadPeer,
): Promise<Work> {
  switch (kind) {
    case "turn": {
      const started = await contender.start(at, loadPeer);
      const signal = (): AbortSignal => new AbortController().signal;
      return work(1, async (onText) => [await started.turn(onText, signal())], started.dispose);
    }
    case "conversation": {
      if (contender.startConversation === undefined) throw new Error("It does not support several agents.");
      const started = await contender.startConversation(at, benchAgentNames(agents), loadPeer);
      return work(CONVERSATION_TURNS, (onText) => started.converse(CONVERSATION_TURNS, onText), started.dispose);
    }
    case "branches": {
      if (contender.startBranches === undefined) throw new Error("It does not support parallel branches.");
      const started = await contender.startBranches(at, benchAgentNames(agents), loadPeer);
      return work(agents + 1, (onText) => started.runBranches(onText), started.dispose);
    }
  }
}

/** Work that returns `texts` complete texts, each of which was also seen as it streamed. */
function work(
  texts: number,
  run: (onText: OnText) => Promise<readonly string[]>,
  dispose: (() => Promise<void>) | undefined,
): Work {
  const expected = turnText(TURN_PIECES);
  return {
    async once() {
      let seen = 0;
      const held = await run((delta) => {
        seen += delta.length;
      });
      const wrong = held.find((text) => text !== expected);
      if (wrong !== undefined) throw new Error(`A turn returned "${wrong}".`);
      if (held.length !== texts) throw new Error(`${held.length} of ${texts} turns were returned.`);
      if (seen !== texts * expected.length) throw new Error(`${seen} characters of ${texts} turns were seen.`);
    },
    ...(dispose === undefined ? {} : { dispose }),
  };
}
