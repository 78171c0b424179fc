import assert from "node:assert/strict";
import { test } from "node:test";
import { cardMessage, commandBody, untilSettled } from "./call-cards.ts";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { ann, approved, awaitingApprovals, ben, eva, presentClient, teamOf } from "./gallery/people-states.ts";
import type { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const three = (): TeamScript => teamOf({ [ben.id]: "chair", [ann.id]: "member", [eva.id]: "member" });

const cardOf = (chat: ChatPageDriver) => chat.page.locator('.pending[data-ref="c1"]');

async function shown(script: TeamScript, more: Parameters<typeof cardMessage>[3] = {}): Promise<ChatPageDriver> {
  const chat = await browser.page();
  await chat.open(script);
  await chat.untilPosted("showCall");
  await chat.post(cardMessage(script, "c1", commandBody("npm publish"), more));
  await untilSettled(chat, "c1");
  return chat;
}

/** Waits until somewhere on the page there is this text. */
const says = (chat: ChatPageDriver, text: string): Promise<void> => chat.page.getByText(text).first().waitFor();

const buttonsOf = async (chat: ChatPageDriver): Promise<string[]> =>
  (await cardOf(chat).locator(".button-row button").allInnerTexts()).map((text) => text.trim()).filter(Boolean);

test("the card of a call that needs two approvals says who has approved it, and gives way after the user's own", async () => {
  const script = awaitingApprovals(three());
  const chat = await shown(script);
  assert.match(await seen(cardOf(chat)), /0 of 2 approvals\. After you, Ben Ortiz or Eva has to approve too\./);
  await cardOf(chat).getByRole("button", { name: "Approve: runCommand" }).click();
  assert.deepEqual((await chat.untilPosted("decide")).decision, { how: "accept" });

  approved(script, ann.id);
  await chat.live(script);
  assert.match(await seen(cardOf(chat)), /1 of 2 approvals: you\. Ben Ortiz or Eva has to approve too\./);
  assert.deepEqual(await buttonsOf(chat), ["Reject"]);
  await says(chat, "Waiting for a decision of others: runCommand");
  assert.equal((await chat.page.locator(".status").innerText()).trim(), "Waiting for others");
  await says(chat, "You approved runCommand: 1 of 2 approvals");

  script.durable({ type: "tool/resolved", ref: "c1", how: "restart", by: ben.id }, { type: "tool/started", ref: "c1" });
  const executed = { ref: "c1", name: "runCommand", participant: "tester", output: "published", isError: false };
  script.durable({ type: "tool/executed", ...executed });
  await chat.live(script);
  await cardOf(chat).waitFor({ state: "detached" });
  const row = chat.page.locator(".tool-call");
  assert.match(await seen(row), /Approved by Ben Ortiz/);
  await row.getByRole("button", { name: /runCommand/ }).click();
  await says(chat, "Approved by you and Ben Ortiz");
});

test("a decision of another user settles the card with their name", async () => {
  const script = awaitingApprovals(three());
  const chat = await shown(script);
  script.durable(
    { type: "tool/resolved", ref: "c1", how: "deny", by: eva.id, reason: "not on Fridays" },
    { type: "tool/executed", ref: "c1", name: "runCommand", participant: "tester", output: "denied", isError: true },
  );
  await chat.live(script);
  await cardOf(chat).waitFor({ state: "detached" });
  assert.match(await seen(chat.page.locator(".tool-call")), /Rejected by Eva: not on Fridays/);
});

test("who is no approver sees who decides, and no buttons", async () => {
  const chat = await shown(awaitingApprovals(three(), [ben.id, eva.id]));
  assert.match(await seen(cardOf(chat)), /0 of 2 approvals\. Only Ben Ortiz or Eva may decide on this call\./);
  assert.deepEqual(await buttonsOf(chat), []);
});

test("what others approved in place of the call is shown, and can be approved as it is", async () => {
  const script = approved(awaitingApprovals(three()), ben.id, "npm publish --dry-run");
  const otherApproved = { how: "restart" as const, text: "npm publish --dry-run", isWhole: true };
  const chat = await shown(script, { otherApproved });
  assert.match(await seen(cardOf(chat)), /The approvals so far are for another input[\s\S]*npm publish --dry-run/);
  await cardOf(chat).getByRole("button", { name: "Approve This Input" }).click();
  assert.deepEqual((await chat.untilPosted("decide")).decision, { how: "join" });
});

test("rows say who joined, changed a role, and how many have to approve", async () => {
  const script = three();
  const chat = await browser.page({ height: 900 });
  script.durable(
    { type: "role/changed", user: eva, role: "observer", by: ben.id },
    { type: "role/changed", user: ann, role: "chair", by: ben.id },
    { type: "role/changed", role: "observer", by: ann.id },
    { type: "role/changed", user: ben, role: "chair", by: ben.id, taken: true },
    { type: "approvers/changed", required: 2, from: [ann.id, ben.id], by: ben.id },
    { type: "approvers/changed", required: 1, by: ben.id },
  );
  script.task("Go.");
  await chat.open(script);
  const rows = await chat.page.locator(".event-text").allInnerTexts();
  assert.deepEqual(rows, [
    "Ben Ortiz became the chair",
    "You joined as a member",
    "Eva joined as a member",
    "Ben Ortiz made Eva an observer",
    "Ben Ortiz handed the chair to you",
    "You made everyone who opens this team for the first time an observer",
    "Ben Ortiz took the chair",
    "Ben Ortiz required 2 approvals for a call, of you and Ben Ortiz",
    "Ben Ortiz let one approval be enough for a call",
  ]);
});

test("an observer reads why there is no text box, and is offered nothing that the role forbids", async () => {
  const script = teamOf({ [ben.id]: "chair", [ann.id]: "observer", [eva.id]: "member" });
  const chat = await shown(approved(awaitingApprovals(script), ben.id));
  await says(chat, "You observe this team and cannot change anything. Ask its chair, Ben Ortiz, to make you a member.");
  assert.equal(await chat.page.getByRole("textbox").count(), 0);
  assert.match(await seen(cardOf(chat)), /1 of 2 approvals: Ben Ortiz\. Eva has to approve too\./);
  assert.deepEqual(await buttonsOf(chat), []);
  for (const name of ["Interrupt", "Show", "Send"])
    assert.equal(await chat.page.getByRole("button", { name, exact: true }).count(), 0, name);

  script.durable({ type: "role/changed", user: ann, role: "member", by: ben.id });
  await chat.live(script);
  await chat.page.getByRole("textbox").waitFor();
  await says(chat, "Ben Ortiz made you a member");
});

test("a member can change their own waiting messages, and not those of others", async () => {
  const script = three().task("Go.");
  script.queueMessage("tester", "mine", { by: ann.id }).queueMessage("tester", "Ben's", { by: ben.id });
  const chat = await browser.page();
  await chat.open(script);
  const [own, other] = await chat.page.locator(".waiting-message").all();
  assert.ok(own !== undefined && other !== undefined);
  assert.deepEqual([await own.getByRole("button").count(), await other.getByRole("button").count()], [2, 0]);
  assert.match(await seen(other), /from Ben Ortiz/);
});

test("the header says who else has the team open, and who writes, and what comes and goes is announced", async () => {
  const script = three().task("Go.");
  const chat = await browser.page();
  await chat.open(script);
  const { teamId } = script;
  const line = chat.page.locator(".presence");
  const self = presentClient(ann, { isSelf: true });
  assert.equal(await line.count(), 0);
  const clients = [self, presentClient(ben), presentClient(ann, { id: "t", program: "gavel 0.3.0" })];
  await chat.post({ type: "presence", teamId, clients });
  assert.equal((await line.innerText()).trim(), "Ben Ortiz, also open in a terminal");
  const live = chat.page.locator("[aria-live=polite]");
  await live.getByText("Ben Ortiz has opened this team").waitFor({ state: "attached" });
  const before = await live.innerText();

  await chat.post({ type: "presence", teamId, clients: [self, presentClient(ben, { isWriting: true })] });
  assert.equal((await line.innerText()).trim(), "Ben Ortiz (writing…)");
  await chat.post({ type: "presence", teamId, clients: [self, presentClient(ben)] });
  assert.equal((await live.innerText()).replace("No longer open in a terminal", "").trim(), before.trim());

  await chat.post({ type: "presence", teamId, clients: [] });
  await line.waitFor({ state: "detached" });
  await live.getByText("Ben Ortiz has left").waitFor({ state: "attached" });
});

test("others are told when the user begins to write, and when the draft is empty, sent or left", async () => {
  const script = three().task("Go.").ended("MAX_TURNS");
  const chat = await browser.page();
  await chat.open(script);
  const { teamId } = script;
  const box = chat.page.getByRole("textbox");
  const told = async (): Promise<boolean[]> =>
    (await chat.posted()).flatMap((message) => (message.type === "writing" ? [message.isWriting] : []));
  await box.pressSequentially("alone");
  assert.deepEqual(await told(), []);
  await box.fill("");

  const clients = [presentClient(ann, { isSelf: true }), presentClient(ben)];
  await chat.post({ type: "presence", teamId, clients });
  await box.pressSequentially("Hi");
  assert.deepEqual(await told(), [true]);
  await box.fill("");
  assert.deepEqual(await told(), [true, false]);
  await box.pressSequentially("Fix it");
  await box.press("Enter");
  assert.deepEqual(await told(), [true, false, true, false]);
  await box.pressSequentially("And");
  await box.blur();
  assert.deepEqual(await told(), [true, false, true, false, true, false]);
});

test("a draft that rests for a while is not being written", async () => {
  const chat = await browser.page({ prepare: (page) => page.clock.install().then(() => undefined) });
  await chat.post({ type: "host", state: "ready" });
  const script = three().task("Go.").ended("MAX_TURNS");
  await chat.post(script.opened(), {
    type: "presence",
    teamId: script.teamId,
    clients: [presentClient(ann, { isSelf: true }), presentClient(ben)],
  });
  await chat.page.getByRole("textbox").pressSequentially("Hm");
  await chat.page.clock.runFor(20_000);
  const told = (await chat.posted()).flatMap((message) => (message.type === "writing" ? [message.isWriting] : []));
  assert.deepEqual(told, [true, false]);
});

test("a user who comes back under another name is not said to join again", async () => {
  const script = three();
  script.durable({ type: "role/changed", user: { ...eva, name: "Eva Lang" }, role: "member", by: eva.id }).task("Go.");
  const chat = await browser.page();
  await chat.open(script);
  const rows = await chat.page.locator(".event-text").allInnerTexts();
  assert.deepEqual(rows, ["Ben Ortiz became the chair", "You joined as a member", "Eva Lang joined as a member"]);
});
