import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { invalidParams, messageOf, storageError, unknownTeam } from "../../../shared/contract/errors.ts";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { TeamStatus, TeamSummary } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { ToolAnswers } from "../../engine/index.ts";
import type { PendingCall } from "../approvals/approvals.ts";
import { Session, type SessionOptions } from "./session.ts";

/** How many events `team/events` returns by default. */
const EVENTS_PAGE = 1_000;

/** The name that the host's own interrupts are attributed to. */
const HOST = "host";

/** Selects events after a `seq`, at most `limit`, of certain types only. */
interface EventsQuery {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly types?: readonly string[] | undefined;
}

/** The teams of this host by id: the open ones, and those in the store. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #open = new Map<string, Session>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The session of a team. @throws GavelError `UnknownTeam` if none is open or stored. */
  get(teamId: string): Session {
    const session = this.#find(teamId);
    if (session === undefined) throw unknownTeam(teamId);
    return session;
  }

  /**
   * Opens a team for the client, which gets its events from then on: a new team, or the stored one of that id with its
   * thread, and with `definition` replacing its own.
   * @throws GavelError `UnknownTeam` for an unknown id without a definition, `TeamBusy` for another definition while it
   * runs.
   */
  open(teamId: string | undefined, definition?: TeamDefinition, uri?: string): TeamState {
    const session = this.#sessionFor(teamId, definition, uri);
    this.#options.publisher.follow(session.teamId);
    const state = session.current();
    this.#options.log.info(
      `${titleOf(state, session.teamId)} opened: ${state.status}, ${state.threadLength} messages.`,
    );
    return state;
  }

  /**
   * Copies a team at rest, with its definition and state, into a new team, whose events the client gets from then on.
   * @throws GavelError `UnknownTeam`, `TeamBusy` while it runs, `InvalidParams` for an id that is taken.
   */
  fork(teamId: string, newTeamId: string = randomUUID()): TeamState {
    const origin = this.get(teamId);
    const state = origin.save();
    if (this.#find(newTeamId) !== undefined) {
      const message = `team "${newTeamId}" already exists; use another id, or leave it out`;
      throw invalidParams("team/fork", [{ path: "newTeamId", message }]);
    }
    const fork = this.#create(newTeamId, origin.definition, origin.uri);
    this.#options.publisher.follow(newTeamId);
    try {
      fork.load(state);
    } catch (error) {
      this.delete(newTeamId);
      throw error;
    }
    this.#options.log.info(`${titleOf(origin.definition, teamId)} copied to ${newTeamId}.`);
    return fork.current();
  }

  /**
   * Resolves at once every pending call that the rules now decide, since several participants may have made the same call.
   * Teams that another host runs are skipped. Returns the refs that were resolved.
   */
  async answerDecided(answers: (calls: readonly PendingCall[]) => Promise<ToolAnswers | undefined>): Promise<string[]> {
    const answered = [...this.#open.values()].map((session) =>
      this.#answerDecided(session, answers).catch((error: unknown) => {
        this.#options.log.warn(messageOf(error));
        return [];
      }),
    );
    return (await Promise.all(answered)).flat();
  }

  /** Every stored team, the last used first. */
  list(): TeamSummary[] {
    return this.#options.store.teams.list().map((summary) => ({ ...summary, status: this.#statusOf(summary) }));
  }

  /** A team's stored events after `after`. @throws GavelError `UnknownTeam`. */
  events(
    teamId: string,
    { after = 0, limit = EVENTS_PAGE, types }: EventsQuery,
  ): { events: DurableEvent[]; lastSeq: number } {
    const { store } = this.#options;
    const key = store.teams.key(teamId);
    if (key === undefined) throw unknownTeam(teamId);
    return { events: store.events.page(key, after, limit, types), lastSeq: store.events.lastSeq(key) };
  }

  /** @throws GavelError `UnknownTeam`, or `TeamBusy` while it runs. */
  delete(teamId: string): void {
    const session = this.get(teamId);
    const title = titleOf(session.definition, teamId);
    session.delete();
    this.#options.log.info(`${title} deleted.`);
    this.#open.delete(teamId);
    this.#options.publisher.unfollow(teamId);
  }

  /** Interrupts every run, keeping everything; resolves when all are at rest. Signals are aborted before this returns. */
  async interruptAll(reason: string): Promise<void> {
    const running = [...this.#open.values()].filter((session) => session.isRunning);
    if (running.length > 0) this.#options.log.info(`Interrupting ${running.length} running teams: ${reason}.`);
    await Promise.allSettled(
      running.map((session) => session.exclusive((team) => team.interrupt({ reason, by: HOST }))),
    );
  }

  async #answerDecided(session: Session, answers: Parameters<Sessions["answerDecided"]>[0]): Promise<string[]> {
    const waiting = session.current().pendingTools.filter(({ approval }) => approval !== undefined);
    const calls = await Promise.all(waiting.map(async ({ ref }) => this.#pendingCall(session, ref)));
    const decided = await answers(calls.filter((call) => call !== undefined));
    // The user may have answered some of them meanwhile.
    const { pendingTools } = session.current();
    const isPending = ({ ref }: { readonly ref: string }): boolean => pendingTools.some((call) => call.ref === ref);
    const restart = decided?.restart?.filter(isPending) ?? [];
    const deny = decided?.deny?.filter(isPending) ?? [];
    if (restart.length + deny.length === 0) return [];
    session
      .exclusive((team) => team.resolveTools({ restart, deny }))
      .catch((error: unknown) => this.#options.log.warn(messageOf(error)));
    // Answers are applied synchronously, except while a run is about to end: then after its end.
    const left = new Set(session.current().pendingTools.map(({ ref }) => ref));
    return pendingTools.map(({ ref }) => ref).filter((ref) => !left.has(ref));
  }

  /** A pending call as the rules see it; undefined when it cannot run any more, which leaves it to the user. */
  async #pendingCall(session: Session, ref: string): Promise<PendingCall | undefined> {
    const call = await session.read((team) => team.callToApprove(ref));
    return call && { ref, call };
  }

  #sessionFor(teamId: string | undefined, definition?: TeamDefinition, uri?: string): Session {
    if (definition === undefined) return this.get(teamId ?? "");
    if (teamId !== undefined) this.#replaceDamaged(teamId, definition, uri);
    const known = teamId === undefined ? undefined : this.#find(teamId);
    if (known === undefined) return this.#create(teamId ?? randomUUID(), definition, uri);
    const isAtRest = known.current().run === null;
    const origin = uri ?? known.uri;
    const isOther = !isDeepStrictEqual(definition, known.definition);
    if (isOther || (isAtRest && origin !== known.uri)) known.redefine(definition, origin);
    return known;
  }

  /** Gives a stored team whose definition cannot be read the one that is given. */
  #replaceDamaged(teamId: string, definition: TeamDefinition, uri: string | undefined): void {
    const { teams } = this.#options.store;
    const key = teams.key(teamId);
    if (key === undefined || this.#open.get(teamId)?.key === key || !teams.isDamaged(teamId)) return;
    teams.redefine(key, definition, uri, new Date().toISOString());
  }

  #create(teamId: string, definition: TeamDefinition, uri: string | undefined): Session {
    const { store } = this.#options;
    store.teams.create(teamId, definition, uri, new Date().toISOString());
    const created = this.#stored(teamId);
    if (created === undefined)
      throw storageError(`Team "${teamId}" was deleted while it was being created; open it again.`);
    return created;
  }

  /** Another host may have deleted a team that is open here, and may even have created another under its id. */
  #find(teamId: string): Session | undefined {
    const session = this.#open.get(teamId);
    if (session !== undefined && session.key === this.#options.store.teams.key(teamId)) return session;
    this.#open.delete(teamId);
    return this.#stored(teamId);
  }

  #stored(teamId: string): Session | undefined {
    const record = this.#options.store.teams.get(teamId);
    if (record === undefined) return undefined;
    const session = new Session(record, this.#options);
    this.#open.set(teamId, session);
    return session;
  }

  /** The stored status, except for a team that seems to run: its host may have died. */
  #statusOf({ teamId, status }: TeamSummary): TeamStatus {
    if (status !== "running" && status !== "interrupting") return status;
    try {
      return this.get(teamId).current().status;
    } catch (error) {
      this.#options.log.warn(messageOf(error));
      return status;
    }
  }
}

const titleOf = ({ name }: { readonly name: string }, teamId: string): string => `Team "${name}" (${teamId})`;
