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

/** The state that the editor stores for the page. */
const kept = (chat: ChatPageDriver): Promise<unknown> =>
  chat.page.evaluate(() => (window.acquireVsCodeApi as () => { getState(): unknown })().getState());

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

test("while the team is running the send button shows the delivery, and the choice is remembered", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.fill("@tester look");
  await chat.page.getByText("tester answers now, interrupting author").waitFor();
  assert.equal(await chat.page.getByRole("button", { name: "Send now, to tester" }).count(), 1);
  await chat.page.getByRole("radio", { name: "Now" }).focus();
  await chat.page.keyboard.press("ArrowRight");
  await chat.page.getByText("tester sees it at its next turn; no one is interrupted").waitFor();
  await chat.composer.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), { type: "send", to: "tester", text: "look", delivery: "steer" });
  await chat.composer.fill("@author and you");
  assert.deepEqual(await kept(chat), { delivery: "steer" });
  assert.equal(await chat.page.getByRole("radio", { name: "Steer" }).isChecked(), true);
});

test("a team that is not running has no delivery choice", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("@tester look");
  assert.equal(await chat.page.getByRole("radiogroup").count(), 0);
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
