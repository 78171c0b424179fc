import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { interruptedTurn } from "./gallery/interrupt-states.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const button = (chat: ChatPageDriver, name: string) => chat.page.getByRole("button", { name, exact: true });

/** The author has written three words, and the tester's command is running. */
function runningTeam(): TeamScript {
  const script = new TeamScript("Release check", { kind: "graph" }).task("Is it ready?");
  script.durable(
    { type: "speaker/selected", participants: ["author", "tester"] },
    { type: "reasoning/start", id: "t-a", from: "author", input: "" },
    { type: "reasoning/start", id: "t-t", from: "tester", input: "" },
  );
  script.chunk(script.stream("author"), "One two three");
  return script.running("tester", "c1", "runCommand", { command: "npm test" });
}

function interruptedTeam(): TeamScript {
  const script = new TeamScript().task("Go.").say("reviewer", "First.");
  const id = script.startMessage("author");
  return script.chunk(id, "Half a").interrupt(id, "author", "Half a");
}

test("the preview shows who would be stopped, with their words so far, and what interrupting would do to each tool", async () => {
  const chat = await browser.page();
  const script = runningTeam();
  await chat.open(script);
  await button(chat, "Interrupt").hover();
  const preview = chat.page.getByRole("tooltip");
  assert.match(await seen(preview), /author \(3 words so far, kept\)[\s\S]*runCommand called by tester is running/);
  await chat.untilPosted("previewInterrupt");
  await chat.post({
    type: "interruptPreview",
    teamId: script.teamId,
    calls: { c1: "is stopped, and may have had effects already" },
  });
  assert.match(await seen(preview), /runCommand called by tester is stopped, and may have had effects already/);
  script.chunk(script.state.streaming[0]?.messageId ?? "", " four");
  await chat.live(script);
  assert.match(await seen(preview), /author \(4 words so far/);
  await chat.page.mouse.move(1, 1);
  assert.equal(await preview.count(), 0);
});

test("the preview also opens on keyboard focus, and Escape closes it", async () => {
  const chat = await browser.page();
  await chat.open(runningTeam());
  await button(chat, "Interrupt").focus();
  assert.equal(await chat.page.getByRole("tooltip").count(), 1);
  await chat.page.keyboard.press("Escape");
  assert.equal(await chat.page.getByRole("tooltip").count(), 0);
});

test("beside Interrupt is a button to choose what to stop, next in the tab order", async () => {
  const chat = await browser.page();
  await chat.open(runningTeam());
  await button(chat, "Interrupt").focus();
  await chat.page.keyboard.press("Tab");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("interruptWith"), { type: "interruptWith" });
});

test("a participant can be stopped beside its name, and a running call in its row", async () => {
  const chat = await browser.page();
  await chat.open(runningTeam());
  assert.equal(await button(chat, "Stop reviewer alone").count(), 0);
  await button(chat, "Stop only tester").press("Enter");
  await button(chat, "Stop runCommand").press("Enter");
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "interrupt"),
    [
      { type: "interrupt", scope: { participant: "tester" } },
      { type: "interrupt", scope: { ref: "c1" } },
    ],
  );
});

test("an interrupt that waits for the turn's end says so, and Stop Now stops immediately", async () => {
  const chat = await browser.page();
  const script = runningTeam();
  await chat.open(script);
  await chat.live(script.requestInterrupt({ grace: "turn" }));
  assert.match(await seen(chat.page.locator(".controls")), /Stopping after this turn…/);
  assert.ok((await chat.page.locator("[aria-live=polite] p").allInnerTexts()).includes("Stopping after this turn…"));
  assert.equal(await button(chat, "Interrupt").count(), 0);
  await button(chat, "Stop Now").press("Enter");
  assert.deepEqual(await chat.untilPosted("interrupt"), { type: "interrupt", grace: "now" });
});

test("Stop Now applies only to the participant whose interrupt waits, and the team can still be interrupted", async () => {
  const chat = await browser.page();
  const scope = { participant: "author" };
  await chat.open(runningTeam().requestInterrupt({ grace: "thought", scope }));
  assert.match(await seen(chat.page.locator(".controls")), /Stopping author after this thought…/);
  assert.equal(await button(chat, "Interrupt").isEnabled(), true);
  await button(chat, "Stop Now").click();
  assert.deepEqual(await chat.untilPosted("interrupt"), { type: "interrupt", grace: "now", scope });
});

test("the receipt is one line that Enter expands to what was stopped and what was kept", async () => {
  const chat = await browser.page();
  await chat.open(interruptedTurn());
  const row = chat.page.locator(".row-interrupt");
  assert.match(
    await seen(row),
    /You interrupted author and tester · kept 21 words from author · readFile was stopped, runCommand may have had side effects/,
  );
  await row.focus();
  await chat.page.keyboard.press("Enter");
  const details = await seen(row.locator(".receipt-details"));
  assert.match(details, /Requested by\s+You, immediately[\s\S]*readFile\s+called by tester, stopped \(it only reads\)/);
  assert.match(details, /Kept\s+4 messages and 1 waiting message[\s\S]*You can continue the run/);
});

test("a stopped call is shown as that, and its turn continues", async () => {
  const chat = await browser.page();
  const script = runningTeam().requestInterrupt({ scope: { ref: "c1" } });
  const at = "2026-03-02T10:40:00Z";
  const [requested] = script.events.slice(-1);
  const interruptId = requested?.type === "interrupt/requested" ? requested.interruptId : "";
  const tool = { ref: "c1", name: "runCommand", participant: "tester", mayHaveHadEffects: true };
  script.durable({
    type: "interrupt/completed",
    interruptId,
    wasRunning: true,
    severity: "pause",
    requestedAt: at,
    acknowledgedAt: at,
    quiescedAt: at,
    stopReason: null,
    partials: [],
    abandonedTools: [],
    status: "running",
    scope: { ref: "c1" },
    stopped: { participants: [], tools: [tool] },
  });
  await chat.open(script);
  assert.match(
    await seen(chat.page.locator(".row-interrupt")),
    /You stopped a tool call · runCommand may have had side effects/,
  );
  assert.equal(await button(chat, "Interrupt").isEnabled(), true);
});

test("a partial message can be continued, edited, dropped and forked by keyboard while the team is not running", async () => {
  const chat = await browser.page();
  const script = interruptedTeam();
  const messageId = script.state.thread.at(-1)?.id ?? "";
  await chat.open(script);
  for (const name of ["Continue (author)", "Edit (author)", "Drop (author)", "Fork here (author)"]) {
    await button(chat, name).press("Enter");
  }
  assert.deepEqual((await chat.posted()).slice(1), [
    { type: "run", text: "" },
    { type: "editPartial", messageId },
    { type: "dropPartial", messageId },
    { type: "fork" },
  ]);
  script.durable({ type: "run/started", cause: "run" });
  await chat.live(script);
  assert.equal(await button(chat, "Edit (author)").count(), 0);
});

test("an earlier partial message can only be edited or dropped, and an edited one says so", async () => {
  const chat = await browser.page();
  const script = interruptedTeam();
  const messageId = script.state.thread.at(-1)?.id ?? "";
  script.say("tester", "Second.").durable({ type: "message/edited", messageId, content: "All of it.", by: "me" });
  script.ended("Maximum number of messages 4 reached");
  await chat.open(script);
  assert.match(
    await seen(chat.page.locator(".message.is-partial")),
    /All of it\.\s+Interrupted here\. You edited the text\./,
  );
  assert.equal(await button(chat, "Drop (author)").count(), 1);
  assert.equal(await button(chat, "Fork here (author)").count(), 0);
});

test("a call that ran without asking says why in its details", async () => {
  const chat = await browser.page();
  await chat.open(interruptedTurn());
  await chat.page.getByRole("button", { name: /runCommand npm test/ }).click();
  await chat.page.getByText('Approved by a rule: The rule "npm test" allows this call.').waitFor();
});

test("an untrusted workspace has no actions that stop or change anything", async () => {
  const chat = await browser.page();
  await chat.open(runningTeam(), false);
  assert.equal(await chat.page.getByRole("button", { name: /Stop|Interrupt/ }).count(), 0);
  await chat.open(interruptedTeam(), false);
  assert.equal(await chat.page.getByRole("button", { name: /Edit|Drop|Fork|Continue/ }).count(), 0);
});
