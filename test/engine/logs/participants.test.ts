import { ask, call, say, spend } from "../../../server/engine/testing/scripted-model.ts";
import { testTool } from "../../../server/engine/testing/test-tool.ts";
import type { Condition } from "../../../shared/contract/condition.ts";
import { loggedTest, within } from "./run-log.ts";

const never = new Promise<never>(() => {});
const usage = { prompt: 7, completion: 3, total: 10, cost: 0.25 };

loggedTest("participants/memory", "Memory and notes are shown to their own participant only", async (log) => {
  const fixture = log.team({
    speakers: {
      ann: log.model(ask(call("n1", "remember", { note: "It rains." })), say("noted"), say("I know")),
      bob: () => "bob",
    },
    more: { ann: { memory: { notes: ["Be brief."], files: ["a.md", "b.md"], keep: true } } },
    readMemory: async (file) => {
      if (file === "b.md") throw new Error("b.md is not there");
      return `text of ${file}`;
    },
    maxTurns: 3,
  });
  await log.outcome("run", () => fixture.team.run("go"));
  log.noteChanges("inspect", fixture.team.inspect());
  log.noteChanges("saved", fixture.team.save());
});

loggedTest("participants/answer-formats", "Structured answers, tool summaries and reflections", async (log) => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const fixture = log.team({
    speakers: {
      ann: log.model(say("no json"), say('{"n":"one"}'), [...say('{"n":1}'), spend(usage)]),
      bob: log.model(ask(call("c1", "look", { a: 1 }), call("c2", "fail"))),
      cid: log.model(ask(call("c3", "look")), say("I reflect")),
      dan: log.model(ask(call("c4", "look")), ask(call("c5", "look")), ask(call("c6", "look"))),
    },
    tools: [testTool("look", () => ({ seen: true })), testTool("fail", () => Promise.reject(new Error("broken")))],
    more: {
      ann: { output: { name: "Number", schema }, tools: [] },
      bob: {
        maxToolIterations: 1,
        reflectOnToolUse: false,
        toolCallSummaryFormat: "{tool_name}({arguments}) = {result} {is_error} {other} {{literal}}",
      },
      cid: { maxToolIterations: 1, reflectOnToolUse: true },
      dan: { maxToolIterations: 2 },
    },
    maxTurns: 4,
  });
  await log.outcome("run", () => fixture.team.run("go"));
  log.noteChanges("state", fixture.team.state);
});

loggedTest("participants/contexts", "Contexts keep the ends of a long conversation", async (log) => {
  const contexts = [
    { kind: "unbounded" },
    { kind: "buffered", size: 2 },
    { kind: "headAndTail", head: 1, tail: 2 },
    { kind: "tokenLimited", size: 12 },
  ] as const;
  const names = contexts.map(({ kind }) => kind);
  const fixture = log.team({
    speakers: Object.fromEntries(
      names.map((name) => [name, log.model(ask(call(`c-${name}`, "look")), say("a rather long text"), say("short"))]),
    ),
    tools: [testTool("look")],
    more: Object.fromEntries(contexts.map((context) => [context.kind, { context }])),
    maxTurns: 8,
  });
  await log.outcome("run", () => fixture.team.run("go"));
  log.noteChanges("inspect", fixture.team.inspect());
});

loggedTest(
  "participants/summaries",
  "Contexts that become too long, or that the user wants summarized",
  async (log) => {
    const long = "word ".repeat(200);
    const fixture = log.team({
      speakers: {
        ann: log.model(
          say(`first ${long}`),
          ask(call("c1", "look")),
          [...say("Ann has looked once."), spend(usage)],
          say(`second ${long}`),
          say("Ann has said two things."),
          say("third"),
        ),
        bob: log.model(say("one"), say("two"), say("A summary on request."), say("three")),
      },
      tools: [testTool("look", () => long)],
      more: { ann: { context: { kind: "summarized", size: 500 } } },
      maxTurns: 2,
    });
    await log.outcome("run", () => fixture.team.run("go"));
    await log.outcome("on", () => fixture.team.run());
    fixture.team.summarizeContext("bob");
    await log.outcome("and on", () => fixture.team.run());
    await log.outcome("undone", () => fixture.team.restoreContext("ann"));
    log.noteChanges("state", fixture.team.state);
    log.noteChanges("saved", fixture.team.save());
  },
);

loggedTest("participants/model-failures", "A model that fails, one that says nothing, and a refusal", async (log) => {
  const failing = log.team({
    speakers: {
      ann: log.model([...say("half "), { type: "throw", error: new Error("overloaded") }], say("whole")),
      bob: () => "bob",
    },
    maxTurns: 2,
  });
  await log.outcome("run", () => failing.team.run("go"));
  log.noteChanges("state", failing.team.state);
  await log.outcome("continue", () => failing.team.run());
  const silent = log.team({ speakers: { ann: log.model([]), bob: () => "bob" }, maxTurns: 2 });
  await log.outcome("silent", () => silent.team.run("go"));
});

loggedTest(
  "participants/interrupting-participants",
  "Participants that may interrupt others use their tools",
  async (log) => {
    const all = [
      ask(call("i1", "interruptTeam", { reason: "look here" })),
      ask(call("i2", "interrupt_team", { reason: "look here", participant: "ann" })),
    ];
    const fixture = log.team({
      speakers: {
        ann: log.model([...say("on and on"), { type: "wait", until: never }]),
        guard: log.model(...all, say("I did")),
      },
      more: { guard: { capabilities: [{ kind: "interrupt", to: "ann" }, { kind: "interruptReasoning" }] } },
      kind: "graph",
      graph: { edges: [], entry: ["ann", "guard"] },
    });
    const stopping = within(fixture, "reasoning/conclusion", 1, () => fixture.team.interrupt());
    await log.outcome("run", () => fixture.team.run("go"));
    log.note("receipt", await stopping);
    log.noteChanges("state", fixture.team.state);
  },
);

const rules = {
  message: { message: { contains: "secret" } },
  expression: { message: { matches: "s.cret$", sources: ["ann"] } },
  tool: { tool: { name: ["pay"], arguments: { matches: "eve" } } },
  participant: { participant: "bob" },
  turns: { turns: 2 },
  tokens: { tokens: 15 },
  cost: { cost: 0.4 },
  both: { participant: "ann", message: { contains: "secret" }, turns: 1 },
};
for (const [name, when] of Object.entries(rules)) {
  for (const scope of ["team", "participant"] as const) {
    loggedTest(
      `participants/rule-on-${name}-${scope}`,
      `An interrupt rule on ${name} stops the ${scope}`,
      async (log) => {
        const fixture = log.team({
          speakers: {
            ann: log.model(
              [...say("a se", "cret"), ...ask(call("c1", "pay", { to: "eve" })), spend(usage)],
              [...say("ann ends"), spend(usage)],
            ),
            bob: log.model([...say("bob"), spend(usage)]),
          },
          tools: [testTool("pay")],
          interrupts: [
            {
              name: "rule",
              when,
              scope,
              reason: "because",
              ...(name === "turns" ? { severity: "stop" as const } : {}),
            },
          ],
          maxTurns: 4,
        });
        await log.outcome("run", () => fixture.team.run("tell no secret"));
        log.noteChanges("state", fixture.team.state);
        await log.outcome("continue", () => fixture.team.run());
      },
    );
  }
}

loggedTest("participants/rule-of-time-and-stall", "Interrupt rules on time and stalls", async (log) => {
  for (const when of [{ seconds: 60 }, { stall: { seconds: 10 } }]) {
    const fixture = log.team({
      speakers: { ann: log.model([...say("half"), { type: "wait", until: never }]) },
      interrupts: [{ when, reason: "late" }],
      maxTurns: 1,
    });
    const streamed = fixture.next("message/chunk");
    const running = log.outcome("run", () => fixture.team.run("go"));
    await streamed;
    for (const ms of [9_999, 2, 50_000]) {
      log.note(`after ${ms} ms`);
      log.timers.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await running;
  }
});

const conditions = {
  messages: { maxMessages: 3 },
  mention: { textMention: { text: "DONE", sources: ["bob"] } },
  stop: { stopMessage: true },
  handoff: { handoff: { target: "bob" } },
  text: { textMessage: { source: "bob" } },
  prompt: { tokenUsage: { prompt: 20, completion: 50 } },
  budget: { budget: { tokens: 25, seconds: 9, turns: 8, cost: 1 } },
  timeout: { timeout: { seconds: 9 } },
  source: { sourceMatch: { sources: ["bob"] } },
  tokens: { tokenUsage: { total: 25 } },
  call: { functionCall: { name: "pay" } },
  both: { all: [{ maxMessages: 2 }, { textMention: { text: "DONE" } }] },
  either: { any: [{ maxMessages: 9 }, { textMention: { text: "DONE" } }] },
} satisfies Record<string, Condition>;
for (const [name, termination] of Object.entries(conditions)) {
  loggedTest(`participants/condition-${name}`, `A run ends by the condition ${name}`, async (log) => {
    const fixture = log.team({
      speakers: {
        ann: log.model(
          [...say("ann DONE"), spend(usage)],
          [...ask(call("c1", "pay")), spend(usage)],
          [...say("ann two"), spend(usage)],
        ),
        bob: log.model([...say("bob"), spend(usage)], [...say("bob DONE"), spend(usage)]),
      },
      tools: [testTool("pay")],
      termination,
      maxTurns: 5,
    });
    await log.outcome("run", () => fixture.team.run("go"));
    log.note("inspect", fixture.team.inspect().conditions);
    await log.outcome("again", () => fixture.team.run());
  });
}

loggedTest(
  "participants/capabilities",
  "A participant with every capability uses it correctly and incorrectly",
  async (log) => {
    const uses: readonly (readonly [string, object])[] = [
      ["interrupt_team", {}],
      ["interrupt_team", { reason: " " }],
      ["interrupt_team", { reason: "why", severity: "reset" }],
      ["interrupt_team", { reason: "why", participant: "eve" }],
      ["interrupt_team", { reason: "why", participant: "bob" }],
      ["interrupt_reasoning", {}],
      ["interrupt_reasoning", { participant: "eve", reason: "redirect" }],
      ["interrupt_reasoning", { participant: "ann", reason: "user_request", message: "stop" }],
      ["interrupt_reasoning", { participant: "ann", reason: "other" }],
      ["interrupt_reasoning", { participant: "ann", reason: "redirect", message: "look elsewhere" }],
      ["interrupt_team", { reason: "enough", severity: "stop" }],
    ];
    for (const to of ["*", ["ann", "guard"]]) {
      const fixture = log.team({
        speakers: {
          ann: log.model([...say("on and on"), { type: "wait", until: never }], say("ann ends")),
          bob: () => "bob",
          guard: log.model(...uses.map(([tool, input], at) => ask(call(`i${at}`, tool, input))), say("I did")),
        },
        more: {
          guard: {
            maxToolIterations: 20,
            capabilities: ["interrupt", "interruptReasoning"].map((kind) => ({ kind, to })),
          },
        },
        kind: "graph",
        graph: { edges: [], entry: ["ann", "guard"] },
      });
      const stopping = within(fixture, "reasoning/conclusion", 1, () => fixture.team.interrupt());
      await log.outcome("run", () => fixture.team.run("go"));
      log.note("receipt", await stopping);
      log.noteChanges("state", fixture.team.state);
    }
  },
);

loggedTest(
  "participants/rule-in-nested-team",
  "Interrupt rules of a nested team and of the team around it",
  async (log) => {
    for (const [outer, nested] of [
      [{ when: { message: { contains: "secret" } }, reason: "outer", name: "outer" }, undefined],
      [undefined, { when: { tool: { name: "pay" } }, reason: "inner", name: "inner" }],
      [undefined, { when: { turns: 1 }, reason: "inner turns", name: "inner" }],
    ] as const) {
      const fixture = log.team({
        speakers: {
          eve: log.model([...say("no se", "cret"), ...ask(call("c1", "pay"))], say("eve ends")),
          dan: log.model(say("dan")),
          ann: log.model(say("ann")),
        },
        participants: [
          { name: "ann", model: "ann" },
          {
            name: "lab",
            kind: "team",
            team: {
              name: "Lab",
              kind: "roundRobin",
              maxTurns: 2,
              participants: [
                { name: "eve", model: "eve", tools: ["pay"] },
                { name: "dan", model: "dan" },
              ],
              ...(nested === undefined ? {} : { interrupts: [nested] }),
            },
          },
        ],
        tools: [testTool("pay")],
        ...(outer === undefined ? {} : { interrupts: [outer] }),
        maxTurns: 2,
      });
      await log.outcome("run", () => fixture.team.run("go"));
      log.noteChanges("state", fixture.team.state);
      await log.outcome("continue", () => fixture.team.run());
    }
  },
);
