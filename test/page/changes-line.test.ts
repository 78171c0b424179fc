import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

for (const width of [170, 250, 430, 900])
  test(`above the composer is what the team changed, while there is something, at ${width} px`, async () => {
    const chat = await browser.page({ width, height: 400 });
    const script = new TeamScript().task("Go.");
    await chat.open(script);
    const line = chat.page.getByRole("region", { name: "File changes" });
    assert.equal(await line.count(), 0);
    const { teamId } = script;
    await chat.post({ type: "changes", teamId, files: 3, commands: 2, added: 1240, removed: 12 });
    assert.match(await seen(line), /3 files changed\s+\+1,240\s+−12\s+2 by commands/);
    const box = await line.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width);
    assert.ok(await line.evaluate((element) => element.scrollWidth <= element.clientWidth), "nothing is cut");
    for (const name of ["Keep", "Undo…", "View"]) await line.getByRole("button", { name }).press("Enter");
    assert.deepEqual(
      (await chat.posted()).flatMap((message) => (message.type === "changes" ? message.action : [])),
      ["keep", "undo", "view"],
    );
    await chat.post({ type: "changes", teamId, files: 0, commands: 1, added: 0, removed: 0 });
    assert.match(await seen(line), /1 file changed by commands\s+Keep$/);
    await chat.post({ type: "changes", teamId, files: 0, commands: 0, added: 0, removed: 0 });
    assert.equal(await line.count(), 0);
  });

test("a message of the user has Restore, by mouse and keyboard, while nothing runs", async () => {
  const chat = await browser.page({ width: 250 });
  const script = new TeamScript().task("Go.");
  await chat.open(script);
  const row = chat.page.getByRole("article").filter({ hasText: "Go." });
  const button = row.getByRole("button", { name: "Restore to Before This Message…" });
  const [message] = script.state.thread;
  assert.equal(await button.count(), 0);
  await chat.live(
    script.durable({ type: "run/ended", stopReason: null, status: { code: "success" }, usage: script.state.usage }),
  );
  await row.hover();
  await button.click();
  await button.press("Enter");
  const expected = { type: "restoreCheckpoint", messageId: message?.id };
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "restoreCheckpoint"),
    [expected, expected],
  );
});

test("a message that was sent while a run went on has no Restore: there is no checkpoint before it", async () => {
  const chat = await browser.page({ width: 250 });
  const script = new TeamScript().task("Go.");
  script.say("author", "Going.");
  script.message(USER, { type: "UserTextMessage", content: "Faster.", metadata: { to: "author" } });
  script.durable({ type: "run/ended", stopReason: null, status: { code: "success" }, usage: script.state.usage });
  await chat.open(script);
  const restore = (text: string) =>
    chat.page
      .getByRole("article")
      .filter({ hasText: text })
      .getByRole("button", { name: "Restore to Before This Message…" })
      .count();
  assert.deepEqual([await restore("Go."), await restore("Faster.")], [1, 0]);
});
