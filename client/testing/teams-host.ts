import type { DurableEvent } from "../../shared/contract/event.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { initialTeamState, snapshotOf, type TeamState } from "../../shared/state/team-state.ts";
import type { TeamEventMessage } from "../host/connection.ts";
import { type Connect, HostProcess } from "../host/host-process.ts";
import { ALONE } from "./alone.ts";
import { memoryLog } from "./memory-log.ts";

/** A host with these teams, by id, each with one participant, `ann`; for tests of what the client does with several. */
export function teamsHost(...teamIds: readonly string[]) {
  const logs = new Map<string, DurableEvent[]>(teamIds.map((teamId) => [teamId, []]));
  const listeners: ((message: TeamEventMessage) => void)[] = [];
  const log = (teamId: string): DurableEvent[] => {
    const found = logs.get(teamId);
    if (found === undefined) throw new Error(`There is no team "${teamId}".`);
    return found;
  };
  const stateOf = (teamId: string): TeamState =>
    log(teamId).reduce(
      reduceTeam,
      initialTeamState(teamId, { name: `Team ${teamId}`, kind: "roundRobin", participants: [{ name: "ann" }] }),
    );
  const answer = (method: string, { teamId = "", after = 0 }: { teamId?: string; after?: number }): object =>
    method === "team/events"
      ? { events: log(teamId).slice(after), lastSeq: log(teamId).length }
      : snapshotOf(stateOf(teamId));
  const connect: Connect = async (listen) => {
    const connection: Awaited<ReturnType<Connect>> = {
      request: async ({ method, result }, params) => result.parse(answer(method, Object(params))),
      stop: async () => undefined,
      host: { isOwn: true, keepsRunning: false, gavelVersion: "1.0.0" },
      onStorageStatus: () => ({ dispose: () => undefined }),
      onDraftPart: () => ({ dispose: () => undefined }),
      people: ALONE,
      onTeamEvent: (listener) => {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    };
    listen(connection);
    return connection;
  };
  return {
    host: new HostProcess(memoryLog().log, connect),
    /** Something happens to a team: `event` without its number. */
    happens: (teamId: string, event: Record<string, unknown> & { readonly type: DurableEvent["type"] }): void => {
      const all = log(teamId);
      const numbered = { seq: all.length + 1, at: "2026-01-01T00:00:00.000Z", ...event } as DurableEvent;
      all.push(numbered);
      for (const listener of listeners) listener({ teamId, event: numbered });
    },
  };
}

/** What `ann` says. */
export const said = (content: string) => ({
  type: "message/added" as const,
  message: { id: content, type: "TextMessage", source: "ann", content, createdAt: "2026-01-01T00:00:00.000Z" },
});
