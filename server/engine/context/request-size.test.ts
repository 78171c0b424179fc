import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";

const LONG = "x".repeat(LIMITS.message.text);
/** As many as are too long together. */
const COUNT = Math.floor(LIMITS.request.characters / LONG.length) + 1;
const messages = Array.from(
  { length: COUNT },
  (_, at): ChatMessage => ({ id: `${at}`, type: "TextMessage", source: "user", content: LONG, createdAt: "" }),
);

test("a conversation that is longer than a request can be is not sent: the run ends with what to do, and goes on after it", async () => {
  const ann = new ScriptedModel(say("done"));
  const bob = new ScriptedModel(say("done too"));
  const more = { bob: { context: { kind: "buffered" as const, size: 2 } } };
  const { team } = testTeam({ speakers: { ann, bob }, more, maxTurns: 1 });

  const { status } = await team.run(messages);

  assert.equal(status.code, "error");
  assert.match(
    `${status.message}`,
    /^The conversation is too long to be sent to the model of ann, as it has more than 64,000,000 .* `context` .*thread\.$/,
  );
  assert.equal(ann.requests.length, 0);
  assert.equal(team.messages.length, COUNT);
  assert.equal(team.state.status, "idle");
  assert.equal((await team.sendUserMessage("bob", ["And you?"])).status.code, "success");
  assert.equal(bob.lastItems.length, 2);
});

test("a conversation of as many characters as a request can have is sent", async () => {
  const ann = new ScriptedModel(say("done"));
  const { team } = testTeam({ speakers: { ann }, maxTurns: 1 });

  const { status } = await team.run(messages.slice(1).map((message) => ({ ...message, content: LONG.slice(10) })));

  assert.equal(status.code, "success");
  assert.equal(ann.lastItems.length, COUNT - 1);
});
