import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamTab } from "../../client/common/page-messages.ts";
import { pageBrowser } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const tabs: readonly TeamTab[] = [
  { teamId: "team-1", name: "Review", progress: "running", unread: 0 },
  { teamId: "team-2", name: "Release notes of the second quarter", progress: "approval", unread: 3 },
  { teamId: "team-3", name: "Triage", progress: "failed", unread: 0 },
];

test("the open teams are tabs with state and unread mark; a click switches", async () => {
  const chat = await browser.page({ width: 250 });
  await chat.open(new TeamScript());
  assert.equal(await chat.page.getByRole("tab").count(), 0, "one team needs no tabs");
  await chat.post({ type: "teams", teams: tabs });
  const labels = await chat.page
    .getByRole("tab")
    .evaluateAll((all) => all.map((tab) => tab.getAttribute("aria-label")));
  assert.deepEqual(labels, [
    "Review, Running",
    "Release notes of the second quarter, Approval needed, 3 unread",
    "Triage, Failed",
  ]);
  await chat.page.getByRole("tab", { name: "Triage" }).click();
  assert.deepEqual(await chat.untilPosted("switchTeam"), { type: "switchTeam", teamId: "team-3" });
  await chat.page.getByTitle("Close Triage (Delete)").click();
  assert.deepEqual(await chat.untilPosted("closeTeam"), { type: "closeTeam", teamId: "team-3" });
});

test("by keyboard: arrow keys move, Enter switches, Delete closes", async () => {
  const chat = await browser.page({ width: 250 });
  await chat.open(new TeamScript());
  await chat.post({ type: "teams", teams: tabs });
  const { keyboard } = chat.page;
  await chat.page.getByRole("tab", { name: "Review" }).focus();
  await keyboard.press("ArrowRight");
  await keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("switchTeam"), { type: "switchTeam", teamId: "team-2" });
  await keyboard.press("End");
  await keyboard.press("Delete");
  assert.deepEqual(await chat.untilPosted("closeTeam"), { type: "closeTeam", teamId: "team-3" });
});

test("a file that cannot be opened is shown with its problems in place of its team", async () => {
  const chat = await browser.page({ width: 250 });
  await chat.open(new TeamScript());
  const uri = "file:///project/wrong.team.yaml";
  const problems = Array.from({ length: 8 }, (_, index) => ({ text: `Problem ${index}`, line: index + 3 }));
  await chat.post({ type: "failedTeam", uri, name: "wrong.team.yaml", problems });
  assert.equal(await chat.composer.count(), 0, "no team is under the user's hands");
  await chat.page.getByText("it has 8 problems. Correct and save").waitFor();
  await chat.page.getByRole("button", { name: "Problem 2" }).click();
  const opened = { type: "errorAction", command: "openTeamFile", argument: `${uri}#L5,1` };
  assert.deepEqual(await chat.untilPosted("errorAction"), opened);
  await chat.page.getByRole("button", { name: "Show 8 Problems" }).click();
  assert.deepEqual((await chat.posted()).at(-1), { type: "errorAction", command: "showProblems" });
  assert.equal(await chat.page.getByRole("button", { name: "Select Model…" }).count(), 0);
});

test("a team that lacks a model is helped by selecting one, first of all", async () => {
  const chat = await browser.page({ width: 170 });
  const text = "participants[0]: a has no model; add models.default to the team, or set gavel.model in the settings";
  const uri = "file:///project/new.team.yaml";
  await chat.post({ type: "failedTeam", uri, name: "new.team.yaml", lacksModel: true, problems: [{ text, line: 5 }] });
  const buttons = chat.page.locator(".banner-actions button");
  assert.deepEqual(await buttons.allTextContents(), ["Select Model…", "Edit Team File", "Close"]);
  await buttons.first().click();
  assert.deepEqual(await chat.untilPosted("errorAction"), { type: "errorAction", command: "selectModel" });
  assert.deepEqual(await chat.page.evaluate(() => document.documentElement.scrollWidth), 170);
});

test("a notice takes two lines at most, and goes when the extension says so", async () => {
  const chat = await browser.page({ width: 250 });
  await chat.open(new TeamScript());
  await chat.post({ type: "notice", message: "A long explanation. ".repeat(30), actions: [] });
  const text = chat.page.locator(".banner.is-notice .banner-text");
  const lines = await text.evaluate(
    (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
  );
  assert.ok(lines <= 2.1, `${lines} lines`);
  await chat.page.getByRole("button", { name: "Dismiss" }).click();
  await chat.untilPosted("dismissNotice");
  await chat.post({ type: "noNotice" });
  assert.equal(await text.count(), 0);
});
