import { messageOf, teamHostLost } from "../../../shared/contract/errors.ts";
import type { HostLog } from "../log/host-log.ts";
import type { EventPublisher } from "../sessions/event-publisher.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Store } from "../store/store.ts";
import type { HostParts } from "./host-parts.ts";
import { OtherHosts } from "./other-hosts.ts";

/** How the process connects with other hosts. */
export type HostConnections = Pick<HostParts, "gavelVersion" | "accept" | "converse">;

export interface OwnTeams extends Pick<HostParts, "isConnected"> {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly publisher: EventPublisher;
  readonly log: HostLog;
}

/** The hosts that share a store on a server with this one; undefined without such a store, or without a link. */
export function otherHostsOf(
  link: string | undefined,
  connections: HostConnections | undefined,
  { store: { host, locks, events, teams, health }, sessions, publisher, isConnected, log }: OwnTeams,
): OtherHosts | undefined {
  if (link === undefined || host === undefined || connections === undefined) return undefined;
  const others = new OtherHosts({
    link,
    isOwn: (teamId) => sessions.isOwn(teamId),
    joined: () => void sessions.lookAtAll().catch((error: unknown) => log.debug(messageOf(error))),
    parts: {
      ...connections,
      host,
      isBusy: () => sessions.isBusy,
      isConnected,
      isStoring: () => health.status.state !== "unsaved",
      ownerOf: (teamId) => locks.ownerOf(teamId, host),
      eventsBetween: async (teamId, after, upTo) => {
        const key = await teams.key(teamId);
        return key === undefined ? [] : events.all(key, after, upTo);
      },
      look: (teamId) => sessions.look(teamId).catch(() => undefined),
      lost: teamHostLost,
      log,
    },
  });
  publisher.watch({
    tell: (teamId, { type, path }) => {
      if (type === "run/started" && path === undefined && sessions.isOwn(teamId)) others.announce(teamId);
    },
  });
  return others;
}
