import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

/** A thread in which every tenth message has a heron in it. */
function talk(messages: number): TeamScript {
  const script = new TeamScript().task("Look for birds.");
  for (let at = 1; at <= messages; at++)
    script.say("author", at % 10 === 0 ? `Number ${at}: a **grey** Heron stands there.` : `Number ${at}: nothing.`);
  return script;
}

const widget = (chat: ChatPageDriver) => chat.page.getByRole("search", { name: "Find in thread" });
const count = (chat: ChatPageDriver, text: string) => widget(chat).getByText(text, { exact: true }).waitFor();

/** The text of the current match with what follows it, once it is in view. */
const currentLine = (chat: ChatPageDriver): Promise<string> =>
  chat.page
    .waitForFunction(() => {
      const [range] = [...(CSS.highlights.get("gavel-find-current") ?? [])];
      const view = document.querySelector(".list")?.getBoundingClientRect();
      if (!(range instanceof Range) || view === undefined) return null;
      const { top, bottom } = range.getBoundingClientRect();
      const isSeen = top >= view.top && bottom <= view.bottom;
      return isSeen ? range.startContainer.parentElement?.closest("[data-key]")?.textContent : null;
    })
    .then((found) => found.jsonValue())
    .then((text) => /Number \d+|No match/.exec(text ?? "No match")?.[0] ?? "");

async function find(chat: ChatPageDriver, text: string): Promise<void> {
  await chat.page.keyboard.press("Control+f");
  await widget(chat).getByRole("textbox").waitFor();
  await chat.page.keyboard.type(text);
}

test("Ctrl+F finds text in rows that are not rendered; Enter, Shift+Enter and F3 go through the matches", async () => {
  const chat = await browser.page();
  await chat.open(talk(300));
  await chat.page.locator(".list").focus();
  await chat.page.keyboard.press("Home");
  await chat.page.getByText("Look for birds.").waitFor();
  await chat.composer.focus();
  await find(chat, "grey heron");
  await count(chat, "1 of 30");
  assert.equal(await currentLine(chat), "Number 10");
  await chat.page.keyboard.press("Shift+Enter");
  await count(chat, "30 of 30");
  assert.equal(await currentLine(chat), "Number 300");
  await chat.page.keyboard.press("Enter");
  await count(chat, "1 of 30");
  assert.equal(await currentLine(chat), "Number 10");
  await chat.page.keyboard.press("F3");
  await count(chat, "2 of 30");
  assert.equal(await currentLine(chat), "Number 20");
  await chat.page.keyboard.press("Shift+F3");
  await count(chat, "1 of 30");
  await chat.page.keyboard.press("Escape");
  await widget(chat).waitFor({ state: "detached" });
  assert.equal(await chat.composer.evaluate((box) => box === document.activeElement), true);
  assert.equal(await chat.page.evaluate(() => CSS.highlights.size), 0);
});

test("Match Case tells Heron from heron, and what is not there is said", async () => {
  const chat = await browser.page();
  await chat.open(talk(20));
  await find(chat, "heron");
  await count(chat, "1 of 2");
  await chat.page.keyboard.press("Alt+c");
  await count(chat, "No results");
  assert.equal(await widget(chat).getByRole("button", { name: "Match case" }).getAttribute("aria-pressed"), "true");
  await widget(chat).getByRole("button", { name: "Match case" }).click();
  await count(chat, "1 of 2");
});

test("earlier parts of the thread are loaded while something is looked for", async () => {
  const chat = await browser.page();
  const script = talk(400);
  await chat.open(script, true, 200);
  await find(chat, "heron");
  const { before } = await chat.untilPosted("earlier");
  await widget(chat)
    .getByText(/^\d+ of \d+\+$/)
    .waitFor();
  await chat.post({ type: "earlier", teamId: script.teamId, events: script.before(before, 10_000) });
  await widget(chat)
    .getByText(/^\d+ of 40$/)
    .waitFor();
  assert.match(await currentLine(chat), /^Number (2|3|4)\d0$/);
});

test("a match in a collapsed tool call or nested team expands what hides it", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  script.durable(
    {
      type: "tool/requested",
      participant: "author",
      calls: [{ ref: "r1", name: "readFile", input: { path: "a.txt" } }],
    },
    { type: "tool/started", ref: "r1" },
    {
      type: "tool/executed",
      participant: "author",
      ref: "r1",
      name: "readFile",
      output: "one\ntwo kingfishers",
      isError: false,
    },
  );
  script.say("author", "Done.");
  await chat.open(script);
  await find(chat, "kingfishers");
  await count(chat, "1 of 1");
  await chat.page.getByText("two kingfishers").waitFor();
});

test("what arrives while the widget is open is found too, and the current match stays", async () => {
  const chat = await browser.page();
  const script = talk(20);
  await chat.open(script);
  await find(chat, "heron");
  await count(chat, "1 of 2");
  script.say("reviewer", "Another heron.");
  await chat.live(script);
  await count(chat, "1 of 3");
});

test("the widget fits at every width and in every theme", async () => {
  for (const width of [170, 250, 430, 900]) {
    const chat = await browser.page({ width });
    await chat.open(talk(20));
    await find(chat, "heron");
    await count(chat, "1 of 2");
    const box = await widget(chat).boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width);
    const sizes = await chat.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.equal(sizes[0], sizes[1]);
    assert.deepEqual(await chat.violations(), []);
  }
});

test("a thread that is opened at a message shows it, also where it is in an earlier part", async () => {
  const chat = await browser.page();
  const script = talk(400);
  const early = script.events.find(
    (event) => event.type === "message/added" && `${event.message.content}`.includes("Number 20:"),
  );
  assert.ok(early?.type === "message/added");
  await chat.post({ type: "host", state: "ready" }, script.opened(true, 200));
  await chat.post({ type: "find", query: "heron", messageId: early.message.id });
  const { before } = await chat.untilPosted("earlier");
  await chat.post({ type: "earlier", teamId: script.teamId, events: script.before(before, 10_000) });
  await count(chat, "2 of 40");
  assert.equal(await currentLine(chat), "Number 20");
});

test("a thread that was loaded, as a fork is, opens at a message of it; a line break is found as a space", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  const message = (id: string, content: string) =>
    ({
      kind: "message",
      message: { id, type: "TextMessage", source: "author", content, createdAt: "2026-01-01T00:00:00.000Z" },
    }) as const;
  const lines = Array.from({ length: 60 }, (_, at) => message(`m${at}`, `Number ${at}: a grey\nHeron stands there.`));
  script.durable({
    type: "state/loaded",
    state: {
      schemaVersion: 2,
      team: { name: script.state.name, kind: "roundRobin", participants: ["author"] },
      transcript: lines,
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
  await chat.open(script);
  await chat.post({ type: "find", query: "grey heron", messageId: "m10" });
  await count(chat, "11 of 60");
  assert.equal(await currentLine(chat), "Number 10");
});
