import { ResponseError } from "vscode-jsonrpc/node";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import { isDurable } from "../../../shared/contract/event.ts";
import {
  ApprovalsAdd,
  ApprovalsList,
  TeamEvents,
  TeamList,
  TeamOpen,
  TeamRun,
} from "../../../shared/contract/requests.ts";
import { roundRobin } from "../../contract/harness/teams.ts";
import { HostClient } from "../../host-client.ts";

/** The teams of the store that is damaged. */
const TEAMS = ["first", "second", "third"];

/** What a user sees of a store. What cannot be read is left out. */
export interface StoredView {
  readonly list: readonly unknown[];
  readonly teams: Readonly<Record<string, TeamView>>;
  readonly rules: unknown;
  /** What the user was told of it: messages that are shown, and refused requests. */
  readonly told: readonly string[];
}

export interface TeamView {
  readonly snapshot: unknown;
  readonly events: readonly DurableEvent[];
}

/** Fills a storage folder with teams that have run; the last request is made by `before` the host ends. */
export async function fillStore(storagePath: string, end: (host: HostClient) => Promise<unknown>): Promise<void> {
  await using host = await HostClient.start({ storagePath });
  for (const teamId of TEAMS) {
    await host.send(TeamOpen, { teamId, definition: roundRobin({ maxTurns: 12 }) });
    for (const task of ["Begin.", "Continue."]) await host.send(TeamRun, { teamId, task });
  }
  await host.send(ApprovalsAdd, { rule: { decision: "deny", tool: "look", scope: "workspace" } });
  await end(host);
}

/** Opens everything that is stored in a folder, with a real host. */
export async function viewStore(storagePath: string): Promise<StoredView> {
  await using host = await HostClient.start({ storagePath });
  const refused: string[] = [];
  const answered = async <T>(request: Promise<T>): Promise<T | undefined> => {
    try {
      return await request;
    } catch (error) {
      if (!(error instanceof ResponseError) || !["StorageError", "UnknownTeam"].includes(error.data?.code)) throw error;
      if (error.data.code === "StorageError") refused.push(error.message);
      return undefined;
    }
  };
  const listed = await answered(host.send(TeamList, {}));
  const teams: Record<string, TeamView> = {};
  for (const teamId of TEAMS) {
    const snapshot = await answered(host.send(TeamOpen, { teamId }));
    const events = await answered(host.send(TeamEvents, { teamId }));
    if (snapshot !== undefined && events !== undefined)
      teams[teamId] = { snapshot, events: events.events.filter(isDurable) };
  }
  const rules = await answered(host.send(ApprovalsList, {}));
  await host.shutdown();
  return { list: listed?.teams ?? [], teams, rules: rules?.rules, told: [...host.shown, ...refused] };
}
