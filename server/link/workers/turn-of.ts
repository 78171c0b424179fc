import * as z from "zod";
import type { Plan } from "../../../shared/contract/plan.ts";
import type { CallOutcome, RequestedCall, Runtime, Turn } from "../../engine/index.ts";
import { turnCalls, turnEvents, turnOlderPart, turnRequests, turnSummary } from "./addresses.ts";
import { CallOutcomes, ContextItems, OlderPartData, RequestedCalls, type TurnData } from "./turn-data.ts";

/** A turn of a host's team in another process: what it reports, and asks its host to do. */
export function turnOf(
  data: TurnData,
  {
    runtime,
    signal,
    soft,
    plan,
  }: { runtime: Runtime; signal: AbortSignal; soft: AbortSignal; plan: () => Plan | undefined },
): Turn {
  const { host } = data;
  return {
    id: data.turnId,
    earlier: data.earlier,
    items: data.items,
    steps: data.steps,
    progress: data.progress,
    notes: data.notes,
    get plan() {
      return plan();
    },
    commands: data.commands,
    context: data.context,
    // Participants here use models, which are shown `items`.
    thread: [],
    signal,
    soft,
    emit: (draft) => runtime.publish(turnEvents(host), draft),
    requestCalls: async (answer) =>
      RequestedCalls.optional().parse(await runtime.send(turnRequests(host), answer)) as
        | readonly RequestedCall[]
        | undefined,
    runCalls: async (calls) => {
      const refs = calls.map(({ ref }) => ref);
      return CallOutcomes.parse(await runtime.send(turnCalls(host), { refs }, { signal, soft })) as CallOutcome[];
    },
    olderPart: async (sizes) => OlderPartData.optional().parse(await runtime.send(turnOlderPart(host), sizes)),
    recordSummary: async (summary) => z.optional(ContextItems).parse(await runtime.send(turnSummary(host), summary)),
  };
}
