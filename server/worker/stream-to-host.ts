import type { Model, ModelRequest } from "../engine/index.ts";
import type { ModelNews } from "../link/index.ts";

export interface ToHost {
  readonly signal: AbortSignal;
  readonly longestWaitMs?: number;
  readonly tell: (news: ModelNews) => void;
}

/** Asks a model, and tells a host each part of the answer. @throws what the model throws. */
export async function streamToHost(
  model: Model,
  request: ModelRequest,
  { signal, longestWaitMs, tell }: ToHost,
): Promise<void> {
  const parts = model.stream(request, {
    signal,
    ...(longestWaitMs === undefined ? {} : { longestWaitMs }),
    onRetry: (retry) => tell({ type: "retry", retry: { ...retry } }),
    onWait: (wait) => tell({ type: "wait", ...(wait === undefined ? {} : { wait: { ...wait } }) }),
  });
  for await (const part of parts) {
    if (signal.aborted) return;
    tell(part.type === "calls" ? { type: "calls", calls: part.calls.map((call) => ({ ...call })) } : part);
  }
}
