import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

function running(): TeamScript {
  const script = new TeamScript().task("Go.");
  script.chunk(script.startMessage("author"), "Well");
  return script;
}

const queue = async (chat: ChatPageDriver) => (await chat.posted()).filter(({ type }) => type === "queue");
const focused = (chat: ChatPageDriver): Promise<string | null> =>
  chat.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null);

test("waiting messages are above the composer with addressee, time and text, until they are delivered", async () => {
  const chat = await browser.page();
  const script = running()
    .queueMessage("tester", "Run it again.", { delivery: "steer" })
    .queueMessage("reviewer", "Is it right?", { visibility: "target" });
  await chat.open(script);
  const waiting = chat.page.getByRole("region", { name: "Waiting messages: 2" }).getByRole("listitem");
  assert.match(await seen(waiting.first()), /tester\s+at its next turn\s+Run it again\./);
  assert.match(await seen(waiting.last()), /reviewer\s+after this run\s+visible only to reviewer\s+Is it right\?/);
  const id = script.state.queued[0]?.id ?? "";
  await chat.live(script.durable({ type: "userMessage/delivered", id, to: "tester" }));
  assert.deepEqual(await chat.page.locator(".waiting-text").allInnerTexts(), ["Is it right?"]);
});

test("a message that waits when the run is over says that the next run delivers it", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const id = script.startMessage("author");
  script.chunk(id, "Well").queueMessage("reviewer", "Is it right?");
  await chat.open(script);
  const waiting = chat.page.getByRole("listitem", { name: /Is it right/ });
  assert.match(await seen(waiting), /after this run/);
  await chat.live(script.interrupt(id, "author", "Well"));
  await chat.live(script.paused("USER_INTERRUPT"));
  assert.match(await seen(waiting), /reviewer\s+at the next run\s+Is it right\?/);
});

test("Alt with the arrow keys moves a waiting message, announces its position, and keeps the focus on it", async () => {
  const chat = await browser.page();
  const script = running()
    .queueMessage("author", "One.")
    .queueMessage("reviewer", "Two.")
    .queueMessage("tester", "Three.");
  await chat.open(script);
  const [one = "", two = "", three = ""] = script.state.queued.map(({ id }) => id);
  await chat.page.getByRole("listitem", { name: /Three\./ }).focus();
  await chat.page.keyboard.press("Alt+ArrowUp");
  assert.deepEqual(await queue(chat), [{ type: "queue", order: [one, three, two] }]);
  await chat.live(script.durable({ type: "userMessage/reordered", ids: [one, three, two] }));
  assert.equal(await focused(chat), "To tester, after this run: Three.");
  assert.ok(
    (await chat.page.locator("[aria-live=polite] p").allInnerTexts()).includes(
      "Message to tester moved to position 2 of 3",
    ),
  );
  await chat.page.getByRole("button", { name: "Move down (Alt+↓): message to tester" }).press("Enter");
  assert.deepEqual((await queue(chat)).at(-1), { type: "queue", order: [one, two, three] });
  await chat.live(script.durable({ type: "userMessage/reordered", ids: [one, two, three] }));
  assert.equal(await focused(chat), "Move down (Alt+↓): message to tester");
  await chat.page.getByRole("listitem", { name: /One\./ }).press("Alt+ArrowDown");
  await chat.live(script.durable({ type: "userMessage/reordered", ids: [two, one, three] }));
  assert.equal(await focused(chat), "To author, after this run: One.");
  await chat.page.keyboard.press("Alt+ArrowDown");
  await chat.live(script.durable({ type: "userMessage/reordered", ids: [two, three, one] }));
  assert.equal(await focused(chat), "To author, after this run: One.");
  await chat.page.getByRole("listitem", { name: /Two\./ }).press("Alt+ArrowUp");
  assert.equal((await queue(chat)).length, 4, "the first one stays");
});

test("a waiting message is edited in place: Enter saves, Escape cancels, and the focus returns", async () => {
  const chat = await browser.page();
  const script = running().queueMessage("tester", "Run it.");
  await chat.open(script);
  const id = script.state.queued[0]?.id ?? "";
  await chat.page.getByRole("button", { name: "Edit: message to tester" }).press("Enter");
  await chat.page.getByRole("textbox", { name: /^Message to tester\./ }).waitFor();
  assert.match((await focused(chat)) ?? "", /^Message to tester/);
  await chat.page.keyboard.type(" Now.");
  await chat.page.keyboard.press("Escape");
  assert.deepEqual(await queue(chat), []);
  await chat.page.getByRole("button", { name: "Edit: message to tester" }).press("Enter");
  await chat.page.keyboard.press("End");
  await chat.page.keyboard.type(" Twice.");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await queue(chat), [{ type: "queue", edit: { id, text: "Run it. Twice." } }]);
  await chat.live(script.durable({ type: "userMessage/edited", id, to: "tester", messages: ["Run it. Twice."] }));
  assert.equal(await focused(chat), "To tester, after this run: Run it. Twice.");
});

test("unsaved text of a message that is delivered moves to the composer", async () => {
  const chat = await browser.page();
  const script = running().queueMessage("tester", "Run it.");
  await chat.open(script);
  const id = script.state.queued[0]?.id ?? "";
  await chat.page.getByRole("button", { name: "Edit: message to tester" }).click();
  await chat.page.getByRole("textbox", { name: /Message to tester/ }).fill("Run it twice.");
  await chat.live(script.durable({ type: "userMessage/delivered", id, to: "tester" }));
  assert.equal(await chat.composer.inputValue(), "@tester Run it twice.");
});

test("unsaved text of a message is put before what the composer holds, and stays with its team", async () => {
  const chat = await browser.page();
  const script = running().queueMessage("tester", "Run it.");
  await chat.open(script);
  const edit = async (text: string) => {
    await chat.page.getByRole("button", { name: "Edit: message to tester" }).click();
    await chat.page.getByRole("textbox", { name: /Message to tester/ }).fill(text);
  };
  await chat.composer.fill("and then");
  await edit("Run it twice.");
  const opened = script.opened();
  await chat.post({ ...opened, snapshot: { ...opened.snapshot, teamId: "team-2", queued: [] } });
  assert.deepEqual(await chat.untilPosted("restoreDraft"), {
    type: "restoreDraft",
    teamId: "team-1",
    draft: { text: "@tester Run it twice.", attachments: [] },
  });
  assert.equal(await chat.composer.inputValue(), "");
  await chat.post({ ...opened, draft: { text: "and then", attachments: [] } });
  await edit("Run it twice.");
  const id = script.state.queued[0]?.id ?? "";
  await chat.live(script.durable({ type: "userMessage/delivered", id, to: "tester" }));
  assert.equal(await chat.composer.inputValue(), "@tester Run it twice.\nand then");
});

test("a waiting message can be withdrawn", async () => {
  const chat = await browser.page();
  const script = running().queueMessage("tester", "Run it.");
  await chat.open(script);
  await chat.page.getByRole("button", { name: "Withdraw: message to tester" }).press("Enter");
  const id = script.state.queued[0]?.id ?? "";
  assert.deepEqual(await queue(chat), [{ type: "queue", withdraw: id }]);
  await chat.live(script.durable({ type: "userMessage/withdrawn", id, to: "tester" }));
  assert.equal(await chat.page.locator(".waiting").count(), 0);
});

test("while the team is running the send button says what Enter does, as the setting says", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.post({ type: "settings", whileRunning: "queue", offeredModels: [] });
  await chat.composer.fill("@tester look");
  await chat.page.getByText("tester sees it after this run").waitFor();
  await chat.page.getByRole("button", { name: "Queue, to tester" }).waitFor();
  await chat.composer.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), { type: "send", to: "tester", text: "look", delivery: "queue" });
});

test("the other ways to send have a menu and keys", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.fill("@tester look");
  const more = chat.page.getByRole("button", { name: "More ways to send" });
  await more.focus();
  await chat.page.keyboard.press("Enter");
  const ways = chat.page.getByRole("menuitem");
  assert.deepEqual(await ways.locator(".delivery-name").allInnerTexts(), ["Steer", "Queue", "Stop and Send"]);
  assert.deepEqual(await ways.locator(".delivery-key").allInnerTexts(), ["Enter", "Alt+Enter", "Ctrl+Enter"]);
  await chat.page.keyboard.press("Escape");
  assert.equal(await ways.count(), 0);
  assert.equal(await chat.composer.inputValue(), "@tester look");
  await more.click();
  await chat.page.keyboard.press("ArrowDown");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), { type: "send", to: "tester", text: "look", delivery: "queue" });
  await chat.composer.fill("@tester now");
  await chat.composer.press("Control+Enter");
  await chat.composer.fill("@tester later");
  await chat.composer.press("Alt+Enter");
  const sent = (await chat.posted()).flatMap((message) => (message.type === "send" ? [message.delivery] : []));
  assert.deepEqual(sent, ["queue", "now", "queue"]);
});

test("a team that is not running has no delivery choice", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("@tester look");
  assert.equal(await chat.page.getByRole("button", { name: "More ways to send" }).count(), 0);
  assert.equal(await chat.page.getByRole("button", { name: "Send to tester" }).count(), 1);
});

test("a message visible only to its addressee is sent as such once, and is marked in the thread", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  await chat.open(script.say("author", "Done.").ended(null));
  await chat.composer.fill("@tester between us");
  await chat.page.getByRole("checkbox", { name: "Visible only to tester" }).press("Space");
  await chat.composer.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), {
    type: "send",
    to: "tester",
    text: "between us",
    onlyTarget: true,
  });
  await chat.composer.fill("@tester and again");
  assert.equal(await chat.page.getByRole("checkbox", { name: "Visible only to tester" }).isChecked(), false);
  const metadata = { to: "tester", visibility: "target" };
  await chat.live(script.message(USER, { type: "UserTextMessage", content: "between us", metadata }));
  assert.match(await seen(chat.rows.last()), /Visible only to tester[\s\S]*between us/);
  assert.match((await chat.rows.last().getAttribute("aria-label")) ?? "", /visible only to tester/);
});
