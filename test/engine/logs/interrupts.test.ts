import type { InterruptOptions } from "../../../server/engine/requests.ts";
import { ask, call, say } from "../../../server/engine/testing/scripted-model.ts";
import type { TestTeam } from "../../../server/engine/testing/test-team.ts";
import { testTool } from "../../../server/engine/testing/test-tool.ts";
import type { ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import { loggedTest, type RunLog, within } from "./run-log.ts";

const never = new Promise<never>(() => {});

/** Two branches that stream at the same time, one of which then calls a tool, and what follows both. */
function branches(log: RunLog, interrupts: object = {}): TestTeam {
  const left = log.model([...say("left one ", "left two "), ...ask(call("c1", "slow"))], say("left again"));
  const right = log.model(
    [...say("right one ", "right two ", "right three"), { type: "wait", until: never }],
    say("right again"),
  );
  return log.team({
    ...interrupts,
    kind: "graph",
    speakers: { start: () => "start", left, right, end: () => "end" },
    tools: [
      testTool(
        "slow",
        (_, { signal }) => new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason))),
      ),
    ],
    graph: {
      edges: [
        { from: "start", to: "left" },
        { from: "start", to: "right" },
        { from: "left", to: "end" },
        { from: "right", to: "end" },
      ],
    },
  });
}

/**
 * Interrupts at the start of the tool, when both branches are under way, and then continues to the end. A scope names the
 * call by the model's own id.
 */
async function interrupted(log: RunLog, { scope, ...how }: InterruptOptions): Promise<TestTeam> {
  const fixture = branches(log);
  const { team } = fixture;
  const stopping = within(fixture, "tool/started", 1, () => {
    const placed = scope !== undefined && "ref" in scope ? { ref: fixture.ref(scope.ref) } : scope;
    const options: InterruptOptions = placed === undefined ? how : { ...how, scope: placed };
    log.note("preview", team.previewInterrupt(options.scope));
    log.noteChanges("inspect", team.inspect());
    return team.interrupt(options);
  });
  const running = log.outcome("run", () => team.run("go"));
  await log.outcome("receipt", () => stopping);
  // What went on beside what was stopped is stopped now.
  if (team.isRunning) await log.outcome("all of it", () => team.interrupt());
  await running;
  log.noteChanges("state", team.state);
  return fixture;
}

const scopes = {
  team: undefined,
  participant: { participant: "right" },
  call: { ref: "c1" },
  "idle-participant": { participant: "end" },
} as const;
for (const [of, scope] of Object.entries(scopes)) {
  for (const severity of ["pause", "stop"] as const) {
    loggedTest(`interrupts/${severity}-${of}`, `Interrupt with severity ${severity}: ${of}`, async (log) => {
      const { team } = await interrupted(log, { severity, reason: "why", ...(scope === undefined ? {} : { scope }) });
      await log.outcome("continue", () => team.run(severity === "stop" ? "again" : undefined));
    });
  }
}

for (const grace of ["thought", "turn"] as const) {
  loggedTest(`interrupts/grace-${grace}`, `Interrupt with grace ${grace}`, async (log) => {
    const ann = log.model([...say("I think. "), ...ask(call("c1", "look"))], say("and speak", " on"));
    const bob = log.model(say("bob"));
    const fixture = log.team({ speakers: { ann, bob }, tools: [testTool("look")], maxTurns: 2 });
    const { team } = fixture;
    const stopping = within(fixture, "message/chunk", 1, () => team.interrupt({ grace, message: "wind down" }));
    await log.outcome("run", () => team.run("go"));
    log.note("receipt", await stopping);
    await log.outcome("continue", () => team.run());
  });
}

loggedTest("interrupts/reset", "An interrupt of severity reset, and then a new task", async (log) => {
  const { team } = await interrupted(log, { severity: "reset" });
  log.noteChanges("saved", team.save());
  await log.outcome("nothing to continue", () => team.run());
});

loggedTest("interrupts/thoughts", "Thoughts that are cut short, and thoughts that are completed", async (log) => {
  const think = (...deltas: readonly string[]) => deltas.map((delta) => ({ type: "thought" as const, delta }));
  const cut = { type: "wait" as const, until: never };
  const ann = log.model(
    [...think("Let me ", "look."), ...ask(call("c1", "look"))],
    [...think("It is "), cut],
    [...think("It is here."), ...say("Here."), ...think(" Or is it?"), cut],
    [...think("I give "), { type: "throw", error: new Error("The endpoint hung up.") }],
    [...think("Found."), ...say("There.")],
  );
  const bob = log.model([...think("He "), ...think("says so."), ...say("Yes.")]);
  const fixture = log.team({ speakers: { ann, bob }, tools: [testTool("look")], maxTurns: 2 });
  const { team } = fixture;
  for (const [what, type, nth] of [
    ["in a thought", "reasoning/chunk", 3],
    ["in a thought beside a message", "reasoning/chunk", 2],
  ] as const) {
    const stopping = within(fixture, type, nth, () => team.interrupt());
    await log.outcome(what, () => team.run(what === "in a thought" ? "go" : undefined));
    await stopping;
  }
  await log.outcome("a request that fails", () => team.run());
  await log.outcome("continue", () => team.run());
});

loggedTest("interrupts/two-at-once", "Two interrupts at once, and one at rest", async (log) => {
  const fixture = branches(log);
  const { team } = fixture;
  log.note("at rest", await team.interrupt({ reason: "nothing runs" }));
  const both = within(fixture, "message/chunk", 2, () =>
    Promise.all([team.interrupt({ reason: "one" }), team.interrupt({ severity: "stop", reason: "two", by: "eve" })]),
  );
  await log.outcome("run", () => team.run("go"));
  log.note("receipts", await both);
});

loggedTest("interrupts/reasoning", "Reasoning is interrupted in every way", async (log) => {
  const fixture = branches(log);
  const { team } = fixture;
  const turns: string[] = [];
  team.onEvent((event) => {
    if (event.type === "reasoning/start") turns.push(event.id);
  });
  const asked = within(fixture, "tool/started", 1, async () => {
    const request = (to: string[], correlation_id: string[]): ReasoningRequest => ({
      from: "user",
      to,
      correlation_id,
      payload: { reason: "redirect", message: "look elsewhere" },
    });
    await log.outcome("nothing of that id", () => team.interruptReasoning(request(["left"], ["none"])));
    await log.outcome("unknown participant", () => team.interruptReasoning(request(["eve"], turns.slice(1, 2))));
    await log.outcome("left", () => team.interruptReasoning(request(["left"], turns.slice(1, 2))));
    await log.outcome("both", () => team.interruptReasoning(request(["left", "right"], turns.slice(2, 3))));
  });
  const running = log.outcome("run", () => team.run("go"));
  await asked;
  if (team.isRunning) await team.interrupt();
  await running;
});

loggedTest("interrupts/stop-and-abort", "A stop at the next turn, a hard abort and a soft one", async (log) => {
  const stopped = log.team({ speakers: { ann: () => "ann", bob: () => "bob" }, maxTurns: 5 });
  void within(stopped, "message/added", 2, () => stopped.team.stop());
  await log.outcome("stopped", () => stopped.team.run("go"));
  for (const kind of ["signal", "soft"] as const) {
    const controller = new AbortController();
    const fixture = log.team({
      speakers: { ann: log.model(say("one ", "two ", "three")), bob: () => "bob" },
      maxTurns: 2,
    });
    void within(fixture, "message/chunk", 2, () => controller.abort());
    await log.outcome(kind, () => fixture.team.run("go", { [kind]: controller.signal }));
    log.noteChanges("state", fixture.team.state);
    await log.outcome("continue", () => fixture.team.run());
  }
});

loggedTest("interrupts/partial-message", "A partial message is edited, and one is dropped", async (log) => {
  for (const content of ["a better half", null]) {
    const ann = log.model([...say("half ", "a word"), { type: "wait", until: never }], say("the rest"));
    const fixture = log.team({ speakers: { ann }, maxTurns: 1 });
    const { team } = fixture;
    const stopping = within(fixture, "message/chunk", 2, () => team.interrupt());
    await log.outcome("run", () => team.run("go"));
    const [partial] = (await stopping).partials;
    await log.outcome("whole message", () => team.editMessage(team.state.thread[0]?.id ?? "", "no"));
    await log.outcome("edit", () => team.editMessage(partial?.id ?? "", content, "eve"));
    log.noteChanges("state", team.state);
    await log.outcome("continue", () => team.run());
  }
});
