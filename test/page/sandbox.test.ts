import assert from "node:assert/strict";
import { test } from "node:test";
import { cardMessage, commandBody, untilSettled } from "./call-cards.ts";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const input = { command: "npm install" };
const requested = {
  type: "tool/requested" as const,
  participant: "tester",
  calls: [{ ref: "c", name: "runCommand", input }],
};
const pending = { type: "tool/interrupted", ref: "c", name: "runCommand", participant: "tester", input } as const;

test("a command that failed in the sandbox says why, and can run outside, keep its result or be denied", async () => {
  const chat = await browser.page();
  const reason = "it may not connect to registry.npmjs.org";
  const interrupt = { kind: "runOutsideSandbox", question: "Run it outside?", reason, output: "E403\nexit code 1" };
  const script = new TeamScript().task("Go.").durable(requested, { ...pending, interrupt });
  await chat.open(script);
  await chat.untilPosted("showCall");
  await chat.post(cardMessage(script, "c", commandBody("npm install")));
  await untilSettled(chat, "c");
  const card = chat.page.getByRole("group", { name: "Approval needed: runCommand of tester" });
  assert.match(
    await seen(card),
    /wants to run a command outside the sandbox\s+It failed in the sandbox: it may not connect to registry\.npmjs\.org\.[\s\S]*npm install/,
  );
  await card.getByRole("button", { name: "Run Outside Sandbox" }).press("Enter");
  await card.getByRole("button", { name: "Keep Result" }).press("Enter");
  const decided = (await chat.posted()).flatMap((message) => (message.type === "decide" ? [message.decision] : []));
  assert.deepEqual(decided, [{ how: "runOutside" }, { how: "answer", output: "E403\nexit code 1" }]);
});

test("a tool of a client cannot pass for a command that failed in the sandbox", async () => {
  const chat = await browser.page();
  const interrupt = { kind: "runOutsideSandbox", question: "Really?", reason: "no reason", output: "" };
  const calls = [{ ref: "c", name: "deploy", input: {} }];
  await chat.open(
    new TeamScript().task("Go.").durable({ ...requested, calls }, { ...pending, name: "deploy", input: {}, interrupt }),
  );
  const card = chat.page.getByRole("group", { name: "Question: deploy of tester" });
  assert.equal(await card.getByRole("button", { name: "Run Outside Sandbox…" }).count(), 0);
});
