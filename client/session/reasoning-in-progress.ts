import type { TeamEvent } from "../../shared/contract/event.ts";
import { TeamEvents } from "../../shared/contract/requests.ts";
import type { EventsHost } from "../../shared/state/missing-events.ts";

/** A reasoning sequence without a conclusion so far. */
export interface ReasoningInProgress {
  readonly id: string;
  readonly participant: string;
  /** The participants that lead to its nested team. */
  readonly path: readonly string[];
  /** The first part of its input. */
  readonly input: string;
}

/** How many events are searched first; an older sequence is looked for in the whole log. */
const RECENT = 5_000;
const PAGE = 10_000;

/** The reasoning sequences in progress according to the host's log, in the order of their start. */
export async function reasoningInProgress(
  host: EventsHost,
  teamId: string,
  lastSeq: number,
): Promise<readonly ReasoningInProgress[]> {
  const recent = await inProgressAfter(host, teamId, Math.max(0, lastSeq - RECENT));
  return recent.length > 0 || lastSeq <= RECENT ? recent : inProgressAfter(host, teamId, 0);
}

async function inProgressAfter(
  host: EventsHost,
  teamId: string,
  start: number,
): Promise<readonly ReasoningInProgress[]> {
  const open = new Map<string, ReasoningInProgress>();
  for (let after: number | undefined = start; after !== undefined; ) {
    const types = ["reasoning/start", "reasoning/conclusion"];
    const { events }: { events: TeamEvent[] } = await host.request(TeamEvents, { teamId, after, limit: PAGE, types });
    for (const event of events) {
      if (event.type === "reasoning/start") {
        const { id, from: participant, input, path = [] } = event;
        open.set(id, { id, participant, path, input });
      } else if (event.type === "reasoning/conclusion") for (const id of event.correlation_id) open.delete(id);
    }
    const last = events.at(-1);
    after = events.length === PAGE && last !== undefined && "seq" in last ? last.seq : undefined;
  }
  return [...open.values()];
}
