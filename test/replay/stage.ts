import { isDeepStrictEqual } from "node:util";
import type { Team } from "../../server/engine/team/team.ts";
import type { MemoryJournal } from "../../server/engine/testing/memory-journal.ts";
import { TEAM_ID, type TestTeam, testTeam } from "../../server/engine/testing/test-team.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { type Step, Watch } from "./watch.ts";

/** How many turns of the event loop a team may take to come to rest: far more than any does, and no question of time. */
const MOST_TURNS = 20_000;

/** How many events a play may have: one that talks on for ever comes to no rest either. */
const MOST_EVENTS = 2_000;

/** A recorded team at work, with all that is seen of it. After each event its state is held against the fold of what was told. */
export class Stage {
  readonly fixture: TestTeam;
  readonly #watch = new Watch();
  readonly #outstanding = new Set<Promise<unknown>>();
  readonly #problems: string[] = [];

  /** With a journal it is the team that another host left. */
  constructor(recorded: RecordedTeam, journal?: MemoryJournal) {
    const options = recorded.make(this.#watch);
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

  get steps(): readonly Step[] {
    return this.#watch.steps;
  }

  /** What was found to be wrong so far. */
  get problems(): readonly string[] {
    return [...this.#problems, ...this.#watch.faults];
  }

  found(problem: string): void {
    this.#problems.push(problem);
  }

  /** What is waited for before the team counts as at rest. What it throws is wrong, unless `mayFail` says that it is allowed. */
  begin(work: Promise<unknown>, mayFail: (error: unknown) => boolean = () => false): void {
    this.#outstanding.add(work);
    work
      .catch((error: unknown) => {
        if (!mayFail(error)) this.found(`it threw ${String(error)}`);
      })
      .finally(() => this.#outstanding.delete(work));
  }

  /** Resolves when nothing of the team moves, with whether that ever came. */
  async atRest(): Promise<boolean> {
    for (let turns = 0; turns < MOST_TURNS && this.fixture.events.length < MOST_EVENTS; turns++) {
      if (!this.team.isRunning && this.#outstanding.size === 0) return true;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return false;
  }

  /** Folds what is told, and compares once no telling is under way: what happens in a telling is told after it. */
  #mirror(): void {
    let { state } = this.team;
    let due = false;
    const compare = (): void => {
      due = false;
      if (!isDeepStrictEqual(state, this.team.state)) this.found("the state is not the fold of the events");
    };
    this.team.onEvent((event: TeamEvent) => {
      this.#watch.steps.push({ kind: "event", event });
      state = reduceTeam(state, event);
      if (event.type === "interrupt/completed" && event.status !== state.status) {
        this.found(`the receipt says ${event.status}, and the team is ${state.status}`);
      }
      if (!due) queueMicrotask(compare);
      due = true;
    });
  }
}
