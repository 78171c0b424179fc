import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_USAGE } from "../../shared/state/team-state.ts";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { everyActivity, LIMIT_END, waitingForLimit } from "./gallery/activity-states.ts";
import { LONG_NAME, manySpeakers } from "./many-speakers.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

/** How many lines a list of elements takes, and which of them are cut by the page's or the list's edge. */
const chipsAt = (chat: ChatPageDriver): Promise<{ lines: number; cut: string[]; height: number }> =>
  chat.page.locator(".participants").evaluate((list) => {
    const edge = list.getBoundingClientRect();
    const items = [...list.children].filter((item) => getComputedStyle(item).visibility !== "hidden");
    const boxes = items.map((item) => ({ text: item.textContent, box: item.getBoundingClientRect() }));
    return {
      lines: new Set(boxes.map(({ box }) => Math.round((box.top + box.bottom) / 2))).size,
      cut: boxes
        .filter(({ box }) => box.right > edge.right + 0.5 || box.bottom > edge.bottom + 0.5)
        .map(({ text }) => text),
      height: edge.height,
    };
  });

for (const [width, height] of [
  [170, 720],
  [250, 720],
  [430, 720],
  [900, 720],
  [900, 270],
] as const) {
  test(`chips and the speaking bar take two lines at ${width} × ${height}`, async () => {
    const chat = await browser.page({ width, height });
    await chat.open(manySpeakers());
    const { lines, cut, height: chips } = await chipsAt(chat);
    assert.ok(lines <= 2, `chips take ${lines} lines`);
    assert.ok(chips <= 60, `chips are ${chips} px high`);
    assert.deepEqual(cut, []);
    const bar = chat.page.locator(".activity-text");
    const [text, lineHeight] = await bar.evaluate((element) => [
      element.getBoundingClientRect().height,
      Number.parseFloat(getComputedStyle(element).lineHeight),
    ]);
    assert.ok(
      text !== undefined && lineHeight !== undefined && text <= 2 * lineHeight + 1,
      `the bar is ${text} px high`,
    );
    assert.equal(await bar.textContent(), "participant_1, participant_2, and 2 more are writing");
    assert.match((await bar.getAttribute("title")) ?? "", new RegExp(`${LONG_NAME} are writing$`));
    const names = await chat.page
      .locator(".speaker-line")
      .evaluateAll((all) => all.map((line) => line.scrollWidth - line.clientWidth));
    assert.deepEqual([...new Set(names)], [0], "a speaker's line is not cut");

    const more = chat.page.locator(".more-participants");
    const hidden = await chat.page.locator(".is-left-over").count();
    assert.equal(await more.count(), hidden > 0 ? 1 : 0);
    if (hidden === 0) return;
    assert.equal(await more.innerText(), `+${hidden}`);
    await more.press("Enter");
    assert.equal(await chat.page.getByRole("menuitem").count(), hidden);
    const name = (await chat.page.getByRole("menuitem").last().locator(".participant-name").innerText()).trim();
    await chat.page.getByRole("menuitem").last().press("Enter");
    assert.equal(await chat.composer.inputValue(), `@${name} `);
  });
}

test("a wider page shows more chips", async () => {
  const chat = await browser.page({ width: 430 });
  await chat.open(manySpeakers());
  const leftOver = chat.page.locator(".is-left-over");
  const narrow = await leftOver.count();
  assert.ok(narrow > 0);
  await chat.page.setViewportSize({ width: 900, height: 700 });
  await chat.post();
  assert.ok((await leftOver.count()) < narrow);
});

/** What the chips say, those in the menu not included. */
const saidByChips = (chat: ChatPageDriver): Promise<string[]> =>
  chat.page
    .locator(".participants > [data-chip]:not(.is-left-over) .participant")
    .evaluateAll((all) => all.map((chip) => (chip.textContent ?? "").trim()));

test("each chip says what its participant does, also at the same time and in nested teams", async () => {
  const chat = await browser.page({ width: 1100 });
  await chat.open(everyActivity());
  assert.deepEqual(await saidByChips(chat), [
    "planner thinking",
    "author writing",
    "tester calling runCommand +1",
    "research 2 active",
    "deployer approval needed",
    "reviewer",
  ]);
  const title = (name: string) => chat.page.getByRole("button", { name: `Message ${name}` }).getAttribute("title");
  assert.match((await title("tester")) ?? "", /^Message tester · calling runCommand, readFile · /);
  assert.match((await title("research")) ?? "", /^Message research · alice: thinking, bob: writing · /);
  assert.match((await title("deployer")) ?? "", /^Message deployer · approval needed: runCommand · /);
});

test("who waits for a rate limit is told by its chip and below the last message, with the time if that is known", async () => {
  const chat = await browser.page({ width: 1100 });
  const script = waitingForLimit();
  await chat.open(script);
  assert.deepEqual(await saidByChips(chat), ["planner rate limited", "author rate limited", "tester thinking"]);
  const time = new Date(LIMIT_END).toLocaleTimeString("en-US");
  const chip = chat.page.getByRole("button", { name: "Message planner" });
  const sentence = `waits for the rate limit of api.example.com until ${time}`;
  const limited = `Message planner · rate limited by api.example.com until ${time}`;
  assert.ok((await chip.getAttribute("title"))?.startsWith(limited));
  const doing = chat.page.locator(".activity-lane .lane-doing");
  assert.deepEqual(await doing.allTextContents(), [`rate limited until ${time}`, "rate limited", "thinking…"]);
  assert.equal(await doing.first().getAttribute("title"), `planner ${sentence}`);
  script.durable({ type: "model/waited", participant: "planner", endpoint: "api.example.com" });
  script.stream("author");
  await chat.live(script);
  assert.deepEqual(await saidByChips(chat), ["planner thinking", "author writing", "tester thinking"]);
});

test("a chip follows the events of its participant, and its button stays the same", async () => {
  const chat = await browser.page({ width: 900 });
  const script = new TeamScript().task("Go.");
  await chat.open(script);
  const chip = chat.page.getByRole("button", { name: "Message tester" });
  await chip.focus();
  const seenAfter = async (): Promise<string | null> => {
    await chat.live(script);
    assert.equal(await chip.evaluate((button) => button.matches(":focus")), true);
    return chip.textContent();
  };
  script.durable({ type: "reasoning/start", id: "turn-t", from: "tester", input: "" });
  assert.equal(await seenAfter(), "tester thinking");
  script.running("tester", "c1", "runCommand", { command: "npm test" });
  assert.equal(await seenAfter(), "tester calling runCommand");
  script.durable({
    type: "tool/executed",
    ref: "c1",
    name: "runCommand",
    participant: "tester",
    output: "",
    isError: false,
  });
  assert.equal(await seenAfter(), "tester thinking");
  script.stream("tester");
  assert.equal(await seenAfter(), "tester writing");
  script.durable(
    { type: "error", message: "The endpoint hung up.", participant: "tester", data: {} },
    { type: "run/ended", stopReason: null, status: { code: "error" }, usage: NO_USAGE },
  );
  assert.equal(await seenAfter(), "tester failed");
  script.durable({ type: "run/started", cause: "run" });
  assert.equal(await seenAfter(), "tester ");
});

for (const width of [170, 250, 430]) {
  test(`in ${width} px the chip of who waits for the user is shown, with an icon that says so`, async () => {
    const chat = await browser.page({ width });
    await chat.open(everyActivity());
    const chip = chat.page.getByRole("button", { name: "Message deployer" });
    assert.equal(await chip.evaluate((button) => getComputedStyle(button).visibility), "visible");
    assert.equal(await chip.locator(".codicon-shield").isVisible(), true);
  });
}

test("a long name of a tool is cut before the button that stops its call", async () => {
  for (const width of [170, 250, 430]) {
    const chat = await browser.page({ width });
    const script = new TeamScript().task("Go.");
    await chat.open(script.running("tester", "c1", `search_${"the_repository_".repeat(6)}`, { symbol: "total" }));
    const [name, stop] = await Promise.all(
      [".tool-name", ".stop-call"].map((part) =>
        chat.page.locator(part).evaluate((box) => box.getBoundingClientRect()),
      ),
    );
    assert.ok(name !== undefined && stop !== undefined && name.right <= stop.left, `${name?.right} at ${width} px`);
  }
});
