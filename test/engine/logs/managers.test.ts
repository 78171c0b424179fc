import { textOfRequest } from "../../../server/engine/testing/answering-model.ts";
import { ask, call, say, spend } from "../../../server/engine/testing/scripted-model.ts";
import { testTool } from "../../../server/engine/testing/test-tool.ts";
import { loggedTest, within } from "./run-log.ts";

const never = new Promise<never>(() => {});

loggedTest("managers/swarm", "A swarm hands over with tool results, and to the user", async (log) => {
  const ann = log.model(
    ask(call("c1", "look", { at: "x" }), call("c2", "transfer_to_bob"), call("c3", "transfer_to_cid")),
    say("ann is back"),
  );
  const bob = log.model([...say("half"), { type: "wait", until: never }], ask(call("c4", "transfer_to_you")));
  const fixture = log.team({
    kind: "swarm",
    speakers: { ann, bob, cid: log.model() },
    tools: [testTool("look")],
    more: {
      ann: { handoffs: ["bob", { target: "cid", description: "For sums.", message: "Please add." }] },
      bob: { handoffs: ["ann", "you"] },
      cid: { description: "Knows sums." },
    },
    termination: { any: [{ handoff: { target: "you" } }, { maxMessages: 20 }] },
  });
  const { team } = fixture;
  const stopping = within(fixture, "message/chunk", 1, () => team.interrupt());
  await log.outcome("run", () => team.run("go"));
  log.note("receipt", await stopping);
  await log.outcome("continue", () => team.run());
  log.noteChanges("state", team.state);
  log.noteChanges("inspect", team.inspect());
  log.noteChanges("saved", team.save());
  await log.outcome("to ann", () =>
    team.run([
      {
        id: "m",
        type: "HandoffMessage",
        source: "user",
        content: "Back to ann.",
        createdAt: "2026-01-01T00:00:00.000Z",
        metadata: { target: "ann" },
      },
    ]),
  );
});

loggedTest("managers/selector", "A selector follows rules, asks again and falls back", async (log) => {
  const fixture = log.team({
    kind: "selector",
    speakers: {
      ann: log.model(say("ann one"), say("ann two"), say("ann three")),
      bob: log.model(say("bob one about cid"), say("bob two")),
      cid: log.model(say("cid one"), say("cid two")),
      chief: log.model(
        [...say("bob or cid"), spend({ prompt: 5, completion: 1, total: 6, cost: 0.1 })],
        say("no one at all"),
        say("I choose bob."),
        say("?"),
        say("?"),
        say("?"),
      ),
    },
    participants: [
      { name: "ann", model: "ann", description: "Plans." },
      { name: "bob", model: "bob", description: "Does." },
      { name: "cid", model: "cid" },
    ],
    selector: {
      model: "chief",
      maxAttempts: 3,
      rules: [
        { after: "user", choose: "ann" },
        { after: "bob", mentions: "cid", choose: "cid" },
      ],
    },
    termination: { maxMessages: 6 },
  });
  const { team } = fixture;
  await log.outcome("run", () => team.run("go"));
  log.noteChanges("state", team.state);
  log.noteChanges("inspect", team.inspect());
});

const ledger = (satisfied: boolean, next: string, progress = true) =>
  say(
    JSON.stringify({
      is_request_satisfied: { reason: "r", answer: satisfied },
      is_in_loop: { reason: "r", answer: !progress },
      is_progress_being_made: { reason: "r", answer: progress },
      next_speaker: { reason: "r", answer: next },
      instruction_or_question: { reason: "r", answer: `Please, ${next}.` },
    }),
  );

loggedTest("managers/magentic", "A magentic team stalls, plans again and answers", async (log) => {
  const chief = log.model(
    say("the facts"),
    say("the plan"),
    ledger(false, "ann"),
    say("no ledger"),
    ledger(false, "bob", false),
    ledger(false, "bob", false),
    say("new facts"),
    say("new plan"),
    ledger(false, "bob"),
    ledger(true, "bob"),
    say("the answer"),
  );
  const fixture = log.team({
    kind: "magentic",
    speakers: {
      ann: log.model([...say("half "), { type: "wait", until: never }], say("ann is done")),
      bob: log.model(say("bob one"), say("bob two")),
      chief,
    },
    participants: [
      { name: "ann", model: "ann", description: "Looks." },
      { name: "bob", model: "bob", description: "Knows." },
    ],
    magentic: { model: "chief", maxStalls: 1 },
  });
  const { team } = fixture;
  const stopping = within(fixture, "message/chunk", 1, () => team.interrupt());
  await log.outcome("run", () => team.run("What is it?"));
  log.note("receipt", await stopping);
  log.noteChanges("saved", team.save());
  await log.outcome("continue", () => team.run());
  log.noteChanges("state", team.state);
  log.noteChanges("inspect", team.inspect());
});

loggedTest("managers/graph", "A graph has conditional edges, loops and joins", async (log) => {
  const fixture = log.team({
    kind: "graph",
    speakers: {
      ann: log.model(say("draft one"), say("draft two")),
      bob: log.model(say("please redo"), say("fine")),
      cid: log.model(say("no matter"), say("fine too")),
      end: log.model(say("it is done")),
      other: log.model(say("never")),
    },
    graph: {
      entry: "ann",
      edges: [
        { from: "ann", to: "bob" },
        { from: "ann", to: "cid" },
        { from: "bob", to: "ann", when: "redo", join: "any" },
        { from: "bob", to: "end", when: { lacks: "redo" } },
        { from: "cid", to: "end", when: { matches: "^fine" } },
        { from: "cid", to: "other", when: { contains: "never mind" } },
      ],
    },
    termination: { maxMessages: 12 },
  });
  const { team } = fixture;
  await log.outcome("run", () => team.run("go"));
  log.noteChanges("state", team.state);
  log.noteChanges("inspect", team.inspect());
  await log.outcome("over", () => team.run());
  await log.outcome("again", () => team.run("again"));
});

loggedTest("managers/nested-teams", "Nested teams, a society of mind and a user", async (log) => {
  const lab = { name: "Lab", kind: "roundRobin" as const, maxTurns: 3 };
  const fixture = log.team({
    speakers: {
      eve: log.model(ask(call("c1", "pay", { to: "eve" })), say("eve is done")),
      dan: log.model([...say("half "), { type: "wait", until: never }], say("dan is done")),
      sum: log.model([...say("in short "), ...say("it is done")]),
      fay: log.model(say("fay one")),
      ann: log.model(say("ann sums up")),
    },
    participants: [
      {
        name: "lab",
        kind: "team",
        team: {
          ...lab,
          participants: [
            { name: "eve", model: "eve", tools: ["pay"] },
            { name: "dan", model: "dan" },
            { name: "you", kind: "user" },
          ],
        },
      },
      {
        name: "mind",
        kind: "societyOfMind",
        model: "sum",
        instructions: "Sum up.",
        team: { ...lab, maxTurns: 1, participants: [{ name: "fay", model: "fay" }] },
      },
      { name: "ann", model: "ann" },
    ],
    tools: [testTool("pay", () => "paid", { approval: "ask" })],
    maxTurns: 3,
  });
  const { team } = fixture;
  await log.outcome("run", () => team.run("go"));
  log.noteChanges("state", team.state);
  log.noteChanges("inspect", team.inspect());
  log.noteChanges("saved", team.save());
  const stopping = within(fixture, "message/chunk", 2, () => {
    log.note("preview", team.previewInterrupt());
    log.note("preview dan", team.previewInterrupt({ participant: "dan" }));
    return team.interrupt({ scope: { participant: "dan" } });
  });
  await log.outcome("restart", () => team.resolveTools({ restart: [{ ref: fixture.ref("c1") }] }));
  await log.outcome("receipt", () => stopping);
  await log.outcome("continue", () => team.run());
  log.note("awaiting", team.state.awaitingUser);
  const saved = team.save();
  log.noteChanges("saved", saved);
  await log.outcome("the user's word", () => team.run("my word"));
  log.noteChanges("state", team.state);
  const next = fixture.reopened();
  log.noteChanges("reopened", next.team.state);
});

loggedTest("managers/message-to-nested-team", "A message to a nested team is answered by the team", async (log) => {
  const fixture = log.team({
    speakers: {
      eve: log.model(say("eve one"), say("eve answers")),
      ann: log.model([...say("ann "), { type: "wait", until: never }], say("ann two")),
    },
    participants: [
      {
        name: "lab",
        kind: "team",
        team: { name: "Lab", kind: "roundRobin", maxTurns: 1, participants: [{ name: "eve", model: "eve" }] },
      },
      { name: "ann", model: "ann" },
    ],
    maxTurns: 3,
  });
  const { team } = fixture;
  const sent = within(fixture, "message/chunk", 2, async () => {
    await log.outcome("preview", () => team.previewMessage("lab"));
    await log.outcome("sent", () => team.sendUserMessage("lab", ["What now?"]));
  });
  await log.outcome("run", () => team.run("go"));
  await sent;
  await log.rest(fixture);
  log.noteChanges("state", team.state);
});

loggedTest("managers/selector-prompt", "The selector model is shown the participants", async (log) => {
  const model = log.model(say("bob"));
  const shown: string[] = [];
  const fixture = log.team({
    kind: "selector",
    speakers: {
      ann: () => "ann",
      bob: () => "bob",
      chief: {
        label: "chief",
        stream: (request, context) => {
          shown.push(textOfRequest(request));
          return model.stream(request, context);
        },
      },
    },
    participants: [
      { name: "ann", description: "First." },
      {
        name: "lab",
        kind: "team",
        team: {
          name: "Lab",
          description: "A lab.",
          kind: "roundRobin",
          participants: [{ name: "eve", model: "chief" }],
        },
      },
      { name: "bob" },
    ],
    selector: { model: "chief", prompt: "{roles} | {history} | {participants}" },
    maxTurns: 1,
  });
  await log.outcome("run", () => fixture.team.run("go"));
  log.note("shown", shown);
});
