import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { ToolCall } from "../../../shared/contract/team.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

/** A message that is about to be recorded. */
export type UpcomingMessage = Pick<EventOf<"message/added">, "type" | "message" | "path">;

/** Tool calls that are about to be recorded. */
export type UpcomingCalls = Pick<EventOf<"tool/requested">, "type" | "participant" | "content" | "path"> & {
  readonly calls: readonly Pick<ToolCall, "name" | "input">[];
};

/** What is about to be recorded, if listeners may have long work with it. */
export type Upcoming = UpcomingMessage | UpcomingCalls;

/** Does that work before it is recorded; undefined if nothing is left to wait for. Never rejects. */
export type Prepare = (upcoming: Upcoming, signal?: AbortSignal) => Promise<void> | undefined;

/** Prepares messages of a team that are about to be recorded; undefined if nothing is left to wait for. */
export function prepareMessages(
  ledger: { readonly prepare: Prepare },
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<unknown> | undefined {
  const waits = messages.flatMap((message) => ledger.prepare({ type: "message/added", message }, signal) ?? []);
  return waits.length === 0 ? undefined : Promise.all(waits);
}
