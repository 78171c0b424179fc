import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

test("a reset thread is empty, and shows its earlier messages when asked", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").say("author", "From before the reset.").ended("Done");
  await chat.open(script);
  script.durable({ type: "team/reset" });
  await chat.live(script);
  assert.equal(await chat.page.locator(".message", { hasText: "From before the reset." }).count(), 0);
  assert.match(await seen(chat.page.locator(".empty-reset")), /^Thread was reset ·\s+Show Earlier Messages$/);
  await chat.page.getByText("Enter a task below to start.").waitFor();

  script.task("Go on.").say("author", "From after it.");
  await chat.live(script);
  await chat.page.locator(".message", { hasText: "From after it." }).waitFor();
  assert.equal(await chat.page.locator(".message", { hasText: "From before the reset." }).count(), 0);
  assert.match(await seen(chat.rows.first()), /^Thread was reset ·\s+Show Earlier Messages/);

  await chat.page.getByRole("button", { name: "Show Earlier Messages" }).click();
  await chat.page.locator(".message", { hasText: "From before the reset." }).waitFor();
  await chat.page.getByText("Thread was reset. The team sees no message above").waitFor();

  script.durable({ type: "team/reset" });
  await chat.live(script);
  assert.equal(await chat.page.locator(".message", { hasText: "From after it." }).count(), 0);
});

test("earlier messages of a reset thread are not loaded before they are asked for", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").say("author", "From before the reset.").ended("Done");
  const before = script.events.filter((event) => "seq" in event).length;
  script.durable({ type: "team/reset" }).task("Go on.").say("author", "From after it.");
  const after = script.events.filter((event) => "seq" in event).length - before;
  await chat.post({ type: "host", state: "ready" }, script.opened(true, after));
  await chat.page.locator(".message", { hasText: "From after it." }).waitFor();
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "earlier"),
    [],
  );
  await chat.page.getByRole("button", { name: "Show Earlier Messages" }).click();
  await chat.untilPosted("earlier");
});

test("the header says that the last run failed, until another one starts", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  script.durable(
    { type: "error", message: "The model refused the key.", data: {} },
    {
      type: "run/ended",
      stopReason: null,
      status: { code: "error", message: "The model refused the key." },
      usage: { prompt: 0, completion: 0, total: 0 },
      resets: true,
    },
  );
  await chat.open(script);
  const status = chat.page.locator(".team-header .status");
  assert.equal(await seen(status), "Failed");
  script.task("Once more.");
  await chat.live(script);
  assert.equal(await seen(status), "Running");
});

test("the orchestrator is seen to plan from the first second, and then to choose the next step", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Plan", { kind: "magentic" }).task("Go.");
  await chat.open(script);
  const activity = chat.page.locator(".activity");
  const bar = chat.page.locator(".activity-text");
  assert.equal((await seen(activity)).replaceAll(/\s+/g, " ").trim(), "orchestrator is planning");
  assert.equal(await seen(bar), "orchestrator is planning");
  script.durable({ type: "model/asked", by: "orchestrator", purpose: "facts" });
  await chat.live(script);
  assert.equal(await seen(bar), "orchestrator is planning");
  script.message("orchestrator", { type: "TextMessage", content: "The plan: the author writes." });
  await chat.live(script);
  assert.equal(await seen(bar), "orchestrator is choosing the next step");
  script.durable(
    { type: "speaker/selected", participants: ["author"] },
    { type: "reasoning/start", id: "turn", from: "author", input: "" },
  );
  await chat.live(script);
  assert.equal(await seen(bar), "author is thinking");
  assert.equal(await chat.page.locator(".activity", { hasText: "orchestrator is" }).count(), 0);
});

test("a model that chooses the speakers is seen to do so", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript("Choice", { kind: "selector" }).task("Go."));
  assert.equal(await seen(chat.page.locator(".activity-text")), "Choosing the next speaker");
});

for (const key of ["Enter", "a click"]) {
  test(`a row that is expanded with ${key} stays in view at the end of the thread`, async () => {
    const chat = await browser.page({ height: 420 });
    const script = new TeamScript().task("Go.");
    for (let turn = 0; turn < 20; turn++) script.say("author", `Message ${turn}.`);
    script.durable({
      type: "reasoning/thought",
      from: "author",
      correlation_id: ["x"],
      message: "A line of a thought.\n\n".repeat(60),
    });
    await chat.open(script);
    const line = chat.page.getByRole("button", { name: /^Thought/ });
    if (key === "Enter") {
      await chat.rows.last().focus();
      await chat.page.keyboard.press("Enter");
    } else await line.click();
    await chat.page.getByText("A line of a thought.").nth(20).waitFor();
    const isInView = () =>
      line.evaluate((element) => {
        const list = element.closest(".list")?.getBoundingClientRect();
        const { top, bottom } = element.getBoundingClientRect();
        return list !== undefined && top >= list.top && bottom <= list.bottom;
      });
    await chat.post();
    assert.equal(await isInView(), true, "the line can be seen");
    assert.equal(
      await chat.page.evaluate(() => document.activeElement !== document.body),
      true,
      "something has the focus",
    );
    if (key === "Enter") await chat.page.keyboard.press("Enter");
    else await line.click();
    await chat.post();
    assert.equal(await isInView(), true, "the line can be seen");
    script.say("author", `The last message. ${USER}`);
    await chat.live(script);
    await chat.page.locator(".jump").waitFor({ state: "detached" });
  });
}
