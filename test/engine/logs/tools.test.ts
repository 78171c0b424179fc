import { ask, call, say, spend } from "../../../server/engine/testing/scripted-model.ts";
import { testTool } from "../../../server/engine/testing/test-tool.ts";
import { loggedTest, within } from "./run-log.ts";

const usage = (prompt: number, completion: number) => ({ prompt, completion, total: prompt + completion, cost: 0.5 });

const tools = () => [
  testTool("look", (input) => ({ seen: input }), { readOnly: true }),
  testTool("fail", () => Promise.reject(new Error("no such thing"))),
  testTool("pay", () => "paid", { approval: "ask" }),
  testTool("ask", (_, { metadata }) => `answered ${JSON.stringify(metadata)}`, { interrupt: true }),
  testTool("tell", (_, { output }) => {
    output("half ");
    output("a word");
    return "done";
  }),
];

loggedTest("tools/results", "Calls run, fail and are unknown, with their results in order", async (log) => {
  const ann = log.model(
    [
      ...say("I look. "),
      ...ask(call("c1", "look", { a: 1 }), call("c2", "fail"), call("c3", "nothing"), call("c4", "tell")),
      spend(usage(10, 5)),
    ],
    [
      {
        type: "calls",
        calls: [
          { id: "", name: "look", arguments: "" },
          { name: "look", arguments: "{no" },
        ],
      },
    ],
    [{ type: "retry", attempt: 1, waitMs: 5, reason: "busy" }, ...say("done", "."), spend(usage(3, 2))],
  );
  const fixture = log.team({ speakers: { ann, bob: () => "bob" }, tools: tools(), termination: { maxMessages: 3 } });
  await log.outcome("run", () => fixture.team.run("go"));
  log.noteChanges("state", fixture.team.state);
  log.noteChanges("inspect", fixture.team.inspect());
  log.noteChanges("saved", fixture.team.save());
});

loggedTest("tools/user-decisions", "Calls wait for the user, and are answered in every way", async (log) => {
  const ann = log.model(
    ask(
      call("c1", "pay", { to: "a" }),
      call("c2", "pay", { to: "b" }),
      call("c3", "pay", { to: "c" }),
      call("c4", "ask"),
      call("c5", "look"),
    ),
    say("all settled"),
  );
  const fixture = log.team({ speakers: { ann, bob: () => "bob" }, tools: tools(), maxTurns: 2 });
  const { team } = fixture;
  await log.outcome("run", () => team.run("go"));
  log.noteChanges("inspect", team.inspect());
  const saved = team.save();
  log.noteChanges("saved", saved);
  await log.outcome("run while calls wait", () => team.run());
  await log.outcome("unknown", () => team.resolveTools({ deny: [{ ref: fixture.ref("c9") }] }));
  await log.outcome("none", () => team.resolveTools({}));
  await log.outcome("twice", () =>
    team.resolveTools({ deny: [{ ref: fixture.ref("c1") }], respond: [{ ref: fixture.ref("c1"), output: 1 }] }),
  );
  await log.outcome("preview", () => team.previewTool(fixture.ref("c1")));
  await log.outcome("first", () => team.resolveTools({ respond: [{ ref: fixture.ref("c1"), output: { ok: true } }] }));
  await log.outcome("rest", () =>
    team.resolveTools({
      deny: [{ ref: fixture.ref("c2"), reason: "too much" }],
      restart: [
        { ref: fixture.ref("c3"), input: { to: "d" } },
        { ref: fixture.ref("c4"), metadata: { user: "yes" } },
      ],
    }),
  );
  log.noteChanges("state", team.state);

  const other = log.team({
    speakers: { ann: log.model(say("after loading")), bob: () => "bob" },
    tools: tools(),
    maxTurns: 2,
  });
  other.team.load(saved);
  log.noteChanges("loaded", other.team.state);
  await log.outcome("deny all", () =>
    other.team.resolveTools({ deny: ["c1", "c2", "c3", "c4"].map((id) => ({ ref: other.ref(id) })) }),
  );
});

loggedTest(
  "tools/interrupted",
  "A run that is interrupted while tools run: aborted, waited for, left in the background, abandoned",
  async (log) => {
    const late = Promise.withResolvers<string>();
    const behind = Promise.withResolvers<string>();
    const deaf = Promise.withResolvers<string>();
    const all = [
      testTool(
        "stop",
        (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      ),
      testTool("wait", () => late.promise, { onInterrupt: "wait" }),
      testTool("behind", () => behind.promise, { onInterrupt: "background" }),
      testTool("deaf", () => deaf.promise),
      testTool("pay", () => "paid", { approval: "ask" }),
    ];
    const ann = log.model(ask(...all.map(({ declaration: { name } }) => call(name, name))), say("I continue"));
    const fixture = log.team({ speakers: { ann }, tools: all, maxTurns: 1 });
    const { team } = fixture;
    const stopping = within(fixture, "tool/started", 4, async () => {
      log.note("preview", team.previewInterrupt());
      log.note("preview call", team.previewInterrupt({ ref: fixture.ref("wait") }));
      const receipt = team.interrupt({ reason: "enough", message: "wait for it" });
      late.resolve("late");
      // The tool that waits has then ended, and the others are abandoned.
      setImmediate(() => log.timers.advance(1));
      return receipt;
    });
    await log.outcome("run", () => team.run("go"));
    log.note("receipt", await stopping);
    log.noteChanges("inspect", team.inspect());
    behind.resolve("from behind");
    deaf.resolve("from the deaf");
    await new Promise((resolve) => setImmediate(resolve));
    log.noteChanges("state", team.state);
    await log.outcome("continue", () => team.run());
    await log.outcome("deny", () => team.resolveTools({ deny: [{ ref: fixture.ref("pay") }] }));
  },
);

loggedTest(
  "tools/host-dies",
  "A host that dies leaves calls with an unknown outcome, partial text and open turns",
  async (log) => {
    const never = new Promise<never>(() => {});
    const ann = log.model([...say("I try. "), ...ask(call("c1", "slow"), call("c2", "look"))], say("so be it"));
    const bob = log.model([...say("half ", "a word"), { type: "wait", until: never }]);
    const all = [testTool("slow", () => never), testTool("look", () => never, { readOnly: true })];
    const graph = { edges: [], entry: ["ann", "bob"] };
    const first = log.team({ speakers: { ann, bob }, tools: all, kind: "graph", graph });
    const streamed = Promise.all([first.next("message/chunk", 3), first.next("tool/started", 2)]);
    void first.team.run("go");
    await streamed;
    log.note("the host dies");
    const next = log.watch(
      first.reopened({ speakers: { ann: log.model(say("so be it")), bob: log.model(say("whole")) } }),
    );
    log.noteChanges("opened", next.team.state);
    next.team.recover();
    log.noteChanges("recovered", next.team.state);
    log.noteChanges("inspect", next.team.inspect());
    await log.outcome("answer", () =>
      next.team.resolveTools({ respond: [{ ref: next.ref("c1"), output: "it went through" }] }),
    );
    log.noteChanges("state", next.team.state);
  },
);

loggedTest("tools/checks-and-previews", "Calls are checked and previewed before they are approved", async (log) => {
  const pay = testTool("pay", (input) => ({ paid: input }), {
    approval: "ask",
    prepare: (input) => {
      if (JSON.stringify(input).includes("eve")) throw new Error("eve is not paid");
      return input;
    },
    preview: async (input) => ({ wouldPay: input }),
  });
  const ann = log.model(ask(call("c1", "pay", { to: "eve" }), call("c2", "pay", { to: "bob" })), say("done"));
  const fixture = log.team({ speakers: { ann }, tools: [pay], maxTurns: 1 });
  const { team } = fixture;
  await log.outcome("run", () => team.run("go"));
  log.note(`team ${team.id}`, team.state.pendingTools);
  await log.outcome("preview", () => team.previewTool(fixture.ref("c2")));
  await log.outcome("preview of another input", () => team.previewTool(fixture.ref("c2"), { to: "cid" }));
  await log.outcome("preview of a wrong input", () => team.previewTool(fixture.ref("c2"), { to: "eve" }));
  await log.outcome("preview of no call", () => team.previewTool(fixture.ref("c9")));
  await log.outcome("wrong input", () =>
    team.resolveTools({ restart: [{ ref: fixture.ref("c2"), input: { to: "eve" } }] }),
  );
  await log.outcome("another input", () =>
    team.resolveTools({ restart: [{ ref: fixture.ref("c2"), input: { to: "cid" } }] }),
  );
  log.noteChanges("state", team.state);
});

loggedTest("tools/winding-down", "Calls that start while a turn winds down", async (log) => {
  const ann = log.model([...say("I look. "), ...ask(call("c1", "look"), call("c2", "pay"))], say("and done"));
  const tools = [testTool("look"), testTool("pay", () => "paid", { approval: "ask" })];
  for (const scope of [undefined, { participant: "ann" }]) {
    const fixture = log.team({ speakers: { ann, bob: () => "bob" }, tools, maxTurns: 2 });
    const { team } = fixture;
    const stopping = within(fixture, "message/chunk", 1, () =>
      team.interrupt({ grace: "turn", ...(scope === undefined ? {} : { scope }) }),
    );
    await log.outcome("run", () => team.run("go"));
    log.note("receipt", await stopping);
    log.noteChanges("state", team.state);
    await log.outcome("restart", () => team.resolveTools({ restart: [{ ref: fixture.ref("c2") }] }));
  }
});
