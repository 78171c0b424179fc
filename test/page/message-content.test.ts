import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

/** A picture of one dot, as a data URI. */
const DOT =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a structured answer is shown as keys and values, and copied as JSON", async () => {
  const chat = await browser.page();
  const content = { severity: "high", ok: false, findings: [{ file: "a.ts", line: 4 }], none: null };
  await chat.open(new TeamScript().message("tester", { type: "StructuredMessage", content }));
  const tree = chat.page.locator(".value-tree");
  const terms = await tree.locator("dt").allInnerTexts();
  assert.deepEqual(terms, ["severity", "ok", "findings", "file", "line", "none"]);
  assert.match(await seen(tree), /severity\s+high\s+ok\s+false\s+findings\s+file\s+a\.ts\s+line\s+4\s+none\s+null/);
  await tree.getByRole("button", { name: "Copy structured answer as JSON" }).click();
  assert.deepEqual(await chat.untilPosted("copy"), { type: "copy", text: JSON.stringify(content, null, 2) });
});

test("a structured answer with thousands of values renders few nodes, and is copied whole", async () => {
  const chat = await browser.page();
  const rows = Array.from({ length: 5000 }, (_, row) => ({ row, text: "x".repeat(20) }));
  const content = { rows, byName: Object.fromEntries(rows.map((value) => [`row ${value.row}`, value])) };
  await chat.open(new TeamScript().message("tester", { type: "StructuredMessage", content }));
  await chat.page.getByText("4,940 more. Copy to see all.").first().waitFor();
  assert.ok((await chat.nodeCount()) < 1500);
  await chat.page.getByRole("button", { name: "Copy structured answer as JSON" }).click();
  assert.equal((await chat.untilPosted("copy")).text, JSON.stringify(content, null, 2));
});

test("an answer that is not an object is shown without its wrapper", async () => {
  const chat = await browser.page();
  const message = {
    type: "StructuredMessage" as const,
    content: { value: ["one", "two"] },
    metadata: { wrapped: true },
  };
  await chat.open(new TeamScript().message("tester", message));
  assert.deepEqual(await chat.page.locator(".value-list > li").allInnerTexts(), ["one", "two"]);
  assert.equal(await chat.page.locator(".value-tree dt").count(), 0);
});

test("images within a message are shown, others are shown by name and not fetched", async () => {
  const chat = await browser.page();
  const own = new URL("/", chat.page.url()).href;
  const requests: string[] = [];
  chat.page.on("request", (request) => requests.push(request.url()));
  await chat.open(
    new TeamScript()
      .message(USER, {
        type: "MultiModalMessage",
        content: [
          { type: "text", text: "See:" },
          { type: "image", uri: DOT },
        ],
      })
      .message("tester", {
        type: "MultiModalMessage",
        content: [
          { type: "text", text: "It is **red**." },
          { type: "image", uri: "https://evil.example/a/pixel.png?id=1" },
          { type: "image", uri: "data:text/html,<script>window.pwned=1</script>", mimeType: "image/png" },
          { type: "image", uri: "javascript:window.pwned=1" },
        ],
      }),
  );
  const [image] = await chat.page.getByRole("img").all();
  assert.equal(await image?.getAttribute("alt"), `Image (image/png), from ${USER}`);
  assert.equal(await image?.evaluate((one) => (one as HTMLImageElement).naturalWidth), 1);
  assert.equal(await chat.page.locator("img").count(), 1);
  assert.match(await seen(chat.rows.last()), /It is red\.[\s\S]*pixel\.png[\s\S]*Image \(image\/png\)/);
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(own) && url !== DOT),
    [],
  );
  assert.equal(await chat.page.evaluate(() => "pwned" in window), false);
  assert.deepEqual(await chat.violations(), []);
});

test("an image file is loaded from the URI that the extension gives, and shown by name when there is none", async () => {
  const chat = await browser.page();
  const uri = "file:///project/my%20cart.png";
  const content = [{ type: "image" as const, uri }];
  await chat.open(new TeamScript().message("tester", { type: "MultiModalMessage", content }));
  assert.deepEqual(await chat.untilPosted("image"), { type: "image", uri });
  assert.equal(await chat.page.locator("img").count(), 0);
  await chat.post({ type: "image", uri, source: DOT });
  assert.equal(await chat.page.locator("img").getAttribute("alt"), "my cart.png, from tester");
  await chat.post({ type: "image", uri, source: null });
  assert.equal(await chat.page.locator("img").count(), 0);
  assert.match(await seen(chat.rows.last()), /my cart\.png/);
  assert.equal((await chat.posted()).filter(({ type }) => type === "image").length, 1);
});

test("a handoff names both participants, and expands to the tool results that it gives", async () => {
  const chat = await browser.page();
  const context = [{ name: "readFile", input: { path: "a.ts" }, output: "let a = 1;", isError: false }];
  const script = new TeamScript()
    .durable({ type: "handoff", from: "author", to: "tester" })
    .message("author", { type: "HandoffMessage", content: "Please test.", metadata: { target: "tester", context } });
  await chat.open(script);
  assert.match(await seen(chat.page.locator(".row-handoff")), /author\s+handed off to\s+tester\s+Please test\./);
  await chat.page.getByRole("button", { name: "With 1 tool result" }).click();
  assert.match(await seen(chat.page.locator(".event-context")), /readFile a\.ts\s+let a = 1;/);
});

test("the orchestrator of a Magentic team is neither a participant nor the user", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Plan", { kind: "magentic" }).message("orchestrator", {
    type: "TextMessage",
    content: "The tester goes first.",
  });
  await chat.open(script);
  assert.match(await seen(chat.rows.last()), /orchestrator[\s\S]*The tester goes first\./);
  assert.match((await chat.rows.last().getAttribute("aria-label")) ?? "", /^orchestrator, /);
  assert.equal(await chat.page.locator(".user-text").count(), 0);
});

test("tokens and cost are shown for the message, the run and the team", async () => {
  const chat = await browser.page();
  const usage = { prompt: 1000, completion: 234, total: 1234, cost: 0.0123 };
  const script = new TeamScript().task("Go.").message("author", { type: "TextMessage", content: "Done.", usage });
  await chat.open(script.durable({ type: "run/ended", stopReason: null, status: { code: "success" }, usage }));
  const chip = chat.page.locator(".message-usage");
  const visibility = () => chip.evaluate((one) => getComputedStyle(one).opacity);
  await chat.page.mouse.move(0, 0);
  assert.equal(await visibility(), "0");
  await chat.page.getByText("Done.").hover();
  await chat.page.waitForFunction(() => {
    const shown = document.querySelector(".message-usage");
    return shown !== null && getComputedStyle(shown).opacity === "1";
  });
  assert.equal(await seen(chip), "1.2k tokens · $0.012");
  assert.match(await seen(chat.page.locator(".row-runEnd")), /Finished\s*1\.2k tokens · \$0\.012/);
  assert.equal(await seen(chat.page.locator(".tokens")), "1.2k tokens · $0.012");
});

test("participants that speak at the same time have their own messages, and the controls name them all", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Check", { kind: "graph" }).task("Go.");
  script.durable({ type: "speaker/selected", participants: ["author", "reviewer"] });
  for (const from of ["author", "reviewer"]) {
    script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  }
  const [first, second] = [script.stream("author"), script.stream("reviewer")];
  await chat.open(script);
  script.chunk(first, "The log").chunk(second, "Two reviews").chunk(first, " is fine.");
  await chat.live(script);
  assert.match(await seen(chat.page.locator(`[data-key=${first}]`)), /author[\s\S]*The log is fine\./);
  assert.match(await seen(chat.page.locator(`[data-key=${second}]`)), /reviewer[\s\S]*Two reviews/);
  await chat.page.getByText("author and reviewer are writing").waitFor();
});

test("a request to stop reasoning is one line with the participant's answer", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").durable(
    {
      type: "reasoning/interrupt",
      id: "r1",
      from: "reviewer",
      to: ["author"],
      correlation_id: ["turn"],
      payload: { reason: "redirect" },
    },
    {
      type: "reasoning/interrupt-ack",
      id: "a1",
      from: "author",
      correlation_id: ["r1"],
      payload: { status: "completing_thought" },
    },
  );
  await chat.open(script);
  assert.match(
    await seen(chat.rows.last()),
    /reviewer asked author to stop reasoning: change of direction\s*author finishes its thought first/,
  );
});

test("the header and the chat box are there, and stay where they are, before the rows of the thread are loaded", async () => {
  const released = Promise.withResolvers<void>();
  const prepare = async (page: Page) => {
    await page.route(/message-list/, async (route) => {
      await released.promise;
      await route.continue();
    });
  };
  const chat = await browser.page({ prepare });
  const script = new TeamScript().message("author", { type: "TextMessage", content: "**Ready.**" });
  await chat.post({ type: "host", state: "ready" }, script.opened(true));
  const places = () => Promise.all([chat.page.locator(".team-header").boundingBox(), chat.composer.boundingBox()]);
  await chat.composer.fill("Meanwhile");
  const before = await places();
  assert.equal(await chat.rows.count(), 0);
  released.resolve();
  await chat.page.locator("strong", { hasText: "Ready." }).waitFor();
  assert.deepEqual(await places(), before);
  assert.equal(await chat.composer.inputValue(), "Meanwhile");
});

test("the colours of code are loaded when needed, and arrive without moving anything", async () => {
  const chat = await browser.page();
  const colours: string[] = [];
  chat.page.on("request", (request) => request.url().includes("highlight-languages") && colours.push(request.url()));
  const code = `function split(line) { return line.split(","); } // ${"every field of it, ".repeat(10)}`;
  await chat.open(new TeamScript().message("author", { type: "TextMessage", content: "No code here." }));
  await chat.page.getByText("No code here.").waitFor();
  assert.deepEqual(colours, []);

  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await chat.page.route(/highlight-languages/, async (route) => {
    requested.resolve();
    await released.promise;
    await route.continue();
  });
  const content = `Like this:\n\n\`\`\`js\n${code}\n\`\`\`\n\nThat is all.`;
  await chat.open(new TeamScript().message("author", { type: "TextMessage", content }));
  await requested.promise;
  const block = chat.page.locator(".code-block");
  const pre = block.locator("pre");
  await pre.focus();
  await pre.evaluate((scrolled) => {
    scrolled.scrollLeft = 40;
  });
  const state = async () => ({
    box: await block.boundingBox(),
    text: await pre.textContent(),
    ...(await pre.evaluate((one) => ({ left: one.scrollLeft, focused: document.activeElement === one }))),
  });
  const before = await state();
  assert.equal(await block.locator(".hljs-keyword").count(), 0);
  assert.deepEqual({ ...before, box: undefined }, { box: undefined, text: code, left: 40, focused: true });
  released.resolve();
  await block.locator(".hljs-keyword").first().waitFor();
  assert.deepEqual(await state(), before);
  assert.deepEqual(await chat.violations(), []);
});

test("code in a message that is being written gets its colours once its block is complete", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const message = script.stream("author");
  await chat.open(script);
  script.chunk(message, "```ts\nconst a = 1;\n```\n\nThen\n\n");
  await chat.live(script);
  script.chunk(message, "more,\n\nand more.");
  await chat.live(script);
  await chat.page.locator(".is-streaming .hljs-keyword").waitFor();
});

test("code is applied to the file that its opening line or the line before it names, by mouse and by keyboard", async () => {
  const chat = await browser.page();
  const block = (info: string) => `\`\`\`${info}\na\n\`\`\``;
  const content = [
    "Not `other.js` but [this](x.js),\n**src/a.js:3**, and then `src/b.js`:",
    block("js"),
    block("js title=src/c.js"),
    block("js:src/d.js"),
    `1. In src/e.js:\n\n   ${block("js {1,3}").replaceAll("\n", "\n   ")}`,
    "No file:",
    block(""),
  ].join("\n\n");
  await chat.open(new TeamScript().message("author", { type: "TextMessage", content }));
  const [first, ...others] = await chat.page.getByRole("button", { name: "Apply as Diff" }).all();
  assert.ok(first !== undefined);
  await first.locator("..").getByRole("button", { name: "Copy" }).focus();
  for (const key of ["Home", "Enter"]) await chat.page.keyboard.press(key);
  for (const other of others) await other.click();
  const posted = await chat.posted();
  assert.deepEqual(
    posted.filter(({ type }) => type === "applyCode"),
    [["src/b.js", "src/a.js"], ["src/c.js"], ["src/d.js"], ["src/e.js"], []].map((paths) => {
      return { type: "applyCode", code: "a", paths };
    }),
  );
});

test("a code block is copied, inserted, opened and wrapped, by mouse and by keyboard", async () => {
  const chat = await browser.page();
  const code = `const line = "${"a long text, ".repeat(12)}";`;
  const content = `\`\`\`js\n${code}\n\`\`\`\n\nand\n\n\`\`\`\nplain\n\`\`\``;
  await chat.open(new TeamScript().message("author", { type: "TextMessage", content }));
  const [first, second] = await chat.page.getByRole("toolbar").all();
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(await first.getAttribute("aria-label"), "js code");
  await first.getByRole("button", { name: "Insert at Cursor" }).click();
  const copy = first.getByRole("button", { name: "Copy" });
  await copy.focus();
  for (const key of ["Enter", "Home", "ArrowRight", "ArrowRight", "Enter", "ArrowRight"])
    await chat.page.keyboard.press(key);
  const wrap = first.getByRole("button", { name: "Wrap Lines" });
  assert.ok(await wrap.evaluate((button) => button === document.activeElement && button.tabIndex === 0));
  assert.equal(await copy.getAttribute("tabindex"), "-1");
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type.endsWith("Code") || type === "copy"),
    [
      { type: "insertCode", code },
      { type: "copy", text: code },
      { type: "openCode", code, language: "js" },
    ],
  );
  const pre = chat.page.locator(".code-block pre").first();
  const isWide = () => pre.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  assert.ok(await isWide());
  await chat.page.keyboard.press("Enter");
  await chat.post();
  assert.equal(await isWide(), false);
  assert.ok(await wrap.evaluate((button) => button === document.activeElement));
  assert.equal(await second.getByRole("button", { name: "Wrap Lines" }).getAttribute("aria-pressed"), "true");
});
