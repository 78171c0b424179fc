import type { Duplex } from "node:stream";
import { InterruptReceived, TeamEventNotification } from "../../../../shared/contract/client-requests.ts";
import { messageOf } from "../../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../../shared/contract/event.ts";
import type { User } from "../../../../shared/contract/people.ts";
import { TeamFollow } from "../../../../shared/contract/requests.ts";
import { isRecord } from "../../../../shared/json-record.ts";
import {
  Channels,
  type Link,
  type LinkAddress,
  linkAddress,
  MOST_OPENED,
  secureAccepted,
} from "../../../link/index.ts";
import { connectNats } from "../../../link/nats-link.ts";
import type { TeamToFollow } from "../../sessions/followed-team.ts";
import { JoiningClients } from "../../socket/joining-clients.ts";
import type { HostIdentity } from "../../store/host-identity.ts";
import { type ActingClient, CONVERSATION_END, type ForwardedRequest, type HostParts } from "../host-parts.ts";
import type { HostConnection } from "./host-connection.ts";
import { HostConnections } from "./host-connections.ts";
import { RunElsewhere } from "./run-elsewhere.ts";

/** How long others may take to say whether a user is there, and this host to hear itself, in milliseconds. */
const ANSWER_MS = 1_000;

/** How soon it is looked whether a host still has a team at rest, in milliseconds; then less and less often. */
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 5_000;

/** In whose name teams are followed: of no user, as nothing is changed. */
const FOLLOWER: User = { id: "host", name: "Agent host" };

/**
 * The hosts of one store, on a link. Each can reach the others: a team that another host runs is followed from there as it
 * happens, and what the clients of this host ask for it is done there, in their names. Only who can read the store's keys
 * can reach a host, or read what is said.
 */
export class HostsOnLink {
  readonly name: string;
  readonly warning: string | undefined;
  readonly #parts: HostParts;
  readonly #link: Link;
  readonly #space: string;
  readonly #channels: Channels;
  readonly #clients: JoiningClients;
  readonly #connections: HostConnections;
  readonly #followed = new Map<string, RunElsewhere>();
  /** Those of them whose run has ended. */
  readonly #ending = new Set<RunElsewhere>();

  private constructor(link: Link, { space, silence, warning }: LinkAddress, parts: HostParts) {
    this.name = link.name;
    this.warning = warning;
    this.#parts = parts;
    this.#link = link;
    this.#space = space;
    this.#clients = new JoiningClients({
      gavelVersion: parts.gavelVersion,
      keepsRunning: true,
      most: MOST_OPENED,
      isBusy: parts.isBusy,
      authenticate: () => ({}),
      accept: parts.accept,
    });
    const key = Buffer.from(parts.host.key, "hex");
    this.#channels = new Channels(link, { space, silence }, (channel) => void this.#accept(channel, key));
    this.#connections = new HostConnections({ link, channels: this.#channels, parts, subjectOf: (id) => this.#at(id) });
    const node = Buffer.from(this.#channels.node);
    link.subscribe(this.#at(parts.host.id), (message) => message.respond(node));
    link.subscribe(this.#users, (message) => {
      if (parts.isConnected(Buffer.from(message.data).toString())) message.respond(new Uint8Array());
    });
    link.subscribe(this.#begun, ({ data }) => {
      const [host, teamId] = Buffer.from(data).toString().split("\n", 2);
      if (host !== parts.host.id && teamId !== undefined) void this.#lookAt(teamId);
    });
  }

  /** Resolves when what other hosts say comes here. @throws Error with one sentence when the link cannot be used. */
  static async join(link: string, parts: HostParts): Promise<HostsOnLink> {
    const address = linkAddress(link);
    const hosts = new HostsOnLink(await connectNats(address), address, parts);
    // Its own answer comes after the server has noted what this host listens to.
    await hosts.#link.request(hosts.#at(parts.host.id), new Uint8Array(), ANSWER_MS);
    return hosts;
  }

  /** Tells the other hosts that this one runs a team. */
  announce(teamId: string): void {
    this.#link.publish(this.#begun, Buffer.from(`${this.#parts.host.id}\n${teamId}`));
  }

  /**
   * Has the host that runs a team answer a request; undefined if no other host does, or it cannot be reached.
   * @throws ResponseError its answer, or an error that says that it was lost meanwhile.
   */
  async forward({
    client,
    teamId,
    method,
    params,
    signal,
  }: ForwardedRequest): Promise<{ result: unknown } | undefined> {
    const owner = await this.#ownerOf(teamId);
    const connection = owner && (await this.#acting(owner, client));
    if (connection === undefined) return undefined;
    try {
      const result = await connection.request(method, params, signal);
      await this.#caughtUp(teamId);
      return { result };
    } catch (error) {
      throw isEnd(error) ? this.#parts.lost(teamId) : error;
    }
  }

  /** Follows a team from the host that runs it; false if none does, or it cannot be reached. */
  async follow(team: TeamToFollow): Promise<boolean> {
    const { teamId, known } = team;
    const owner = await this.#parts.ownerOf(teamId);
    const connection = owner && (await this.#following(owner));
    if (owner === undefined || connection === undefined) return false;
    try {
      const answer = TeamFollow.result.parse(await connection.request(TeamFollow.method, { teamId, after: 0 }));
      if (!("snapshot" in answer) || answer.snapshot.inProgress === undefined) return false;
      // What comes from now on comes after the snapshot.
      const followed = new RunElsewhere(owner, team, answer.snapshot, {
        atRest: () => void this.#untilReleased(teamId, followed),
        behind: () => this.#released(teamId, followed),
        left: () => {
          if (this.#followed.get(teamId) === followed) this.#followed.delete(teamId);
        },
      });
      this.#followed.get(teamId)?.leave();
      this.#followed.set(teamId, followed);
      try {
        return followed.begin(await this.#parts.eventsBetween(teamId, known.lastSeq, answer.snapshot.lastSeq));
      } catch (error) {
        followed.leave();
        throw error;
      }
    } catch (error) {
      this.#parts.log.debug(`Team ${teamId} cannot be followed: ${messageOf(error)}`);
      return false;
    }
  }

  /** Leaves the runs that their hosts do not have any more: what has happened since is in the store. */
  async check(): Promise<void> {
    for (const teamId of [...this.#followed.keys()]) await this.#lookAt(teamId);
  }

  /** Whether a user has a client at another host. */
  async isConnected(user: string): Promise<boolean> {
    return (await this.#link.request(this.#users, Buffer.from(user), ANSWER_MS)) !== undefined;
  }

  /** A client of this host has gone: nothing more is done in its name. */
  left(client: ActingClient): void {
    this.#connections.left(client);
  }

  /** Hangs up on other hosts, which show what is stored then. */
  hangUp(): void {
    this.#clients[Symbol.dispose]();
  }

  async close(): Promise<void> {
    this.#clients[Symbol.dispose]();
    this.#channels.close();
    await this.#link.close();
  }

  get #begun(): string {
    return `${this.#space}.hosts.begun`;
  }

  get #users(): string {
    return `${this.#space}.hosts.users`;
  }

  #at(host: string): string {
    return `${this.#space}.hosts.at.${host}`;
  }

  /** What another host than the one that is followed has done is in the store. Never rejects. */
  async #lookAt(teamId: string): Promise<void> {
    const followed = this.#followed.get(teamId);
    if (followed === undefined) return this.#parts.look(teamId);
    // Without an answer of the store it is looked again.
    const isOwner = await this.#isOwner(teamId, followed).catch(() => true);
    if (!isOwner) this.#released(teamId, followed);
  }

  async #isOwner(teamId: string, followed: RunElsewhere): Promise<boolean> {
    return (await this.#parts.ownerOf(teamId))?.id === followed.owner.id;
  }

  /** While the team runs elsewhere, that is known without asking the store. */
  async #ownerOf(teamId: string): Promise<HostIdentity | undefined> {
    const followed = this.#followed.get(teamId);
    if (followed?.isRunning === true) return followed.owner;
    const owner = await this.#parts.ownerOf(teamId);
    if (followed !== undefined && owner?.id !== followed.owner.id) this.#released(teamId, followed);
    return owner;
  }

  /** After a run its host has the team for as long as there is something to do, such as an interrupt to conclude. */
  async #untilReleased(teamId: string, followed: RunElsewhere): Promise<void> {
    if (this.#ending.has(followed)) return;
    this.#ending.add(followed);
    try {
      await this.#lookUntilReleased(teamId, followed);
    } finally {
      this.#ending.delete(followed);
    }
  }

  async #lookUntilReleased(teamId: string, followed: RunElsewhere): Promise<void> {
    for (let ms = FIRST_LOOK_MS; !followed.hasEnded && !followed.isRunning; ms = Math.min(2 * ms, LAST_LOOK_MS)) {
      // Without an answer of the store it is asked again.
      const isOwner = await this.#isOwner(teamId, followed).catch(() => true);
      if (!isOwner) this.#released(teamId, followed);
      else await new Promise((resolve) => setTimeout(resolve, ms).unref());
    }
  }

  /** What was not told yet is in the store. */
  #released(teamId: string, followed: RunElsewhere): void {
    if (followed.hasEnded) return;
    followed.leave();
    void this.#parts.look(teamId);
  }

  /** Resolves when the clients were told what had happened when the other host answered. */
  async #caughtUp(teamId: string): Promise<void> {
    const followed = this.#followed.get(teamId);
    const connection = followed && (await this.#following(followed.owner));
    if (followed !== undefined && connection !== undefined) {
      const after = followed.state.lastSeq;
      const answer = await connection.request("team/events", { teamId, after, limit: 1 }).catch(() => undefined);
      if (isRecord(answer) && typeof answer["lastSeq"] === "number") await followed.told(answer["lastSeq"]);
    }
    // The rest is in the store.
    if (followed === undefined || followed.hasEnded) await this.#parts.look(teamId);
  }

  #acting(owner: HostIdentity, client: ActingClient): Promise<HostConnection | undefined> {
    return this.#connections.to(owner, {
      client: client.id,
      user: client.user,
      program: client.program,
      notified: (method, params) => {
        if (method === InterruptReceived.method && isRecord(params)) client.interruptReceived(String(params["teamId"]));
      },
      isUsed: () => false,
    });
  }

  #following(owner: HostIdentity): Promise<HostConnection | undefined> {
    const of = (): RunElsewhere[] => [...this.#followed.values()].filter((team) => team.owner.id === owner.id);
    return this.#connections.to(owner, {
      client: "",
      user: FOLLOWER,
      program: "Gavel",
      notified: (method, params) => {
        if (method !== TeamEventNotification.method || !isRecord(params)) return;
        // The other host has the same store, and what it tells is in there.
        const { teamId, event } = params as { readonly teamId: string; readonly event: TeamEvent };
        const team = this.#followed.get(teamId);
        if (team?.owner.id === owner.id) team.receive(event);
      },
      isUsed: () => of().length > 0,
      closed: () => {
        for (const team of of()) team.leave();
      },
    });
  }

  async #accept(channel: Duplex, key: Buffer): Promise<void> {
    try {
      // What happens then is told to the clients of this host alone, as their user has decided.
      if (!this.#parts.isStoring()) throw new Error("what happens here is not stored at present");
      const socket = await secureAccepted(channel, key);
      if (socket !== undefined) await this.#clients.add(socket);
    } catch (error) {
      channel.destroy();
      this.#parts.log.warn(`Another agent host could not be accepted: ${messageOf(error)}`);
    }
  }
}

const isEnd = (error: unknown): boolean => error instanceof Error && error.name === CONVERSATION_END;
