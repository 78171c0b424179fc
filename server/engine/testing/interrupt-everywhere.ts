import type { TaskResult } from "../../../shared/contract/team.ts";
import type { TestTeam } from "./test-team.ts";

/** A team whose run was interrupted at `where` and then resumed, with the result of the last run. */
export interface Resumed {
  readonly fixture: TestTeam;
  readonly where: string;
  readonly result: TaskResult;
  /** The number of results of each call. */
  readonly resultsOf: Readonly<Record<string, number>>;
}

/**
 * Runs the team that `make` creates without an interrupt, and then once for each event of that run: interrupted during that
 * event, and resumed until it is complete.
 */
export async function* interruptedEverywhere(make: () => TestTeam): AsyncGenerator<Resumed, void, undefined> {
  const whole = make();
  yield resumed(whole, "not interrupted", await whole.team.run("t"));
  for (let index = 0; index < whole.events.length; index++) {
    const fixture = make();
    const interrupting = Promise.withResolvers<unknown>();
    const unlisten = fixture.team.onEvent(() => {
      if (fixture.events.length !== index + 1) return;
      unlisten();
      interrupting.resolve(fixture.team.interrupt());
    });
    const result = await fixture.team.run("t");
    await interrupting.promise;
    const last = result.status.code === "success" ? result : await fixture.team.run();
    yield resumed(fixture, `event ${index}, ${whole.events[index]?.type}`, last);
  }
}

function resumed(fixture: TestTeam, where: string, result: TaskResult): Resumed {
  const resultsOf: Record<string, number> = {};
  for (const event of fixture.events) {
    if (event.type === "tool/requested") for (const { ref } of event.calls) resultsOf[ref] ??= 0;
    if (event.type === "tool/executed") resultsOf[event.ref] = (resultsOf[event.ref] ?? 0) + 1;
  }
  return { fixture, where, result, resultsOf };
}
