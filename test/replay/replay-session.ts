import { isDeepStrictEqual } from "node:util";
import type { Team } from "../../server/engine/team/team.ts";
import type { MemoryJournal } from "../../server/engine/testing/memory-journal.ts";
import { TEAM_ID, type TestTeam, testTeam } from "../../server/engine/testing/test-team.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { type ObservedStep, TeamObserver } from "./team-observer.ts";

/** How many turns of the event loop a team may take to become idle: far more than any needs. */
const MAX_EVENT_LOOP_TURNS = 20_000;

/** How many events a replay may have: a team that never stops talking does not become idle either. */
const MAX_EVENTS = 2_000;

/** A recorded team, with all that is observed of it. After each event its state is compared with the fold of its events. */
export class ReplaySession {
  readonly fixture: TestTeam;
  readonly #observer = new TeamObserver();
  readonly #outstanding = new Set<Promise<unknown>>();
  readonly #problems: string[] = [];

  /** With a journal, it opens the team that another host stored. */
  constructor(recorded: RecordedTeam, journal?: MemoryJournal) {
    const options = recorded.make(this.#observer);
    const whole = testTeam({ graceMs: 1, ...options });
    this.fixture =
      journal === undefined
        ? whole
        : testTeam({ graceMs: 1, ...options, journal, stored: journal.stored(TEAM_ID, whole.definition) });
    this.#mirror();
  }

  get team(): Team {
    return this.fixture.team;
  }

  get steps(): readonly ObservedStep[] {
    return this.#observer.steps;
  }

  /** The problems found so far. */
  get problems(): readonly string[] {
    return [...this.#problems, ...this.#observer.problems];
  }

  report(problem: string): void {
    this.#problems.push(problem);
  }

  /** Work that must settle before the team counts as idle. An error is a problem, unless `mayFail` allows it. */
  track(work: Promise<unknown>, mayFail: (error: unknown) => boolean = () => false): void {
    this.#outstanding.add(work);
    work
      .catch((error: unknown) => {
        if (!mayFail(error)) this.report(`it threw ${String(error)}`);
      })
      .finally(() => this.#outstanding.delete(work));
  }

  /** Resolves with true when the team is idle, with false when it never becomes idle. */
  async idle(): Promise<boolean> {
    for (let turns = 0; turns < MAX_EVENT_LOOP_TURNS && this.fixture.events.length < MAX_EVENTS; turns++) {
      if (!this.team.isRunning && this.#outstanding.size === 0) return true;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return false;
  }

  /** Folds events as they arrive and compares in a microtask: events caused by a listener arrive after the current one. */
  #mirror(): void {
    let { state } = this.team;
    let due = false;
    const compare = (): void => {
      due = false;
      if (!isDeepStrictEqual(state, this.team.state)) this.report("the state is not the fold of the events");
    };
    this.team.onEvent((event: TeamEvent) => {
      this.#observer.steps.push({ kind: "event", event });
      state = reduceTeam(state, event);
      if (event.type === "interrupt/completed" && event.status !== state.status) {
        this.report(`the receipt has the status ${event.status}, and the team ${state.status}`);
      }
      if (!due) queueMicrotask(compare);
      due = true;
    });
  }
}
