import { messageOf } from "../../../shared/contract/errors.ts";
import type { TeamToFollow } from "../sessions/followed-team.ts";
import type { ActingClient, ForwardedRequest, HostParts } from "./host-parts.ts";
import type { HostsOnLink } from "./link/hosts-on-link.ts";

/** What the host that runs a team answers for clients of other hosts: what is done in the team, as it is now. */
const FORWARDED = new Set([
  "team/run",
  "team/sendUserMessage",
  "team/queue",
  "team/interrupt",
  "team/stop",
  "team/stopCommand",
  "team/resolveTools",
  "team/editPlan",
  "team/rename",
  "team/setModel",
  "team/setRole",
  "team/setApprovers",
  "team/inspectState",
  "team/commandOutput",
  "team/previewInterrupt",
  "team/previewMessage",
  "team/previewTool",
  "reasoning/interrupt",
  "approvals/suggest",
]);

export interface OtherHostsOptions {
  /** The address of the link, which may have a password. */
  readonly link: string;
  readonly parts: HostParts;
  /** Whether this host runs the team. */
  readonly isOwn: (teamId: string) => boolean;
  /** Called when other hosts are reached: what they have begun before was not told. */
  readonly joined: () => void;
}

/** The hosts that share a store on a server with this one, once this one has joined the link. */
export class OtherHosts implements Disposable {
  readonly #options: OtherHostsOptions;
  #joining: Promise<HostsOnLink | undefined> | undefined;
  /** Once the link is joined: nothing waits for that. */
  #hosts: HostsOnLink | undefined;
  #isClosed = false;

  constructor(options: OtherHostsOptions) {
    this.#options = options;
    this.join();
  }

  /** Joins the link, if that was not possible before. */
  join(): void {
    if (this.#isClosed) return;
    const joining = this.#joining ?? this.#join();
    this.#joining = joining;
    void joining.then((hosts) => {
      if (hosts === undefined && this.#joining === joining) this.#joining = undefined;
    });
  }

  /** See `HostsOnLink.forward`; undefined at once for what this host answers itself. */
  forward(request: ForwardedRequest): Promise<{ readonly result: unknown } | undefined> | undefined {
    const { method, teamId } = request;
    if (!FORWARDED.has(method) || this.#options.isOwn(teamId)) return undefined;
    return this.#hosts?.forward(request);
  }

  /** See `HostsOnLink.follow`. */
  async follow(team: TeamToFollow): Promise<boolean> {
    return (await this.#hosts?.follow(team)) === true;
  }

  /** See `HostsOnLink.check`. */
  async check(): Promise<void> {
    await this.#hosts?.check();
  }

  /** Whether a user has a client at another host; false where none is reached. */
  async isConnected(user: string): Promise<boolean> {
    return (await this.#hosts?.isConnected(user)) === true;
  }

  /** See `HostsOnLink.hangUp`. */
  hangUp(): void {
    this.#hosts?.hangUp();
  }

  /** This host has begun to run a team. */
  announce(teamId: string): void {
    this.#hosts?.announce(teamId);
  }

  /** A client of this host has gone. */
  left(client: ActingClient): void {
    this.#hosts?.left(client);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    void this.#joining?.then((hosts) => hosts?.close());
  }

  async #join(): Promise<HostsOnLink | undefined> {
    const { link, parts } = this.#options;
    const { log } = parts;
    try {
      const { HostsOnLink } = await import("./link/hosts-on-link.ts");
      const hosts = await HostsOnLink.join(link, parts);
      log.info(`Other hosts of the store reach this one on the link ${hosts.name}.`);
      if (hosts.warning !== undefined) log.warn(hosts.warning);
      if (this.#isClosed) await hosts.close();
      else {
        this.#hosts = hosts;
        this.#options.joined();
      }
      return hosts;
    } catch (error) {
      log.warn(`Other hosts of the store cannot be reached: ${messageOf(error)}`);
      return undefined;
    }
  }
}
