import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPage, pageBrowser, seen } from "./chat-page.ts";
import { cutShort } from "./gallery-states.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const button = (chat: ChatPage, name: string) => chat.page.getByRole("button", { name, exact: true });

/** The author has said three words, and the tester's command is at work. */
function atWork(): TeamScript {
  const script = new TeamScript("Release check", { kind: "graph" }).task("Is it ready?");
  script.durable(
    { type: "speaker/selected", participants: ["author", "tester"] },
    { type: "reasoning/start", id: "t-a", from: "author", input: "" },
    { type: "reasoning/start", id: "t-t", from: "tester", input: "" },
  );
  script.chunk(script.stream("author"), "One two three");
  return script.running("tester", "c1", "runCommand", { command: "npm test" });
}

function halted(): TeamScript {
  const script = new TeamScript().task("Go.").say("reviewer", "First.");
  const id = script.begin("author");
  return script.chunk(id, "Half a").interrupt(id, "author", "Half a");
}

test("before one interrupts, one sees who would be stopped, how far they came and what the tools may have done", async () => {
  const chat = await browser.page();
  const script = atWork();
  await chat.open(script);
  await button(chat, "Interrupt").hover();
  const preview = chat.page.getByRole("tooltip");
  assert.match(await seen(preview), /author at 3 words, which are kept[\s\S]*runCommand of tester is at work/);
  await chat.untilPosted("previewInterrupt");
  await chat.tell({
    type: "interruptPreview",
    teamId: script.teamId,
    calls: { c1: "is stopped, and may have had effects already" },
  });
  assert.match(await seen(preview), /runCommand of tester is stopped, and may have had effects already/);
  script.chunk(script.state.streaming[0]?.messageId ?? "", " four");
  await chat.live(script);
  assert.match(await seen(preview), /author at 4 words/);
  await chat.page.mouse.move(1, 1);
  assert.equal(await preview.count(), 0);
});

test("the preview comes with the keyboard's focus too, and Escape puts it away", async () => {
  const chat = await browser.page();
  await chat.open(atWork());
  await button(chat, "Interrupt").focus();
  assert.equal(await chat.page.getByRole("tooltip").count(), 1);
  await chat.page.keyboard.press("Escape");
  assert.equal(await chat.page.getByRole("tooltip").count(), 0);
});

test("beside Interrupt stands the button that hands over to the choice of what to stop, the next one by Tab", async () => {
  const chat = await browser.page();
  await chat.open(atWork());
  await button(chat, "Interrupt").focus();
  await chat.page.keyboard.press("Tab");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("interruptWith"), { type: "interruptWith" });
});

test("one participant is stopped beside its name, and one running call where it stands", async () => {
  const chat = await browser.page();
  await chat.open(atWork());
  assert.equal(await button(chat, "Stop reviewer alone").count(), 0);
  await button(chat, "Stop tester alone").press("Enter");
  await button(chat, "Cut runCommand").press("Enter");
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "interrupt"),
    [
      { type: "interrupt", scope: { participant: "tester" } },
      { type: "interrupt", scope: { ref: "c1" } },
    ],
  );
});

test("an interrupt that waits for the turn's end says so, and Now stops at once", async () => {
  const chat = await browser.page();
  const script = atWork();
  await chat.open(script);
  await chat.live(script.asked({ grace: "turn" }));
  assert.match(await seen(chat.page.locator(".controls")), /Stopping after this turn…/);
  assert.ok((await chat.page.locator("[aria-live=polite] p").allInnerTexts()).includes("Stopping after this turn…"));
  assert.equal(await button(chat, "Interrupt").count(), 0);
  await button(chat, "Now").press("Enter");
  assert.deepEqual(await chat.untilPosted("interrupt"), { type: "interrupt", grace: "now" });
});

test("one participant's interrupt that waits is hurried alone, and the team can still be interrupted", async () => {
  const chat = await browser.page();
  const scope = { participant: "author" };
  await chat.open(atWork().asked({ grace: "thought", scope }));
  assert.match(await seen(chat.page.locator(".controls")), /Stopping author after this thought…/);
  assert.equal(await button(chat, "Interrupt").isEnabled(), true);
  await button(chat, "Now").click();
  assert.deepEqual(await chat.untilPosted("interrupt"), { type: "interrupt", grace: "now", scope });
});

test("the receipt is one line, and unfolds by Enter to what was stopped and what was kept", async () => {
  const chat = await browser.page();
  await chat.open(cutShort());
  const row = chat.page.locator(".row-interrupt");
  assert.match(
    await seen(row),
    /You interrupted author and tester · kept 21 words of author · readFile was cut, runCommand may have had effects/,
  );
  await row.focus();
  await chat.page.keyboard.press("Enter");
  const details = await seen(row.locator(".receipt-details"));
  assert.match(details, /Asked by\s+You, to stop at once[\s\S]*readFile\s+of tester, cut short; it only reads/);
  assert.match(details, /Kept\s+4 messages and 1 message waiting[\s\S]*The run can go on where it stood/);
});

test("a call that was cut alone is told as that, and its turn goes on", async () => {
  const chat = await browser.page();
  const script = atWork().asked({ scope: { ref: "c1" } });
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
    /You cut a tool call short · runCommand may have had effects/,
  );
  assert.equal(await button(chat, "Interrupt").isEnabled(), true);
});

test("what was cut off can be continued, edited, dropped and forked, by keyboard, while the team is at rest", async () => {
  const chat = await browser.page();
  const script = halted();
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

test("of what was cut off earlier only the text can be changed, and a message written anew says so", async () => {
  const chat = await browser.page();
  const script = halted();
  const messageId = script.state.thread.at(-1)?.id ?? "";
  script.say("tester", "Second.").durable({ type: "message/edited", messageId, content: "All of it.", by: "me" });
  script.ended("Maximum number of messages 4 reached");
  await chat.open(script);
  assert.match(
    await seen(chat.page.locator(".message.is-partial")),
    /All of it\.\s+Cut off here\. You have written it anew\./,
  );
  assert.equal(await button(chat, "Drop (author)").count(), 1);
  assert.equal(await button(chat, "Fork here (author)").count(), 0);
});

test("a call that ran without asking says why among its details", async () => {
  const chat = await browser.page();
  await chat.open(cutShort());
  await chat.page.getByRole("button", { name: /runCommand npm test/ }).click();
  await chat.page.getByText('Ran without asking: The rule "npm test" allows this call.').waitFor();
});

test("an untrusted workspace offers no way to stop or change anything", async () => {
  const chat = await browser.page();
  await chat.open(atWork(), false);
  assert.equal(await chat.page.getByRole("button", { name: /Stop|Cut|Interrupt/ }).count(), 0);
  await chat.open(halted(), false);
  assert.equal(await chat.page.getByRole("button", { name: /Edit|Drop|Fork|Continue/ }).count(), 0);
});
