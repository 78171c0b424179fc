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
  await chat.page.getByRole("button", { name: "Close Triage" }).click();
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
