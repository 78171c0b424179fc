import {
  TeamInterrupt,
  TeamResolveTools,
  TeamRun,
  TeamSendUserMessage,
  TeamStop,
} from "../../shared/contract/requests.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/team-state.ts";
import { MendedError } from "../errors/mended-error.ts";
import { HostGoneError } from "../host/host-errors.ts";
import type { HostProcess } from "../host/host-process.ts";
import { requireTrust } from "../trust.ts";
import type { TeamSession } from "./team-session.ts";

/** How a user rules on one pending call. */
export type Ruling =
  | { readonly how: "approve" }
  | { readonly how: "deny"; readonly reason?: string | undefined }
  | { readonly how: "respond"; readonly output: unknown };

/**
 * What a user can do to the team that is shown. Each resolves when the host has done it, which for a run is its end:
 * what happens until then is told by events. All throw the host's error as it stands.
 */
export class TeamActions {
  readonly #host: HostProcess;
  readonly #session: TeamSession;

  constructor(host: HostProcess, session: TeamSession) {
    this.#host = host;
    this.#session = session;
  }

  /** The team that is shown. @throws when there is none. */
  get team(): TeamState {
    const { state } = this.#session;
    if (state !== undefined) return state;
    throw new MendedError("No team is open; open a team file, or a stored team.", {
      label: "Open Team",
      command: "openTeam",
    });
  }

  /** Starts a run; without a task it goes on from the thread. */
  async run(task?: string): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    const text = task?.trim() ?? "";
    await untilTheHostEnds(this.#host.request(TeamRun, { teamId, ...(text === "" ? {} : { task: text }) }));
  }

  /**
   * Sends a message to one participant, at once. While the team runs, selection goes on after the reply; a team at rest
   * answers and rests again, since a question alone should not set all the others to work.
   */
  async send(to: string, message: string): Promise<void> {
    requireTrust();
    const { teamId, status } = this.team;
    const next = status === "running" ? "continue" : "pause";
    // biome-ignore lint/suspicious/noThenProperty: the contract names the field so
    const params = { teamId, to, messages: message, then: next } as const;
    await untilTheHostEnds(this.#host.request(TeamSendUserMessage, params));
  }

  /** Stops the team where it stands; what has streamed is kept, and the run can go on. */
  async interrupt(): Promise<void> {
    await this.#host.request(TeamInterrupt, { teamId: this.team.teamId, reason: "user_request" });
  }

  /** Ends the run when the turn in progress has ended. */
  async stopAfterTurn(): Promise<void> {
    await this.#host.request(TeamStop, { teamId: this.team.teamId });
  }

  async reset(): Promise<void> {
    await this.#session.reset(this.team.teamId);
  }

  /** Rules on one pending call. */
  async rule(ref: string, ruling: Ruling): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    await untilTheHostEnds(this.#host.request(TeamResolveTools, { teamId, ...answer(ref, ruling) }));
  }

  /** The pending call of that name, or undefined when it has been answered. */
  pending(ref: string): PendingTool | undefined {
    return this.#session.state?.pendingTools.find((call) => call.ref === ref);
  }
}

function answer(ref: string, ruling: Ruling) {
  switch (ruling.how) {
    case "approve":
      return { restart: [{ ref }] };
    case "deny":
      return { deny: [{ ref, ...(ruling.reason === undefined ? {} : { reason: ruling.reason }) }] };
    case "respond":
      return { respond: [{ ref, output: ruling.output }] };
  }
}

/** A run whose host died is no error of the user's request: the team comes back marked as interrupted, and says so itself. */
async function untilTheHostEnds(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof HostGoneError)) throw error;
  }
}
