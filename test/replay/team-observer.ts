import type { Model, ModelCall, ModelCallContext, ModelPart, ModelRequest } from "../../server/engine/model.ts";
import { conversationProblem } from "../../server/engine/testing/conversation-problem.ts";
import { type TestTool, testTool } from "../../server/engine/testing/test-tool.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";

/** One thing that a team did, as seen from outside the engine. */
export type ObservedStep =
  | { readonly kind: "event"; readonly event: TeamEvent }
  | { readonly kind: "request"; readonly participant: string }
  | { readonly kind: "tool"; readonly participant: string; readonly ref: string };

/** A model's reply: a text, calls, or both. */
export interface ScriptedReply {
  readonly say?: string;
  readonly calls?: readonly ModelCall[];
  /** The endpoint fails once before it answers. */
  readonly retries?: true;
}

/** Records what a team does, in order: its events, its model requests, the starts of its tools. */
export class TeamObserver {
  readonly steps: ObservedStep[] = [];
  /** What was wrong with the conversations that models received. */
  readonly problems: string[] = [];

  /** A model whose reply depends on its input, streamed word by word. */
  model(answer: (request: ModelRequest) => ScriptedReply): Model {
    const asked = (request: ModelRequest): void => {
      this.steps.push({ kind: "request", participant: request.participant });
      const fault = conversationProblem(request.items);
      if (fault !== undefined) this.problems.push(`${request.participant} received an invalid conversation: ${fault}`);
    };
    return {
      label: "shown",
      async *stream(request: ModelRequest, { signal, onRetry }: ModelCallContext): AsyncIterable<ModelPart> {
        asked(request);
        const { say, calls, retries } = answer(request);
        if (retries) onRetry({ attempt: 1, waitMs: 1, reason: "The endpoint is busy.", status: 429 });
        for (const delta of say?.split(/(?<= )/) ?? []) {
          await undefined;
          if (signal.aborted) return;
          yield { type: "text", delta };
        }
        await undefined;
        if (calls !== undefined) yield { type: "calls", calls };
      },
    };
  }

  /** A tool whose starts are recorded. */
  tool(...[name, run, more]: Parameters<typeof testTool>): TestTool {
    return testTool(
      name,
      (input, context) => {
        this.steps.push({ kind: "tool", participant: context.participant, ref: context.ref });
        return run?.(input, context) ?? name;
      },
      more,
    );
  }
}
