import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const models = {
  fast: { provider: "openai", model: "gpt-5-mini" },
  deep: { provider: "openai", model: "gpt-5" },
} as const;

const participants = [
  { name: "author", model: "fast" },
  { name: "reviewer", model: "fast" },
];

/** The model of each message, as a screen reader describes it. */
const described = (chat: ChatPageDriver): Promise<string[]> =>
  chat.rows.evaluateAll((rows) =>
    rows
      .filter((row) => row.classList.contains("row-message"))
      .map((row) => `${row.textContent?.match(/Text \w+/)?.[0]}: ${row.getAttribute("aria-description")}`),
  );

test("each message tells which model wrote it, also after the user has chosen others", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Code review", { models, participants });
  script.task("Text zero").say("author", "Text one").say("reviewer", "Text two");
  script.durable({ type: "model/chosen", participant: "author", model: "deep", by: "u" });
  script.say("author", "Text three").say("reviewer", "Text four");
  script.durable({ type: "model/chosen", model: { provider: "anthropic", model: "claude-opus" }, by: "u" });
  script.say("author", "Text five");
  script.durable({ type: "model/chosen", model: null, by: "u" });
  await chat.open(script);
  script.say("author", "Text six");
  script.chunk(script.startMessage("reviewer"), "Text seven");
  await chat.live(script);
  assert.deepEqual(await described(chat), [
    "Text zero: null",
    "Text one: Model: gpt-5-mini",
    "Text two: Model: gpt-5-mini",
    "Text three: Model: gpt-5",
    "Text four: Model: gpt-5-mini",
    "Text five: Model: claude-opus",
    "Text six: Model: gpt-5-mini",
    "Text seven: Model: gpt-5-mini",
  ]);
  const header = chat.rows.filter({ hasText: "Text three" }).locator(".speaker-line");
  await header.locator(".speaker-name").hover();
  assert.equal(await header.getAttribute("title"), "author\nModel: gpt-5");
});

test("what was chosen before the loaded events is told once these are loaded, and not guessed", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Code review", { models, participants });
  script.durable({ type: "model/chosen", participant: "author", model: "deep", by: "u" }).say("author", "Text one");
  const earlier = script.take();
  script.say("author", "Text two").say("reviewer", "Text three");
  script.durable({ type: "model/chosen", participant: "author", model: "fast", by: "u" }).say("author", "Text four");
  await chat.open(script, true, script.events.length - earlier.length);
  assert.deepEqual(await described(chat), [
    "Text two: null",
    "Text three: Model: gpt-5-mini",
    "Text four: Model: gpt-5-mini",
  ]);
  await chat.post({ type: "earlier", teamId: script.teamId, events: earlier });
  assert.deepEqual((await described(chat)).slice(0, 3), [
    "Text one: Model: gpt-5",
    "Text two: Model: gpt-5",
    "Text three: Model: gpt-5-mini",
  ]);
});

test("a participant without a model of its own names the one that is set for all teams", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().say("author", "Text one"));
  assert.deepEqual(await described(chat), ["Text one: null"]);
  await chat.post({ type: "settings", whileRunning: "steer", presetModel: "Acme Large", offeredModels: [] });
  assert.deepEqual(await described(chat), ["Text one: Model: the one set for all teams, now Acme Large"]);
});

test("the model of a participant of a nested team follows choices for it, for its team and for the whole team", async () => {
  const chat = await browser.page();
  const team = { name: "Critics", kind: "roundRobin" as const, participants: [{ name: "carol", model: "fast" }] };
  const script = new TeamScript("Code review", {
    models,
    participants: [
      { name: "author", model: "fast" },
      { name: "critics", kind: "team", team },
    ],
  });
  const within = (text: string) => script.inNestedTeam(["critics"], (inner) => void inner.say("carol", text));
  within("Text one");
  script.durable({ type: "model/chosen", participant: "critics", model: "deep", by: "u" });
  within("Text two");
  script.inNestedTeam(["critics"], (inner) => {
    inner.durable({ type: "model/chosen", participant: "carol", model: { provider: "practice" }, by: "u" });
  });
  within("Text three");
  await chat.open(script);
  assert.deepEqual(await described(chat), [
    "Text one: Model: gpt-5-mini",
    "Text two: Model: gpt-5",
    "Text three: Model: Practice",
  ]);
});

test("a message of a fallback tells its own model, until the next turn, and a row says why", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Code review", { models, participants });
  script.say("author", "Text one").durable(
    { type: "reasoning/start", id: "two", from: "author", input: "" },
    {
      type: "model/fallback",
      participant: "author",
      from: { provider: "openai", name: "gpt-5-mini" },
      to: { provider: "anthropic", name: "claude-haiku" },
      reason: "api.openai.com answered 503",
    },
  );
  script.message("author", { type: "TextMessage", content: "Text two" });
  script.say("reviewer", "Text three").say("author", "Text four");
  await chat.open(script);
  assert.deepEqual(await described(chat), [
    "Text one: Model: gpt-5-mini",
    "Text two: Model: claude-haiku",
    "Text three: Model: gpt-5-mini",
    "Text four: Model: gpt-5-mini",
  ]);
  const row = chat.rows.filter({ hasText: "instead of" });
  assert.match(
    (await row.textContent()) ?? "",
    /claude-haiku answers for author instead of gpt-5-mini: api\.openai\.com answered 503/,
  );
});

test("messages of a fork tell the models that wrote them, and a message that tells its own is believed", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Code review", { models, participants });
  const message = (source: string, content: string, model?: { provider: string; name: string }) => ({
    kind: "message" as const,
    message: {
      id: content,
      type: "TextMessage" as const,
      source,
      content,
      createdAt: "2026-01-01T00:00:00.000Z",
      ...(model === undefined ? {} : { model }),
    },
  });
  script.durable({
    type: "state/loaded",
    state: {
      schemaVersion: 2,
      team: { name: script.state.name, kind: "roundRobin", participants: ["author", "reviewer"] },
      transcript: [
        message("author", "Text one", { provider: "openai", name: "gpt-5" }),
        message("reviewer", "Text two", { provider: "anthropic", name: "claude\u202e-opus" }),
        message("author", "Text three"),
      ],
      pendingTools: [],
      queued: [],
      openTurns: [],
      lastSpeaker: null,
      turn: 0,
      usage: { prompt: 0, completion: 0, total: 0 },
      interrupted: false,
      conditionMessages: 0,
    },
  });
  script.message("author", { type: "TextMessage", content: "Text four", model: { provider: "openai", name: "o9" } });
  script.say("reviewer", "Text five");
  await chat.open(script);
  assert.deepEqual(await described(chat), [
    "Text one: Model: gpt-5",
    "Text two: Model: claude⟨U+202E⟩-opus",
    "Text three: null",
    "Text four: Model: o9",
    "Text five: Model: gpt-5-mini",
  ]);
});
