import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const summarized = {
  type: "context/summarized" as const,
  participant: "author",
  summary: { text: "The user wants three\u202e poems.", through: { messageId: "m1" } },
  tokens: { before: 26_000, after: 12_500 },
};

test("a summarized context is a line whose summary can be read, and undone by keyboard while it holds", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Three poems.").say("author", "One.").durable(summarized);
  await chat.open(script);
  const line = chat.page.locator(".event-line", { hasText: "The context of author" });
  assert.match(await seen(line), /The context of author was summarized: about 26,000 tokens, now 12,500 · Undo/);

  const summary = chat.page.getByRole("button", { name: "Summary", exact: true });
  await summary.focus();
  await chat.page.keyboard.press("Enter");
  assert.match(await seen(chat.page.locator(".event-context")), /The user wants three⟨U\+202E⟩ poems\./);

  const undo = chat.page.getByRole("button", { name: "Undo: show author the messages themselves" });
  await undo.focus();
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "restoreContext"),
    [{ type: "restoreContext", to: "author" }],
  );

  script.durable({ type: "context/restored", participant: "author", by: "user" });
  await chat.live(script);
  await chat.page.getByText("author sees the messages again, without a summary").waitFor();
  assert.equal(await undo.count(), 0);
});

test("only the summary that holds can be undone, and so can a request for one", async () => {
  const chat = await browser.page();
  const later = { ...summarized, summary: { text: "All of it.", through: { messageId: "m2" } } };
  const script = new TeamScript().task("Three poems.").durable(summarized, later);
  await chat.open(script);
  const undo = chat.page.getByRole("button", { name: /^Undo: show author/ });
  assert.equal(await undo.count(), 1);
  script.durable({ type: "context/summaryRequested", participant: "author", by: "user" });
  await chat.live(script);
  await chat.page.getByText("The context of author will be summarized before its next turn").waitFor();
  assert.equal(await undo.count(), 1);
  assert.equal(await chat.page.getByRole("button", { name: /^Cancel: show author/ }).count(), 1);
});
