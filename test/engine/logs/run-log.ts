import { join } from "node:path";
import { test } from "node:test";
import type { Model } from "../../../server/engine/model.ts";
import { atRest } from "../../../server/engine/testing/at-rest.ts";
import { ManualTimers } from "../../../server/engine/testing/manual-timers.ts";
import { type ScriptedAnswer, ScriptedModel } from "../../../server/engine/testing/scripted-model.ts";
import { type TestTeam, type TestTeamOptions, testTeam } from "../../../server/engine/testing/test-team.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { assertClientsAgree } from "./attached-clients.ts";
import { assertLoadedShowsTheSame } from "./loaded-states.ts";
import { assertOpenedShowsTheSame } from "./opened-timelines.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/run-logs");

/**
 * Everything observable of a running team, line by line: the stored events, the input of each model, and the test's notes.
 * Ids are numbered in order of appearance, calls have the models' own ids instead of refs, and times are left out.
 */
export class RunLog {
  readonly timers = new ManualTimers();
  readonly #teams: TestTeam[] = [];
  readonly #lines: string[] = [];
  readonly #outcomes: string[] = [];
  readonly #ids = new Map<string, string>();
  /** The models' own ids of the calls, by ref. */
  readonly #calls = new Map<string, string>();
  readonly #noted = new Map<string, ReadonlyMap<string, string>>();

  get teams(): readonly TestTeam[] {
    return this.#teams;
  }

  get text(): string {
    return `${[...this.#lines, "", "Outcomes", ...this.#outcomes].join("\n")}\n`;
  }

  note(what: string, value?: unknown): void {
    this.#lines.push(`${what}${value === undefined ? "" : ` ${this.#plain(value)}`}`);
  }

  /** Notes those fields that are not as they were at the last note of that name. */
  noteChanges(what: string, value: object): void {
    const before = this.#noted.get(what) ?? new Map<string, string>();
    const now = new Map(Object.entries(value).map(([field, item]) => [field, this.#plain(item ?? null)]));
    this.#noted.set(what, now);
    const gone = [...before.keys()].filter((field) => !now.has(field)).map((field) => `  ${field} is gone`);
    const changed = [...now]
      .filter(([field, text]) => before.get(field) !== text)
      .map(([field, text]) => `  ${field} ${text}`);
    this.#lines.push(what, ...gone, ...changed);
  }

  /**
   * Notes the result of `work` at the end of the log, also a refusal. The order in which promises settle is not part of the
   * behavior.
   */
  async outcome(what: string, work: () => unknown): Promise<void> {
    const place = this.#outcomes.push(`${what}: nothing`) - 1;
    try {
      this.#outcomes[place] = `${what}: ${this.#plain((await work()) ?? null)}`;
    } catch (error) {
      // Without the messages, whose wording may change.
      if (!(error instanceof GavelError)) throw error;
      this.#outcomes[place] = `${what}: refused ${this.#plain({ ...error.data, problems: undefined })}`;
    }
  }

  /** Waits until the team is at rest. */
  async rest({ team }: TestTeam): Promise<void> {
    await atRest(team);
  }

  /** A model that plays one answer after another, and what it is shown. */
  model(...answers: readonly ScriptedAnswer[]): Model {
    const model = new ScriptedModel(...answers);
    return {
      label: model.label,
      stream: (request, context) => {
        // Not the instructions, whose wording may change: who is asked, about what, and with which tools.
        const { participant, items, tools, output, progress } = request;
        const offered = tools.map(({ name, inputSchema }) => [name, inputSchema["required"] ?? []]);
        this.noteChanges(`ask ${participant}`, { ...items, tools: offered, output, progress: valuesOf(progress) });
        return model.stream(request, context);
      },
    };
  }

  /** A team whose events are noted. */
  team(options: TestTeamOptions): TestTeam {
    return this.watch(testTeam({ graceMs: 1, timers: this.timers, ...options }));
  }

  watch(fixture: TestTeam): TestTeam {
    this.#teams.push(fixture);
    fixture.team.onEvent(({ type, ...event }) => this.note(type, event));
    return fixture;
  }

  #plain(value: unknown): string {
    return JSON.stringify(value)
      .replaceAll('"type":"TextMessage",', "")
      .replaceAll(/("code":"\w+"),"text":"(?:[^"\\]|\\.)*"/g, "$1")
      .replaceAll(/"(at|runId)":"[^"]*",|,"createdAt":"[^"]*"/g, "")
      .replaceAll(/"ref":"([^"]+)","id":"([^"]*)"/g, (_, ref: string, id: string) => {
        this.#calls.set(ref, id);
        return `"ref":"${ref}"`;
      })
      .replaceAll(/call_\d+_\d+_[0-9a-f]{8}/g, (ref) => this.#calls.get(ref) ?? ref)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "T")
      .replaceAll(/([a-z]+)_(?:\d+_\d+_[0-9a-f]{8}|[0-9a-f]{16})/g, (id, kind: string) => {
        const known = this.#ids.get(id) ?? `${kind}#${this.#ids.size + 1}`;
        this.#ids.set(id, known);
        return known;
      });
  }
}

/** Does something from within the `nth` event of a type; resolves with the result. */
export function within<T>(
  { team }: TestTeam,
  type: TeamEvent["type"],
  nth: number,
  work: () => T,
): Promise<Awaited<T>> {
  let missing = nth;
  return new Promise((resolve, reject) => {
    const unlisten = team.onEvent((event) => {
      if (event.type !== type || --missing > 0) return;
      unlisten();
      Promise.resolve(work()).then(resolve as (value: unknown) => void, reject);
    });
  });
}

/**
 * A test that compares its log with `test/fixtures/run-logs/NAME.log`. To accept a change, run `npm run logs` and review
 * the difference.
 */
export function loggedTest(name: string, title: string, play: (log: RunLog) => Promise<void>): void {
  test(title, async (t) => {
    const log = new RunLog();
    await play(log);
    for (const team of log.teams) {
      assertClientsAgree(team);
      assertLoadedShowsTheSame(team);
      assertOpenedShowsTheSame(team);
    }
    t.assert.fileSnapshot(log.text, join(FIXTURES, `${name}.log`), { serializers: [(text: string) => text] });
  });
}

/** The values of a record within records, without the names of its fields, which no one outside the engine sees. */
function valuesOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? Object.values(value).map(valuesOf) : value;
}
