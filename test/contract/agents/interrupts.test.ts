import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { TeamInterrupt, TeamSendUserMessage } from "../../../shared/contract/requests.ts";
import { USUAL_GRACES } from "../../host-client.ts";
import { AgentHost, hasEnded, steps } from "./agent-host.ts";

describe("an agent program as a participant: interrupts", () => {
  it("is interrupted by a cancel: its partial is kept, and it is told where it was cut", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const run = agents.run({ say: "Half a " }, { say: "sentence" }, { wait: "cancel" });
    await agents.host.streamed("t", "Half a sentence".length);
    const receipt = await agents.host.send(TeamInterrupt, { teamId: "t" });
    await run;

    assert.deepEqual(
      receipt.partials.map(({ content, partial }) => [content, partial]),
      [["Half a sentence", true]],
    );
    assert.equal(agents.log("cancel").length, 1);
    assert.deepEqual(agents.events("error"), []);
    await agents.run({ say: "Whole." });
    assert.equal((await agents.thread()).at(-1)?.content, "Whole.");
    assert.match(agents.prompts().at(-1) ?? "", /You were interrupted[\s\S]*Half a sentence/);
    assert.equal(agents.log("new").length, 1, "the session goes on");
  });

  it("that never answers a cancel is ended after the grace, and said so; its next turn starts it again", async () => {
    await using agents = await AgentHost.start(USUAL_GRACES);
    await agents.open();
    const run = agents.run({ spawn: "1000" }, { say: "Stuck" }, { wait: "ever" });
    await agents.host.streamed("t", 5);
    const receipt = await agents.host.send(TeamInterrupt, { teamId: "t" });
    await run;

    assert.equal(receipt.partials[0]?.content, "Stuck");
    assert.partialDeepStrictEqual(agents.events("error"), [
      {
        participant: "ann",
        message:
          "The program did not answer the interrupt within 1.5 s, so it was ended. It starts again at its next turn.",
      },
    ]);
    const [pid] = agents.log("pid") as number[];
    const [child] = agents.log("spawned") as number[];
    await hasEnded(pid);
    await hasEnded(child);
    await agents.run({ say: "Back." });
    assert.equal((await agents.thread()).at(-1)?.content, "Back.");
    assert.match(agents.prompts().at(-1) ?? "", /ann \(you\):\n```\nStuck/);
  });

  it("that never opens a session is ended by an interrupt", async () => {
    await using agents = await AgentHost.start();
    await agents.open("mute");
    const run = agents.run({ say: "Never." });
    while (agents.log("new").length === 0) await pause(10);
    const { abandonedTools, partials } = await agents.host.send(TeamInterrupt, { teamId: "t" });
    const { status } = await run;

    assert.deepEqual([abandonedTools, partials, status.code], [[], [], "interrupted"]);
    const [pid] = agents.log("pid") as number[];
    await hasEnded(pid);
    assert.deepEqual(agents.events("error"), []);
  });

  it("whose permission request waits is cancelled by an interrupt: what it still says is not its next answer", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await agents.run({ ask: { toolCallId: "c1", title: "Delete all", kind: "delete" } }, { say: "?", times: 10_000 });
    await agents.host.send(TeamInterrupt, { teamId: "t" });
    await agents.run({ say: "Next." });

    assert.deepEqual(agents.log("chosen"), ["cancelled"]);
    assert.equal(agents.log("cancel").length, 1);
    assert.equal((await agents.thread()).at(-1)?.content, "Next.");
  });

  it("one call of it can be cut for the user; it goes on, and the turn ends", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const run = agents.run(
      { call: { toolCallId: "c1", title: "Long", kind: "execute", status: "in_progress" } },
      { wait: "cancel" },
    );
    const started = await agents.host.event("t", ({ type }) => type === "tool/started");
    const ref = "ref" in started ? started.ref : "";
    const receipt = await agents.host.send(TeamInterrupt, { teamId: "t", scope: { ref } });
    assert.equal(receipt.status, "running");
    assert.match(JSON.stringify(agents.events("tool/executed")), /can only be stopped as a whole/);
    await agents.host.send(TeamInterrupt, { teamId: "t" });
    await run;
  });

  it("that waits gets a message of the user: what it asked is cancelled, and it answers", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await agents.run({ ask: { toolCallId: "c1", title: "Run", kind: "execute" } });
    const answered = await agents.host.send(TeamSendUserMessage, {
      teamId: "t",
      to: "ann",
      messages: steps({ say: "Because." }),
      delivery: "now",
    });
    assert.equal(answered.messages.at(-1)?.content, "Because.");
    assert.deepEqual(agents.log("chosen"), ["cancelled"]);
  });
});
