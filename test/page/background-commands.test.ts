import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const started = (id: string, command: string) =>
  ({ type: "command/started", id, ref: `call_${id}`, participant: "author", command }) as const;

test("commands in the background are lines with who started them, and are stopped and shown by keyboard", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const long = `npm run dev -- --name \u202e ${"x".repeat(300)}`;
  script.durable(started("cmd_1", long), started("cmd_2", "npm run watch"));
  await chat.open(script);
  const lines = chat.page.getByRole("region", { name: "Background commands" }).getByRole("group");
  assert.match(await seen(lines.first()), /npm run dev -- --name ⟨U\+202E⟩ x+…\s+author/);
  assert.equal(await lines.count(), 2);
  for (const width of [170, 430]) {
    await chat.page.setViewportSize({ width, height: 600 });
    const box = await lines.first().boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `${width} px`);
    const starter = await lines.first().locator(".command-starter").boundingBox();
    assert.ok(starter !== null && starter.x + starter.width <= box.x + box.width, `who started it at ${width} px`);
  }
  await lines.first().getByRole("button", { name: "Show Output" }).focus();
  await chat.page.keyboard.press("Enter");
  await lines.last().getByRole("button", { name: "Stop" }).focus();
  await chat.page.keyboard.press("Enter");
  const posted = (await chat.posted()).filter(({ type }) => type === "stopCommand" || type === "showCommandOutput");
  assert.deepEqual(posted, [
    { type: "showCommandOutput", id: "cmd_1" },
    { type: "stopCommand", id: "cmd_2" },
  ]);
});

test("the end of a command is a row that says how it ended, and shows its output by keyboard", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  script.durable(started("cmd_1", "npm run dev"), started("cmd_2", "npm run watch \u202e"), started("cmd_3", "build"));
  script.durable(
    { type: "command/ended", id: "cmd_1", command: "npm run dev", end: { exit: { code: 0 } } },
    { type: "command/ended", id: "cmd_2", command: "npm run watch \u202e", end: { exit: { code: 3 } } },
    { type: "command/ended", id: "cmd_3", command: "build", end: { stoppedBy: "host", lost: "ended" } },
  );
  await chat.open(script);
  const rows = chat.page.locator(".event-line", { hasText: "Background command" });
  assert.match(await seen(rows.nth(0)), /Background command npm run dev: exit code 0/);
  assert.match(await seen(rows.nth(1)), /Background command npm run watch ⟨U\+202E⟩: exit code 3/);
  assert.match(await seen(rows.nth(2)), /Background command build: ended with its host/);
  assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.classList.contains("is-warning"))), [
    false,
    true,
    false,
  ]);
  // What a host that has stopped kept is gone.
  assert.equal(await rows.nth(2).getByRole("button").count(), 0);
  await rows.nth(1).getByRole("button", { name: "Show Output" }).focus();
  await chat.page.keyboard.press("Enter");
  const posted = (await chat.posted()).filter(({ type }) => type === "showCommandOutput");
  assert.deepEqual(posted, [{ type: "showCommandOutput", id: "cmd_2" }]);
});
