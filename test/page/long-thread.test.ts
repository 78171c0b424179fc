import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../editor/harness/until.ts";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const names = ["author", "reviewer", "tester"] as const;

function talk(messages: number): TeamScript {
  const script = new TeamScript();
  for (let turn = 1; turn <= messages; turn++) {
    script.say(names[turn % 3] ?? "author", `Message ${turn}. ${"It has **some** words. ".repeat(turn % 7)}`);
  }
  return script;
}

const scrollTo = (chat: ChatPageDriver, top: number): Promise<void> =>
  chat.page.locator(".list").evaluate(
    (list, to) =>
      new Promise<void>((resolve) => {
        list.scrollTop = to < 0 ? list.scrollHeight : to * list.scrollHeight;
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
    top,
  );

/** The first visible row, and its distance from the list's top in pixels. */
const firstSeen = (chat: ChatPageDriver) =>
  chat.page.locator(".list").evaluate((list) => {
    const { top } = list.getBoundingClientRect();
    const row = [...list.querySelectorAll<HTMLElement>("[data-key]")].find(
      (one) => one.getBoundingClientRect().bottom > top,
    );
    return { key: row?.dataset["key"], offset: Math.round((row?.getBoundingClientRect().top ?? 0) - top) + 0 };
  });

test("5,000 messages render as few nodes as 100, at every scroll position", async (t) => {
  const chat = await browser.page();
  await chat.open(talk(100));
  const few = await chat.nodeCount();
  const script = talk(5000);
  script.durable({ type: "team/reset" });
  await chat.open(script);
  await chat.page.getByRole("button", { name: "Show Earlier Messages" }).click();
  const counts = [await chat.nodeCount()];
  for (const place of [0.5, 0.1, 0.9, 0, -1]) {
    await scrollTo(chat, place);
    assert.ok((await firstSeen(chat)).key !== undefined, "there is always something to see");
    counts.push(await chat.nodeCount());
  }
  t.diagnostic(`elements in the page: ${few} with 100 messages, at most ${Math.max(...counts)} with 5,000`);
  assert.ok(Math.max(...counts) < few * 3, `${counts} elements, ${few} with 100 messages`);
});

test("the list follows new text at the end, until the user scrolls up, and again after Jump to latest", async () => {
  const chat = await browser.page();
  const script = talk(60);
  const id = script.startMessage("author");
  await chat.open(script);
  const distance = () =>
    chat.page.locator(".list").evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
  const grow = async () => {
    script.chunk(id, "More words.\n\n".repeat(8));
    await chat.live(script);
  };
  await grow();
  assert.ok((await distance()) < 2);
  await chat.page.locator(".list").hover();
  await chat.page.mouse.wheel(0, -400);
  await chat.page.getByRole("button", { name: "Jump to latest" }).waitFor();
  const before = await firstSeen(chat);
  await grow();
  assert.deepEqual(await firstSeen(chat), before);
  await chat.page.getByRole("button", { name: "Jump to latest" }).click();
  await chat.page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "detached" });
  await grow();
  assert.ok((await distance()) < 2);
});

test("scrolling up requests earlier messages once, and adding them does not move what is on screen", async () => {
  const chat = await browser.page();
  const script = talk(400);
  await chat.open(script, true, 200);
  await scrollTo(chat, 0);
  const { before } = await chat.untilPosted("earlier");
  const page = script.before(before, 200);
  assert.equal(page.length, 200);
  const seen = await firstSeen(chat);
  await chat.post({ type: "earlier", teamId: script.teamId, events: page });
  assert.deepEqual(await firstSeen(chat), seen);
  assert.equal((await chat.posted()).filter(({ type }) => type === "earlier").length, 1);
  const keys = await chat.rows.evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset["key"]));
  assert.equal(new Set(keys).size, keys.length, "no message is shown twice");
});

test("a row that grows above the viewport does not move what is on screen", async () => {
  const chat = await browser.page();
  const script = talk(40);
  script.durable(
    { type: "tool/requested", participant: "author", calls: [{ ref: "c", name: "readFile", input: { path: "a" } }] },
    { type: "tool/started", ref: "c" },
  );
  for (let turn = 0; turn < 20; turn++) script.say("tester", "After it.");
  await chat.open(script);
  // By keyboard: rows that are measured for the first time can still move away under the mouse.
  await chat.page.getByRole("button", { name: /^readFile/ }).press("Enter");
  await chat.page.getByRole("button", { name: /readFile/, expanded: true }).waitFor();
  const height = async () => (await chat.page.locator(".row-tools").boundingBox())?.height ?? 0;
  const low = await height();
  await chat.page.locator(".row-tools").evaluate((row) => {
    const list = row.closest(".list");
    if (list !== null && row instanceof HTMLElement) list.scrollTop = row.offsetTop + row.offsetHeight + 20;
  });
  await chat.post();
  const before = await firstSeen(chat);
  script.transient({ type: "tool/output", ref: "c", delta: "a line of output\n".repeat(5) });
  await chat.live(script);
  await until("the row has grown", async () => ((await height()) > low + 30 ? true : undefined));
  assert.deepEqual(await firstSeen(chat), before);
});

test("a narrower page keeps the scroll position", async () => {
  const chat = await browser.page({ width: 900 });
  await chat.open(talk(300));
  await scrollTo(chat, 0.5);
  const { key } = await firstSeen(chat);
  await chat.page.setViewportSize({ width: 280, height: 700 });
  await chat.post();
  assert.equal((await firstSeen(chat)).key, key);
});
