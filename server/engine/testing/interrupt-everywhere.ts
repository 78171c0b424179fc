import type { TaskResult } from "../../../shared/contract/team.ts";
import type { TestTeam } from "./test-team.ts";

/** A team whose run was interrupted at `where` and then resumed, with what the last run came to. */
export interface Resumed {
  readonly fixture: TestTeam;
  readonly where: string;
  readonly result: TaskResult;
  /** How many results each call has. */
  readonly resultsOf: Readonly<Record<string, number>>;
}

/**
 * Runs the team that `make` makes once as it is, and then as often as that run has events, interrupted from within each of
 * them in turn and resumed to its end.
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
