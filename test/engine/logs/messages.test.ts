import type { SendOptions } from "../../../server/engine/requests.ts";
import { say } from "../../../server/engine/testing/scripted-model.ts";
import { afterReply } from "../../../server/engine/testing/test-team.ts";
import { loggedTest, type RunLog, within } from "./run-log.ts";

const never = new Promise<never>(() => {});

const createFixture = (log: RunLog) =>
  log.team({
    speakers: {
      ann: log.model(
        [...say("ann one ", "ann two"), { type: "wait", until: never }],
        say("ann again"),
        say("ann once more"),
      ),
      bob: log.model(say("bob one"), say("bob two"), say("bob three")),
      cid: log.model(say("cid one"), say("cid two")),
    },
    maxTurns: 2,
  });

const ways: Readonly<Record<string, SendOptions>> = {
  "now-continue": { delivery: "now", ...afterReply("continue") },
  "now-pause": { delivery: "now", ...afterReply("pause") },
  "now-continue-target": { delivery: "now", ...afterReply("continue"), visibility: "target", by: "eve" },
  "queue-continue": { delivery: "queue", ...afterReply("continue") },
  "queue-pause-target": { delivery: "queue", ...afterReply("pause"), visibility: "target" },
  "steer-continue": { delivery: "steer", ...afterReply("continue") },
  "steer-pause-target": { delivery: "steer", ...afterReply("pause"), visibility: "target" },
};

for (const [name, way] of Object.entries(ways)) {
  loggedTest(`messages/${name}`, `A message with ${Object.values(way).join(", ")}`, async (log) => {
    const fixture = createFixture(log);
    const { team } = fixture;
    log.note("preview at rest", team.previewMessage("bob", way));
    const sent = within(fixture, "message/chunk", 2, async () => {
      log.note("preview", team.previewMessage("bob", way));
      const answer = log.outcome("sent", () => team.sendUserMessage("bob", ["Why?", "And how?"], way));
      log.noteChanges("inspect", team.inspect());
      if (way.delivery !== "now") await log.outcome("interrupt", () => team.interrupt());
      await answer;
    });
    await log.outcome("run", () => team.run("go"));
    if (team.state.queued.length > 0) await log.outcome("continue", () => team.run());
    await sent;
    await log.rest(fixture);
    log.noteChanges("state", team.state);
    await log.outcome("once more", () => team.run());
  });
}

loggedTest("messages/at-rest", "A message at rest, and ones that are refused", async (log) => {
  const fixture = createFixture(log);
  const { team } = fixture;
  await log.outcome("at rest", () => team.sendUserMessage("cid", ["Hello?"]));
  await log.outcome("unknown participant", () => team.sendUserMessage("eve", ["Hello?"]));
  await log.outcome("no text", () => team.sendUserMessage("cid", []));
  log.noteChanges("state", team.state);
});

loggedTest("messages/interrupted-answer", "The answer to a message is interrupted and comes later", async (log) => {
  const ann = log.model(say("ann one"), say("ann two"));
  const bob = log.model([...say("half "), { type: "wait", until: never }], say("an answer"));
  const fixture = log.team({ speakers: { ann, bob }, maxTurns: 1 });
  const { team } = fixture;
  await log.outcome("run", () => team.run("go"));
  const stopping = within(fixture, "message/chunk", 1, () => team.interrupt());
  await log.outcome("sent", () => team.sendUserMessage("bob", ["Why?"], { ...afterReply("continue") }));
  log.note("receipt", await stopping);
  const saved = team.save();
  log.noteChanges("saved", saved);
  log.noteChanges("state", team.state);
  const next = log.watch(fixture.reopened({ speakers: { ann, bob } }));
  next.team.recover();
  log.noteChanges("reopened", next.team.state);
  await log.outcome("continue", () => next.team.run());
  log.noteChanges("state", next.team.state);
});

loggedTest("messages/waiting", "Waiting messages are edited, reordered and withdrawn", async (log) => {
  const fixture = createFixture(log);
  const { team } = fixture;
  const done = within(fixture, "message/chunk", 1, async () => {
    const sent = ["one", "two", "three"].map((text) =>
      log.outcome(text, () => team.sendUserMessage("cid", [text], { delivery: "queue", ...afterReply("pause") })),
    );
    const [a = "", b = "", c = ""] = team.state.queued.map(({ id }) => id);
    await log.outcome("unknown", () => team.changeQueue({ withdraw: ["x"] }));
    await log.outcome("not all", () => team.changeQueue({ order: [a, b] }));
    await log.outcome("nothing", () => team.changeQueue({}));
    await log.outcome("edit", () =>
      team.changeQueue({ edit: { id: a, messages: ["first", "now"] }, order: [c, b, a] }),
    );
    await log.outcome("withdraw", () => team.changeQueue({ withdraw: [b] }));
    log.note("queued", team.state.queued);
    await team.interrupt();
    return sent;
  });
  await log.outcome("run", () => team.run("go"));
  const sent = await done;
  await log.outcome("continue", () => team.run());
  await Promise.all(sent);
  await log.rest(fixture);
  log.noteChanges("state", team.state);
});
