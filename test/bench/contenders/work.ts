import { TURN_PIECES, textOf } from "../endpoint/script.ts";
import { agentNames, type ContenderExports, type LoadPeer, type ModelAt, type OnText } from "./contender.ts";

/** What a contender is timed at: a turn, a talk of so many turns, or so many branches at once and one call after them. */
export type Kind = "turn" | "talk" | "branches";

/** Turns of a talk, however many take part, so that what the models are shown is as long for all. */
export const TALK_TURNS = 20;

/** One piece of work of a contender, to be timed. */
export interface Work {
  /** Does it once. @throws when what came of it is not what the endpoint said. */
  once(): Promise<void>;
  dispose?(): Promise<void>;
}

/** @throws when the contender has no means for it. */
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
    case "talk": {
      if (contender.startTalkers === undefined) throw new Error("It has no talk of several agents.");
      const started = await contender.startTalkers(at, agentNames(agents), loadPeer);
      return work(TALK_TURNS, (onText) => started.talk(TALK_TURNS, onText), started.dispose);
    }
    case "branches": {
      if (contender.startBranches === undefined) throw new Error("It has no parallel branches.");
      const started = await contender.startBranches(at, agentNames(agents), loadPeer);
      return work(agents + 1, (onText) => started.flow(onText), started.dispose);
    }
  }
}

/** Work that comes to so many texts, all of them whole and each seen as it streamed. */
function work(
  texts: number,
  run: (onText: OnText) => Promise<readonly string[]>,
  dispose: (() => Promise<void>) | undefined,
): Work {
  const expected = textOf(TURN_PIECES);
  return {
    async once() {
      let seen = 0;
      const held = await run((delta) => {
        seen += delta.length;
      });
      const wrong = held.find((text) => text !== expected);
      if (wrong !== undefined) throw new Error(`A turn came to "${wrong}".`);
      if (held.length !== texts) throw new Error(`${held.length} of ${texts} turns are held.`);
      if (seen !== texts * expected.length) throw new Error(`${seen} characters of ${texts} turns were seen.`);
    },
    ...(dispose === undefined ? {} : { dispose }),
  };
}
