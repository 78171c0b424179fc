import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import {
  GavelError,
  hostEnds,
  invalidParams,
  messageOf,
  requestCancelled,
  storageError,
  unknownTeam,
} from "../../../shared/contract/errors.ts";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { Role } from "../../../shared/contract/people.ts";
import type { TaskResult, TeamSnapshot, TeamStatus, TeamSummary } from "../../../shared/contract/team.ts";
import { modelChoices } from "../../../shared/state/chosen-models.ts";
import { snapshotOf, type TeamState } from "../../../shared/state/team-state.ts";
import type { Team } from "../../engine/index.ts";
import { leastRole } from "../people/authority.ts";
import { People } from "../people/people.ts";
import type { FoundPage, MessageSearch } from "../store/search/find-in-teams.ts";
import { answerDecided, type DecidedAnswers } from "./decided-calls.ts";
import type { Follower } from "./event-publisher.ts";
import { forkTitle } from "./fork-title.ts";
import { OpenSessions } from "./open-sessions.ts";
import type { Session } from "./session.ts";
import type { SessionOptions } from "./session-options.ts";

/** How many events `team/events` returns by default. */
const EVENTS_PAGE = 1_000;

/** How many events are sent to a client that returns. More than that is a state. */
const MAX_MISSED = 1_000;

/** The name that the host's own interrupts are attributed to. */
const HOST = "host";

/** Selects events after a `seq`, at most `limit`, of certain types only. */
interface EventsQuery {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly types?: readonly string[] | undefined;
}

/** A team to open; `redefined` is called if it gets another definition. */
interface WantedTeam {
  readonly definition: TeamDefinition | undefined;
  readonly uri: string | undefined;
  readonly redefined: () => void;
}

/** Who is told nothing, for teams that no client asked for. */
const noFollower: Follower = { tell: () => {} };

const REDEFINED = "the team has another definition now";

/** The teams of this host by id: the open ones, and those in the store. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #open: OpenSessions;
  /** The last change under each id: teams are made, replaced and deleted one at a time. */
  readonly #changes = new Map<string, Promise<unknown>>();
  readonly #people: People;
  #isDraining = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#open = new OpenSessions(options);
    this.#people = new People(options);
  }

  /** The session of a team. @throws GavelError `UnknownTeam` if none is open or stored. */
  async get(teamId: string): Promise<Session> {
    const session = await this.#open.find(teamId);
    if (session === undefined) throw unknownTeam(teamId);
    return session;
  }

  /**
   * Runs a team, as {@link Session.run} does. Whether an open team has been deleted by another host is not looked up before,
   * as claiming it finds that out.
   * @throws GavelError `UnknownTeam` if none is open or stored.
   */
  async run(teamId: string, work: (team: Team) => Promise<TaskResult>): Promise<TaskResult> {
    if (this.#isDraining) throw hostEnds(teamId);
    const open = this.#open.known(teamId) ?? (await this.get(teamId));
    try {
      return await open.run(work);
    } catch (error) {
      if (!(error instanceof GavelError) || error.data.code !== "UnknownTeam") throw error;
      // Another team may have its id by now.
      const other = await this.get(teamId);
      if (other === open) throw error;
      return other.run(work);
    }
  }

  /**
   * Opens a team for a client, which follows it from then on: a new team, or the stored one of that id with its thread, and
   * with `definition` replacing its own.
   * @throws GavelError `UnknownTeam` for an unknown id without a definition, `TeamBusy` for another definition while it
   * runs.
   */
  async open(
    teamId: string = randomUUID(),
    { definition, uri }: { readonly definition?: TeamDefinition | undefined; readonly uri?: string | undefined } = {},
    follower: Follower = noFollower,
  ): Promise<TeamState> {
    let isRedefined = false;
    const session = await this.#inTurn(teamId, () =>
      this.#sessionFor(teamId, { definition, uri, redefined: () => (isRedefined = true) }),
    );
    await session.current();
    await this.#admitted(session)?.catch((error: unknown) => this.#options.log.info(messageOf(error)));
    const state = await this.#followed(session, follower, (opened) => opened);
    // At the end, as this request is about the team too.
    if (isRedefined) this.#options.discarded(teamId, (method) => requestCancelled(method, REDEFINED));
    this.#options.log.info(
      `${titleOf(state, session.teamId)} opened: ${state.status}, ${state.threadLength} messages.`,
    );
    return state;
  }

  /**
   * Tells a client what it missed of a team that it knew up to `after`, an event of that time, and what happens from then
   * on.
   * @throws GavelError `UnknownTeam`.
   */
  async follow(
    teamId: string,
    { after, at }: { readonly after: number; readonly at?: string | undefined },
    follower: Follower,
  ): Promise<{ events: DurableEvent[] } | { snapshot: TeamSnapshot }> {
    const session = await this.get(teamId);
    await session.current();
    // It is given a state, which has what it was not told yet.
    if (after === 0) this.#options.publisher.forget(teamId, follower);
    return this.#followed(session, follower, async (state) => {
      const snapshot = (): { snapshot: TeamSnapshot } => ({ snapshot: snapshotOf(state) });
      const isNear = after > 0 && after <= state.lastSeq && state.lastSeq - after <= MAX_MISSED;
      if (!isNear || hasOpenText(state)) return snapshot();
      const { events } = await this.events(teamId, { after: after - 1, limit: MAX_MISSED + 1 });
      const [known, ...missed] = events.filter(({ seq }) => seq <= state.lastSeq);
      if (known?.seq !== after || (at !== undefined && known.at !== at)) return snapshot();
      return missed.at(-1)?.seq === state.lastSeq || after === state.lastSeq ? { events: missed } : snapshot();
    });
  }

  /**
   * Copies a team at rest, with its definition and state, into a new team, which a client follows from then on.
   * @throws GavelError `UnknownTeam`, `TeamBusy` while it runs, `InvalidParams` for an id that is taken.
   */
  async fork(teamId: string, newTeamId: string = randomUUID(), follower: Follower = noFollower): Promise<TeamState> {
    const origin = await this.get(teamId);
    const state = await origin.save();
    const taken = (await this.#options.store.teams.list()).map(({ title }) => title);
    const title = forkTitle(origin.state, taken);
    const fork = await this.#inTurn(newTeamId, async () => {
      if ((await this.#open.find(newTeamId)) !== undefined) {
        const message = `team "${newTeamId}" already exists; use another id, or leave it out`;
        throw invalidParams("team/fork", [{ path: "newTeamId", message }]);
      }
      return this.#create(newTeamId, origin.definition, origin.uri);
    });
    try {
      await fork.load(() => state);
      await fork.exclusive((team) => {
        team.rename(title);
        if (origin.state.approvers !== undefined) team.setApprovers(origin.state.approvers);
        for (const { to, model } of modelChoices(origin.state)) team.setModel(to, model);
      });
    } catch (error) {
      await this.delete(newTeamId).catch((failure: unknown) => this.#options.log.warn(messageOf(failure)));
      throw error;
    }
    this.#options.log.info(`${titleOf(origin.definition, teamId)} copied to ${newTeamId}.`);
    return this.#followed(fork, follower, (copied) => copied);
  }

  /**
   * Resolves at once every pending call that the rules now decide, since several participants may have made the same call.
   * Teams that another host runs are skipped. Returns the refs that were resolved.
   */
  async answerDecided(answers: DecidedAnswers): Promise<string[]> {
    const own = this.#open.all.filter(({ state }) => this.#people.roleIn(state) !== "observer");
    const answered = own.map((session) =>
      answerDecided(session, answers, this.#options.log).catch((error: unknown) => {
        this.#options.log.warn(messageOf(error));
        return [];
      }),
    );
    return (await Promise.all(answered)).flat();
  }

  /** Every stored team, the last used first. */
  async list(): Promise<TeamSummary[]> {
    const { store } = this.#options;
    await store.ready();
    const summaries = [...this.#open.unstoredSummaries(), ...(await store.teams.list())];
    return Promise.all(summaries.map(async (summary) => ({ ...summary, status: await this.#statusOf(summary) })));
  }

  /** The messages of stored teams in which a text occurs, a page of them. */
  find(search: MessageSearch, signal: AbortSignal): Promise<FoundPage> {
    return this.#options.store.find(search, signal);
  }

  /**
   * A team's told events after `after`, which are stored unless the user continues without saving.
   * @throws GavelError `UnknownTeam`.
   */
  async events(
    teamId: string,
    { after = 0, limit = EVENTS_PAGE, types }: EventsQuery,
  ): Promise<{ events: DurableEvent[]; lastSeq: number }> {
    const { store, publisher } = this.#options;
    await store.ready();
    await publisher.settled(teamId);
    const key = await this.#open.keyOf(teamId);
    if (key === undefined) throw unknownTeam(teamId);
    const stored = await store.events.page(key, after, limit, types);
    const unstored = this.#open.known(teamId)?.toldUnstored ?? [];
    const told = unstored.filter(({ seq, type }) => seq > after && (types === undefined || types.includes(type)));
    return {
      events: [...stored, ...told].slice(0, limit),
      lastSeq: unstored.at(-1)?.seq ?? (await store.events.lastSeq(key)),
    };
  }

  /**
   * Notes the user who acts now as a user of the team; undefined if there is nothing to wait for.
   * @throws GavelError `NotAuthorized` if the user may not do that.
   */
  authorize(teamId: string, method: string, params: unknown): Promise<void> | undefined {
    if (leastRole(method, params) === "observer") return undefined;
    const open = this.#open.known(teamId);
    return open === undefined ? this.#authorizeStored(teamId, method, params) : this.#authorizeIn(open, method, params);
  }

  /** Changes a role: by the chair, or by a member who takes the chair of somebody who is not there. */
  async setRole(
    teamId: string,
    change: { readonly user?: string | undefined; readonly role: Role },
  ): Promise<TeamState> {
    const session = await this.get(teamId);
    return session.exclusive(async (team) => {
      const takes = this.#people.takesChair(team.state, change);
      const chair = this.#people.chairOf(team.state);
      if (takes && chair !== undefined && (await this.#options.connectedElsewhere?.(chair)) === true)
        throw this.#people.chairIsConnected(team.state);
      team.setRole(change.user, change.role, takes ? true : undefined);
      return team.state;
    });
  }

  async #authorizeStored(teamId: string, method: string, params: unknown): Promise<void> {
    const session = await this.#open.find(teamId);
    // The request itself says that there is none.
    if (session !== undefined) await this.#authorizeIn(session, method, params);
  }

  #authorizeIn(session: Session, method: string, params: unknown): Promise<void> | undefined {
    this.#people.assertMay(session.state, method, params);
    return this.#admitted(session);
  }

  /** Notes the user who acts now as a user of the team, once there are two. */
  #admitted(session: Session): Promise<void> | undefined {
    const admission = this.#people.admission(session.state);
    if (admission === undefined) return undefined;
    const { user, chair } = admission;
    return session.exclusive((team) => team.admit(user, chair), "nothing");
  }

  /** Makes a team, whose chair is the user who acts now. */
  async #create(teamId: string, definition: TeamDefinition, uri: string | undefined): Promise<Session> {
    const session = await this.#open.create(teamId, definition, uri);
    this.#people.created(teamId);
    return session;
  }

  /** Whether there is a team of that id, open or stored. */
  async has(teamId: string): Promise<boolean> {
    return (await this.#open.keyOf(teamId)) !== undefined;
  }

  /** @throws GavelError `UnknownTeam`, or `TeamBusy` while it runs. */
  async delete(teamId: string): Promise<void> {
    await this.#inTurn(teamId, async () => {
      const session = await this.get(teamId);
      await session.delete();
      this.#options.log.info(`${titleOf(session.definition, teamId)} deleted.`);
      this.#open.forget(teamId);
      this.#people.forget(teamId);
      this.#options.publisher.unfollow(teamId);
    });
    this.#options.discarded(teamId, () => unknownTeam(teamId));
  }

  /**
   * Interrupts the run of an open team, keeping everything; resolves when it is at rest. Its signals are aborted before this
   * returns.
   */
  async pause(teamId: string, reason: string): Promise<void> {
    const session = this.#open.known(teamId);
    if (session?.isBusy !== true) return;
    await session.exclusive((team) => team.interrupt({ reason, by: HOST }), "nothing");
  }

  /** Whether this host has the team, so that no other runs it. */
  isOwn(teamId: string): boolean {
    const session = this.#open.known(teamId);
    return session !== undefined && (session.isBusy || this.#options.store.locks.isHeld(session.key));
  }

  /** Where clients follow a team that another host may run: what happens there is told to them. */
  async look(teamId: string): Promise<void> {
    if (this.#options.publisher.isFollowed(teamId)) await this.#open.known(teamId)?.current();
  }

  /** See {@link look}. */
  async lookAtAll(): Promise<void> {
    for (const { teamId } of this.#open.all) await this.look(teamId);
  }

  /** Whether a team runs. */
  get isBusy(): boolean {
    return this.#open.all.some((session) => session.isBusy);
  }

  /** How many teams are open and run, and how many calls wait for decisions. */
  get counts(): { readonly teams: number; readonly running: number; readonly waitingCalls: number } {
    const { all } = this.#open;
    return {
      teams: all.length,
      running: all.filter(({ isBusy }) => isBusy).length,
      waitingCalls: all.reduce((count, { state }) => count + state.pendingTools.length, 0),
    };
  }

  /** No run starts any more. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Interrupts every run, keeping everything; resolves when all are at rest. Signals are aborted before this returns. */
  async interruptAll(reason: string): Promise<void> {
    const running = this.#open.all.filter((session) => session.isBusy);
    if (running.length > 0) this.#options.log.info(`Interrupting ${running.length} running teams: ${reason}.`);
    await Promise.allSettled(
      running.map((session) => session.exclusive((team) => team.interrupt({ reason, by: HOST }), "nothing")),
    );
  }

  /** Ends what runs, keeping everything: what all teams need has failed. */
  fail(error: GavelError): void {
    for (const session of this.#open.all) session.fail(error);
  }

  /** The client follows the team from the state on that is answered; its events are told after the answer. */
  async #followed<T>(session: Session, follower: Follower, answer: (state: TeamState) => T | Promise<T>): Promise<T> {
    const { publisher } = this.#options;
    const { state } = session;
    const settled = publisher.settled(session.teamId);
    const release = publisher.follow(session.teamId, follower);
    try {
      if (!(await settled) && follower.needsStored === true) {
        publisher.forget(session.teamId, follower);
        throw storageError(`What happens in the team "${session.teamId}" cannot be stored at present; try again.`);
      }
      return await answer(state);
    } finally {
      setImmediate(release);
    }
  }

  async #inTurn<T>(teamId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(teamId);
    const done = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#changes.set(teamId, done);
    try {
      return await done;
    } finally {
      if (this.#changes.get(teamId) === done) this.#changes.delete(teamId);
    }
  }

  async #sessionFor(teamId: string, { definition, uri, redefined }: WantedTeam): Promise<Session> {
    if (definition === undefined) return this.get(teamId);
    await this.#options.store.ready();
    await this.#open.replaceDamaged(teamId, definition, uri);
    const known = await this.#open.find(teamId);
    if (known === undefined) return this.#create(teamId, definition, uri);
    const state = await known.current();
    const origin = uri ?? known.uri;
    const isOther = !isDeepStrictEqual(definition, known.definition);
    if (isOther) this.#people.assertChair(state, "change its definition");
    const isMoved = state.run === null && origin !== known.uri && this.#people.roleIn(state) === "chair";
    if (isOther || isMoved) {
      await known.redefine(definition, origin);
      redefined();
    }
    return known;
  }

  /** The stored status, except for a team that seems to run: its host may have died. */
  async #statusOf({ teamId, status }: TeamSummary): Promise<TeamStatus> {
    if (status !== "running" && status !== "interrupting") return status;
    try {
      return (await (await this.get(teamId)).current()).status;
    } catch (error) {
      this.#options.log.warn(messageOf(error));
      return status;
    }
  }
}

const titleOf = ({ name }: { readonly name: string }, teamId: string): string => `Team "${name}" (${teamId})`;

/** Whether text, of which the client may have a part, is being written. */
const hasOpenText = ({ streaming, calls, inner = {} }: TeamState): boolean =>
  streaming.length > 0 || calls.length > 0 || Object.values(inner).some(hasOpenText);
