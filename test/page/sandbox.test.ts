import assert from "node:assert/strict";
import { test } from "node:test";
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

test("a command that waits for approval says where it would run", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().task("Go.").durable(requested, { ...pending, approval: true }));
  assert.deepEqual(await chat.untilPosted("previewTool"), { type: "previewTool", ref: "c" });
  await chat.post({ type: "toolPreview", ref: "c", text: "It runs in the sandbox." });
  const card = chat.page.getByRole("group", { name: "Waiting for you: runCommand of tester" });
  await card.getByText("It runs in the sandbox.").waitFor();
});

test("a command that failed in the sandbox says why, and can run outside, keep its result or be denied", async () => {
  const chat = await browser.page();
  const reason = "it may not connect to registry.npmjs.org";
  const interrupt = { kind: "runOutsideSandbox", question: "Run it outside?", reason, output: "E403\nexit code 1" };
  await chat.open(new TeamScript().task("Go.").durable(requested, { ...pending, interrupt }));
  const card = chat.page.getByRole("group", { name: "Waiting for you: runCommand of tester" });
  assert.match(
    await seen(card),
    /wants to run runCommand outside the sandbox\s+It failed in the sandbox: it may not connect to registry\.npmjs\.org\.[\s\S]*npm install/,
  );
  assert.deepEqual(await card.locator(".button-row button").allInnerTexts(), [
    "Run Outside Sandbox…",
    "Keep Result",
    "Deny",
  ]);
  await card.getByRole("button", { name: "Run Outside Sandbox…" }).press("Enter");
  assert.deepEqual(await chat.untilPosted("approve"), { type: "approve", ref: "c" });
  await card.getByRole("button", { name: "Keep Result" }).press("Enter");
  assert.deepEqual(await chat.untilPosted("respond"), { type: "respond", ref: "c", output: "E403\nexit code 1" });
});

test("a tool of a client cannot pass for a command that failed in the sandbox", async () => {
  const chat = await browser.page();
  const interrupt = { kind: "runOutsideSandbox", question: "Really?", reason: "no reason", output: "" };
  const calls = [{ ref: "c", name: "deploy", input: {} }];
  await chat.open(
    new TeamScript().task("Go.").durable({ ...requested, calls }, { ...pending, name: "deploy", input: {}, interrupt }),
  );
  const card = chat.page.getByRole("group", { name: "Waiting for you: deploy of tester" });
  assert.equal(await card.getByRole("button", { name: "Run Outside Sandbox…" }).count(), 0);
});
