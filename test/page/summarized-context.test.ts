import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser, seen } from "./chat-page.ts";
import { summarizingTeam } from "./gallery/activity-states.ts";
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

test("a participant whose model writes a summary is summarizing, on its chip, in the bar and for a screen reader", async () => {
  const chat = await browser.page({ width: 900 });
  const script = summarizingTeam();
  await chat.open(script);
  const chip = chat.page.getByRole("button", { name: /^Message author · summarizing its context/ });
  assert.equal(await chip.locator(".activity-words").innerText(), "summarizing");
  await chat.page.locator(".activity", { hasText: "summarizes its context" }).waitFor();
  await chat.page.getByText("author is summarizing", { exact: true }).waitFor();
  assert.equal(await chat.page.getByRole("button", { name: /Interrupt Reasoning/ }).count(), 0);

  script.durable({
    type: "context/summarized",
    participant: "author",
    summary: { text: "Two are written.", through: { messageId: "m2" } },
    tokens: { before: 26_000, after: 12_500 },
  });
  await chat.live(script);
  await chat.page.getByRole("button", { name: /^Message author · thinking/ }).waitFor();
  assert.equal(await chat.page.getByText(/summariz(es|ing)/).count(), 0);
});

test("of several that think and summarize, the bar and the lanes say who does what", async () => {
  const chat = await browser.page({ width: 900 });
  const script = new TeamScript("Release check", { kind: "graph" }).task("Is 2.4 ready?");
  const all = ["author", "reviewer", "tester"];
  script.durable({ type: "speaker/selected", participants: all });
  for (const from of all) script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  for (const participant of ["author", "reviewer"]) script.durable({ type: "context/summarizing", participant });
  await chat.open(script);
  await chat.page.getByText("tester is thinking", { exact: true }).waitFor();
  const lane = (name: string) => chat.page.locator(".activity-lane", { hasText: name }).locator(".lane-doing");
  assert.equal(await lane("author").innerText(), "summarizing");
  assert.equal(await lane("tester").innerText(), "thinking…");
  script.durable({ type: "context/summarizing", participant: "tester" });
  await chat.live(script);
  await chat.page.getByText("author, reviewer, and tester are summarizing", { exact: true }).waitFor();
});
