import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import { itemTokens } from "../context/tokens.ts";
import { conversationProblem } from "../testing/conversation-problem.ts";
import { ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { testTeam } from "../testing/test-team.ts";
import { testTool } from "../testing/test-tool.ts";

test("the steps of a turn count toward the context immediately, so that a long turn stays within it", async () => {
  const contexts: ContextDefinition[] = [
    { kind: "buffered", size: 4 },
    { kind: "headAndTail", head: 1, tail: 3 },
    { kind: "tokenLimited", size: 120 },
  ];
  for (const context of contexts) {
    const steps = Array.from({ length: 8 }, (_, at) => ask(call(`c${at}`, "look", `${at}`.repeat(60))));
    const ann = new ScriptedModel(...steps, say("done"));
    const tools = [testTool("look", (input) => input)];
    const { team, ref } = testTeam({ speakers: { ann }, tools, more: { ann: { context } }, maxTurns: 1 });

    await team.run("The task.");

    for (const { items } of ann.requests) {
      assert.equal(conversationProblem(items), undefined, context.kind);
      assert.ok(items.length <= 6, context.kind);
    }
    const last = ann.lastItems.at(-1);
    assert.ok(last?.role === "tool" && last.ref === ref("c7"), context.kind);
    assert.equal(ann.lastItems[0]?.role === "user", context.kind === "headAndTail", context.kind);
  }
});

test("without a size, the context has the model's window less the answer, the instructions and the tools", async () => {
  const shown = async (instructions: string): Promise<number> => {
    const ann = new ScriptedModel();
    const model = { provider: "openai" as const, model: "ann", contextWindow: 1_000, maxTokens: 200 };
    const more = { ann: { instructions, context: { kind: "tokenLimited" as const } } };
    const { team } = testTeam({ speakers: { ann }, more, models: { ann: model }, maxTurns: 1 });
    const texts = Array.from({ length: 60 }, (_, at) => `${at} ${"word ".repeat(10)}`);
    await team.run(
      texts.map((content, at) => ({ id: `${at}`, type: "TextMessage", source: "user", content, createdAt: "" })),
    );
    return ann.lastItems.reduce((sum, item) => sum + itemTokens(item), 0);
  };

  const brief = await shown("Be brief.");
  assert.ok(brief <= 800 && brief > 700, `${brief}`);
  const long = await shown("Be brief. ".repeat(200));
  assert.ok(long < 300, `${long}`);
});
