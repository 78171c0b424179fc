import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft } from "../../shared/contract/event.ts";
import { cardMessage, commandBody, untilSettled } from "./call-cards.ts";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { userTeam } from "./example-teams.ts";
import { manySpeakers } from "./many-speakers.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

/** What has the focus, as a few words of its own. */
const focused = (chat: ChatPageDriver): Promise<string> =>
  chat.page.evaluate(() => {
    const { activeElement: element } = document;
    if (!(element instanceof HTMLElement) || element === document.body) return "nothing";
    return (
      element.dataset["ref"] ?? element.dataset["decision"] ?? (element.className.split(" ")[0] || element.tagName)
    );
  });

const command = (ref: string) => ({ ref, name: "runCommand", input: { command: `echo ${ref}` } });

/** Two commands that wait for an approval. */
async function twoCommands() {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  script.durable({ type: "tool/requested", participant: "tester", calls: [command("a"), command("b")] });
  for (const ref of ["a", "b"]) {
    script.durable({ type: "tool/interrupted", ...command(ref), participant: "tester", approval: true });
  }
  await chat.open(script.paused("TOOL_INTERRUPT"));
  for (const ref of ["a", "b"]) {
    await chat.post(cardMessage(script, ref, commandBody(`echo ${ref}`)));
    await untilSettled(chat, ref);
  }
  return { chat, script };
}

/** The user's decision on a call, as events. */
const decided = (ref: string, decision: "accept" | "reject"): readonly DurableDraft[] =>
  decision === "accept"
    ? [{ type: "tool/resolved", ref, how: "restart", by: USER }]
    : [
        { type: "tool/resolved", ref, how: "deny", by: USER },
        { type: "tool/executed", ref, name: "runCommand", participant: "tester", output: "Denied.", isError: true },
      ];

for (const decision of ["accept", "reject"] as const) {
  test(`after ${decision} the next card has the focus and, after the last one, the text box`, async () => {
    const { chat, script } = await twoCommands();
    await chat.page.locator(`.pending[data-ref=a] [data-decision=${decision}]`).press("Enter");
    script.durable(...decided("a", decision));
    await chat.live(script);
    assert.equal(await focused(chat), "b");
    await chat.page.locator(`.pending[data-ref=b] [data-decision=${decision}]`).press("Enter");
    script.durable(...decided("b", decision));
    await chat.live(script);
    assert.equal(await focused(chat), "composer-text");
  });
}

test("after an interrupt the text box has the focus", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const id = script.startMessage("author");
  await chat.open(script.chunk(id, "Half a"));
  await chat.page.getByRole("button", { name: "Interrupt", exact: true }).press("Enter");
  script.interrupt(id, "author", "Half a");
  await chat.live(script);
  assert.equal(await focused(chat), "composer-text");
});

test("after an answer the text box has the focus", async () => {
  const chat = await browser.page();
  const script = userTeam().task("Plan it.").say("planner", "On Thursday or on Monday?");
  script.durable(
    { type: "speaker/selected", participants: ["alice"] },
    { type: "reasoning/start", id: "turn-a", from: "alice", input: "" },
    { type: "userInput/requested", participant: "alice" },
  );
  await chat.open(script.paused("USER_INPUT_REQUESTED"));
  await chat.page.getByRole("textbox", { name: "Your answer" }).fill("On Monday.");
  await chat.page.keyboard.press("Enter");
  script.durable({ type: "run/started", task: "", cause: "run" }).say("alice", "On Monday.");
  await chat.live(script);
  assert.equal(await focused(chat), "composer-text");
});

test("a notice that is dismissed, a menu that is closed and a thread that is shown leave the focus in the page", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").ended("Done").durable({ type: "team/reset" });
  await chat.open(script);
  await chat.post({ type: "notice", message: "The file has changed.", actions: [] });
  await chat.page.getByRole("button", { name: "Dismiss" }).press("Enter");
  await chat.post({ type: "noNotice" });
  assert.equal(await focused(chat), "composer-text");
  await chat.page.getByRole("button", { name: "Show Earlier Messages" }).press("Enter");
  await chat.post();
  assert.equal(await focused(chat), "composer-text");
});

for (const key of ["Escape", "Tab"] as const) {
  test(`${key} closes each menu and gives the focus back to its button`, async () => {
    const chat = await browser.page({ width: 430, height: 720 });
    const script = manySpeakers();
    script.durable(
      { type: "tool/requested", participant: "reviewer", calls: [command("a")] },
      { type: "tool/interrupted", ...command("a"), participant: "reviewer", approval: true },
    );
    await chat.open(script);
    const rules = [{ label: "This Command", rules: ["runCommand with the command echo a"] }];
    await chat.post(cardMessage(script, "a", commandBody("echo a"), { rules, scopes: ["run"] }));
    await untilSettled(chat, "a");
    await chat.composer.fill("Wait.");
    for (const button of [
      chat.page.locator(".more-participants"),
      chat.page.getByRole("button", { name: "Allow Without Asking…" }),
      chat.page.getByRole("button", { name: "More ways to send" }),
    ]) {
      await button.press("Enter");
      assert.equal(await chat.page.getByRole("menu").count(), 1);
      assert.equal(await chat.page.evaluate(() => document.activeElement?.closest("[role=menu]") != null), true);
      await chat.page.keyboard.press(key);
      assert.equal(await chat.page.getByRole("menu").count(), 0);
      assert.equal(await button.evaluate((element) => element.matches(":focus")), true);
    }
    assert.equal(await chat.composer.inputValue(), "Wait.");
  });
}

test("the focus is not taken from elsewhere: a click beside everything, or another part of the page", async () => {
  const { chat, script } = await twoCommands();
  await chat.page.locator(".pending[data-ref=a] [data-decision=accept]").focus();
  await chat.composer.focus();
  script.durable({ type: "tool/resolved", ref: "a", how: "restart", by: USER });
  await chat.live(script);
  assert.equal(await focused(chat), "composer-text");
  await chat.page.locator(".team-name").click();
  script.durable({ type: "tool/resolved", ref: "b", how: "restart", by: USER });
  await chat.live(script);
  assert.equal(await focused(chat), "nothing");
});

test("Enter that is held sends nothing", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const id = script.startMessage("author");
  await chat.open(script.chunk(id, "Half a").interrupt(id, "author", "Half a"));
  await chat.composer.focus();
  await chat.composer.dispatchEvent("keydown", { key: "Enter", repeat: true });
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "run"),
    [],
  );
});

test("the extension is told when the page gets the focus and loses it, and not when that moves within the page", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const told = () => chat.page.evaluate(() => window.editorStub.focus);
  assert.deepEqual(await told(), [true]);
  await chat.composer.focus();
  await chat.page.locator(".add-context").focus();
  assert.deepEqual(await told(), [true]);
  await chat.page.evaluate(() => document.body.append(document.createElement("iframe")));
  await chat.page.locator("iframe").focus();
  assert.deepEqual(await told(), [true, false]);
  await chat.composer.focus();
  assert.deepEqual(await told(), [true, false, true]);
});
