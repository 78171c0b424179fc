import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser, seen } from "./chat-page.ts";
import { researchTeam } from "./gallery-states.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

function running(): TeamScript {
  const script = new TeamScript().task("Go.");
  script.chunk(script.startMessage("author"), "Well");
  return script;
}

test("Enter gives the team its task, Shift+Enter a new line", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.focus();
  await chat.page.keyboard.type("First");
  await chat.page.keyboard.press("Shift+Enter");
  await chat.page.keyboard.type("second");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "First\nsecond" });
  assert.equal(await chat.composer.inputValue(), "");
});

test("the text box grows with its text", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const height = async () => (await chat.composer.boundingBox())?.height ?? 0;
  const low = await height();
  await chat.composer.fill("a\nb\nc\nd\ne");
  assert.ok((await height()) > low * 2);
});

test("@ opens the participants, arrow keys select, and Enter completes without sending", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.focus();
  await chat.page.keyboard.type("@");
  const list = chat.page.getByRole("listbox", { name: "Participants" });
  assert.deepEqual(await list.getByRole("option").locator(".mention-name").allInnerTexts(), [
    "author",
    "reviewer",
    "tester",
  ]);
  await chat.page.keyboard.press("ArrowDown");
  const active = await chat.composer.getAttribute("aria-activedescendant");
  assert.equal(await chat.page.locator(`#${active}`).getAttribute("aria-selected"), "true");
  assert.match(await seen(chat.page.locator(`#${active}`)), /reviewer/);
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.composer.inputValue(), "@reviewer ");
  assert.equal(await list.count(), 0);
  await chat.page.keyboard.type("Is it twice?");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), { type: "send", to: "reviewer", text: "Is it twice?" });
});

test("@ also finds the participants of nested teams, by the names that lead to them", async () => {
  const chat = await browser.page();
  await chat.open(researchTeam());
  await chat.composer.focus();
  await chat.page.keyboard.type("@ali");
  const option = chat.page.getByRole("listbox", { name: "Participants" }).getByRole("option");
  assert.deepEqual(await option.locator(".mention-name").allInnerTexts(), ["research/alice"]);
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.composer.inputValue(), "@research/alice ");
  await chat.page.keyboard.type("Which one?");
  await chat.page.getByText("Only research/alice answers").waitFor();
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), { type: "send", to: "research/alice", text: "Which one?" });
});

test("Escape closes the list and keeps the text", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.focus();
  await chat.page.keyboard.type("@te");
  await chat.page.keyboard.press("Escape");
  assert.equal(await chat.page.getByRole("listbox").count(), 0);
  assert.equal(await chat.composer.inputValue(), "@te");
});

test("without a mention while the team is running, it asks for one and keeps the text", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.fill("hurry");
  await chat.composer.press("Enter");
  await chat.page.getByText("Type @ to message a participant, or interrupt the team first").waitFor();
  assert.equal(await chat.composer.inputValue(), "hurry");
  assert.deepEqual(
    (await chat.posted()).map(({ type }) => type),
    ["ready", "draft"],
  );
});

test("Interrupt is available while the team is running, also while the mention list is open", async () => {
  const chat = await browser.page();
  const script = running();
  await chat.open(script);
  await chat.composer.focus();
  await chat.page.keyboard.type("@");
  await chat.page.getByRole("button", { name: "Interrupt" }).click();
  assert.deepEqual(await chat.untilPosted("interrupt"), { type: "interrupt" });
});

test("Continue continues a paused team", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const id = script.startMessage("author");
  script.chunk(id, "Half").interrupt(id, "author", "Half");
  await chat.open(script);
  await chat.page.getByRole("button", { name: "Continue", exact: true }).click();
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "" });
});

test("a click on a participant addresses it, in place of an earlier addressee", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("@author look");
  await chat.page.getByRole("button", { name: /Message tester/ }).click();
  assert.equal(await chat.composer.inputValue(), "@tester look");
  await chat.page.getByText("Only tester answers").waitFor();
});

test("the extension can set the text", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.post({ type: "compose", to: "reviewer", text: "Look again" });
  assert.equal(await chat.composer.inputValue(), "@reviewer Look again");
  assert.equal(await chat.composer.evaluate((box) => box === document.activeElement), true);
});

test("the text box is focused on request, and not when trust is granted later", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  await chat.open(script, false);
  await chat.post({ type: "compose" });
  await chat.open(script);
  await chat.composer.waitFor();
  assert.equal(await chat.composer.evaluate((box) => box === document.activeElement), false);
  await chat.post({ type: "compose" });
  await chat.page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
});

test("a draft belongs to its team: it is kept while it is written, and shown with the team", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  await chat.open(script);
  await chat.composer.fill("@tester Look at");
  assert.deepEqual((await chat.posted()).at(-1), { type: "draft", draft: { text: "@tester Look at" } });
  const other = script.opened(true);
  assert.ok(other.type === "team");
  const snapshot = { ...other.snapshot, teamId: "team-2", name: "Other" };
  await chat.post({ ...other, snapshot, draft: { text: "To the other" } });
  assert.equal(await chat.composer.inputValue(), "To the other");
  await chat.composer.fill("To the other team");
  // The same team again, as after a restart of the host: what is being written stays.
  await chat.post({ ...other, snapshot, draft: { text: "To the other" } });
  assert.equal(await chat.composer.inputValue(), "To the other team");
  await chat.post({ ...other, draft: { text: "@tester Look at" } });
  assert.equal(await chat.composer.inputValue(), "@tester Look at");
});
