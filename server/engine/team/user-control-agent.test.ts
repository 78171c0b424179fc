import assert from "node:assert/strict";
import { test } from "node:test";
import { aborted } from "../testing/scripted-model.ts";
import { afterReply, testTeam } from "../testing/test-team.ts";
import { UserControlAgent } from "./user-control-agent.ts";

test("a UserControlAgent interrupts a team and sends a message to one participant, in its own name", async () => {
  const { team, next, events, said } = testTeam({
    speakers: { ann: (_, signal) => aborted(signal).then(() => ""), bob: () => "Hello, Eve." },
  });
  const eve = new UserControlAgent("eve");
  const speaking = next("reasoning/start");
  const run = team.run("t");
  await speaking;

  const receipt = await eve.interrupt(team, "look here");
  assert.equal((await run).stopReason, "USER_INTERRUPT");
  assert.equal(receipt.wasRunning, true);
  const requested = events.find((event) => event.type === "interrupt/requested");
  assert.deepEqual(requested?.type === "interrupt/requested" && [requested.by, requested.reason], ["eve", "look here"]);

  const result = await eve.send(team, "Hello, Bob.", "bob", afterReply("pause"));
  assert.equal(result.stopReason, "USER_MESSAGE_COMPLETED");
  assert.deepEqual(said(), ["user: t", "eve: Hello, Bob.", "bob: Hello, Eve."]);
  assert.deepEqual(
    team.state.participants.map(({ name }) => name),
    ["ann", "bob"],
  );
});
