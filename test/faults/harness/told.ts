import { isDeepStrictEqual } from "node:util";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import { TeamEvents } from "../../../shared/contract/requests.ts";
import type { Asks } from "../../host-client.ts";

const PAGE = 10_000;

export const isDurable = (event: TeamEvent): event is DurableEvent => "seq" in event;

/** What a client was told of a team and its store does not have. */
export function lostProblems(told: readonly TeamEvent[], stored: readonly DurableEvent[]): string[] {
  return [...lostEvents(told.filter(isDurable), stored), ...lostTexts(told, stored)];
}

function lostEvents(told: readonly DurableEvent[], stored: readonly DurableEvent[]): string[] {
  const bySeq = new Map(stored.map((event) => [event.seq, event]));
  return told.flatMap((event) => {
    const kept = bySeq.get(event.seq);
    if (isDeepStrictEqual(kept, event)) return [];
    return [`event ${event.seq} was told as ${JSON.stringify(event)} and is stored as ${JSON.stringify(kept)}`];
  });
}

/** Shown text is kept in a message, whole or partial, or beside the calls of its reply. */
function lostTexts(told: readonly TeamEvent[], stored: readonly DurableEvent[]): string[] {
  const shown = new Map<string, string>();
  for (const event of told)
    if (event.type === "message/chunk") shown.set(event.messageId, (shown.get(event.messageId) ?? "") + event.delta);
  const kept = stored.flatMap((event): readonly { readonly id?: string; readonly text: string }[] => {
    if (event.type === "message/added") return [{ id: event.message.id, text: textOf(event.message) }];
    return event.type === "tool/requested" ? [{ text: event.content ?? "" }] : [];
  });
  return [...shown].flatMap(([messageId, text]) => {
    const own = kept.find(({ id }) => id === messageId);
    const found = own === undefined ? kept.some((one) => one.text.startsWith(text)) : own.text.startsWith(text);
    return found ? [] : [`the text "${text}" of ${messageId} was shown and is stored as "${own?.text}"`];
  });
}

/** Calls without exactly one result that are not pending, and sequence numbers with gaps. */
export function storedProblems(stored: readonly DurableEvent[], pending: ReadonlySet<string>): string[] {
  const results = resultsOfCalls(stored);
  const gaps = stored.filter(({ seq }, at) => seq !== at + 1);
  return [
    ...gaps.slice(0, 1).map(({ seq }) => `event ${seq} is stored where another number belongs`),
    ...[...results].flatMap(([ref, count]) =>
      count === (pending.has(ref) ? 0 : 1) ? [] : [`the call ${ref} has ${count} results`],
    ),
  ];
}

/**
 * How many results each call has. A call that was pending, or whose late result was awaited, when its conversation was given
 * up is left out.
 */
function resultsOfCalls(stored: readonly DurableEvent[]): ReadonlyMap<string, number> {
  const results = new Map<string, number>();
  const waiting = new Set<string>();
  for (const event of stored) {
    if (event.type === "tool/requested") for (const { ref } of event.calls) results.set(ref, results.get(ref) ?? 0);
    if (event.type === "tool/executed") results.set(event.ref, (results.get(event.ref) ?? 0) + 1);
    if (event.type === "tool/interrupted" || event.type === "tool/abandoned") waiting.add(event.ref);
    if (event.type === "team/reset" || event.type === "state/loaded") leaveOut(waiting, results);
  }
  return results;
}

function leaveOut(waiting: Set<string>, results: Map<string, number>): void {
  for (const ref of waiting) if (results.get(ref) === 0) results.delete(ref);
  waiting.clear();
}

/** Runs that have ended other than exactly once. */
export function runProblems(stored: readonly DurableEvent[]): string[] {
  const ends = new Map<string, number>();
  for (const { type, runId, path } of stored) {
    if (runId === undefined || path !== undefined) continue;
    if (type === "run/started") ends.set(runId, ends.get(runId) ?? 0);
    if (type === "run/ended") ends.set(runId, (ends.get(runId) ?? 0) + 1);
  }
  return [...ends].flatMap(([runId, count]) => (count === 1 ? [] : [`the run ${runId} has ended ${count} times`]));
}

/** Every stored event of a team, from the first. */
export async function storedEvents(host: Asks, teamId: string): Promise<DurableEvent[]> {
  const stored: DurableEvent[] = [];
  for (;;) {
    const after = stored.at(-1)?.seq ?? 0;
    const { events } = await host.send(TeamEvents, { teamId, after, limit: PAGE });
    for (const event of events) if ("seq" in event) stored.push(event);
    if (events.length < PAGE) return stored;
  }
}
