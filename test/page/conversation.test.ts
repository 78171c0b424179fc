import assert from "node:assert/strict";
import { test } from "node:test";
import { cardMessage, DIGEST } from "./call-cards.ts";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

test("a streaming message changes only its own row", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").say("reviewer", "First.").say("tester", "Second.");
  const id = script.startMessage("author");
  script.chunk(id, "One paragraph.\n\nAnother one.\n\nA third");
  await chat.open(script);
  await chat.page.evaluate(() => {
    const changed = new Set<string>();
    Object.assign(window, { changed });
    new MutationObserver((records) => {
      for (const { target } of records) {
        const row = (target instanceof Element ? target : target.parentElement)?.closest<HTMLElement>("[data-key]");
        changed.add(row?.dataset["key"] ?? "elsewhere");
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    document.querySelector(`[data-key="m4"] .markdown > div`)?.setAttribute("data-first", "");
  });
  for (const word of [" grows", " word", " by word.\n\n", "And a fourth."]) {
    script.chunk(id, word);
    await chat.live(script);
  }
  const changed = await chat.page.evaluate(() => [...(window as unknown as { changed: Set<string> }).changed]);
  assert.deepEqual(changed, ["m4"]);
  assert.equal(await chat.page.locator("[data-first]").count(), 1, "a settled paragraph is left alone");
  assert.match(await seen(chat.rows.last()), /A third grows word by word\.\s+And a fourth\./);
});

test("chunks that arrive within a frame are rendered together", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  const id = script.startMessage("author");
  script.chunk(id, "Start");
  await chat.open(script);
  await chat.page.evaluate(() => {
    const counts = { drawn: 0 };
    Object.assign(window, { counts });
    const markdown = document.querySelector(".markdown");
    if (markdown !== null)
      new MutationObserver(() => counts.drawn++).observe(markdown, { subtree: true, childList: true });
  });
  for (let count = 0; count < 100; count++) script.chunk(id, ` ${count}`);
  const events = script.take();
  await chat.post(...events.map((event) => ({ type: "events" as const, teamId: script.teamId, events: [event] })));
  assert.match(await seen(chat.rows.last()), / 99$/m);
  const drawn = await chat.page.evaluate(() => (window as unknown as { counts: { drawn: number } }).counts.drawn);
  assert.ok(drawn < 20, `100 chunks were drawn in ${drawn} goes`);
});

test("streamed text looks the same as text that arrives whole", async () => {
  const text =
    "- a\n- b\n\n  more of b\n\n1. one\n2. two\n\n> quote\nlazy\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```ts\nlet a = 1;\n\nlet b;\n```\nTitle\n===\n\n- a\n*x*\n\nSee [ref] and **bold**.\n\n[ref]: https://example.com\n";
  const chat = await browser.page();
  const script = new TeamScript();
  const id = script.startMessage("author");
  await chat.open(script);
  for (let index = 0; index < text.length; index += 3) {
    script.chunk(id, text.slice(index, index + 3));
    await chat.post({ type: "events", teamId: script.teamId, events: script.take() });
  }
  const blocks = () => seen(chat.page.locator(".markdown"));
  const streamed = await blocks();
  script.endMessage(id, "author", text);
  await chat.live(script);
  assert.equal((await blocks()).replace(/\s+/g, " "), streamed.replace(/\s+/g, " ").replace("[ref]", "ref"));
});

test("an interrupted message is marked, with the words that were kept, also after the team is reopened", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const id = script.startMessage("author");
  script.chunk(id, "Half a sentence that");
  await chat.open(script);
  assert.equal(await chat.page.locator(".partial-mark").count(), 0);
  script.interrupt(id, "author", "Half a sentence that");
  await chat.live(script);
  for (const when of ["live", "opened again"]) {
    assert.match(await seen(chat.page.locator(".is-partial")), /Half a sentence that\s+Interrupted here/, when);
    assert.match(await seen(chat.page.locator(".row-interrupt")), /You interrupted author · kept 4 words/, when);
    await chat.open(script);
  }
});

test("a call that asks although a rule allows its tool shows why, also after the page is opened again", async () => {
  const chat = await browser.page();
  const input = { path: "\u202epackage.json" };
  const reason = "\u202epackage.json can run commands (package managers run its scripts).";
  const script = new TeamScript().durable(
    { type: "tool/requested", participant: "tester", calls: [{ ref: "c1", name: "writeFile", input }] },
    { type: "tool/interrupted", ref: "c1", name: "writeFile", participant: "tester", input, approval: true, reason },
  );
  for (let opened = 0; opened < 2; opened++) {
    await chat.open(script);
    const card = chat.page.getByRole("group", { name: "Approval needed: writeFile of tester" });
    assert.match(await seen(card), /⟨U\+202E⟩package\.json can run commands \(package managers run its scripts\)\./);
  }
});

test("a tool's question is answered in its card", async () => {
  const chat = await browser.page();
  const script = new TeamScript().durable(
    { type: "tool/requested", participant: "tester", calls: [{ ref: "c1", name: "askUser", input: {} }] },
    {
      type: "tool/interrupted",
      ref: "c1",
      name: "askUser",
      participant: "tester",
      input: {},
      interrupt: "Which branch?",
    },
  );
  await chat.open(script);
  await chat.page.getByText("Which branch?").waitFor();
  await chat.post(cardMessage(script, "c1", { kind: "input", input: {} }));
  await chat.page.getByRole("textbox", { name: "Your answer to askUser" }).fill("main");
  await chat.page.getByRole("button", { name: "Answer", exact: true }).click();
  const decision = { how: "answer" as const, output: "main" };
  assert.deepEqual(await chat.untilPosted("decide"), { type: "decide", ref: "c1", digest: DIGEST, decision });
});

test("a tool call is a collapsed line that expands to its input and output", async () => {
  const chat = await browser.page();
  const script = new TeamScript().durable(
    {
      type: "tool/requested",
      participant: "tester",
      calls: [{ ref: "c1", name: "readFile", input: { path: "a.ts" } }],
    },
    { type: "tool/started", ref: "c1" },
  );
  script.transient({ type: "tool/output", ref: "c1", delta: "line 1\n" });
  await chat.open(script);
  const line = chat.page.getByRole("button", { name: /readFile a\.ts running/ });
  assert.equal(await chat.page.locator(".collapsible-content").count(), 0);
  await line.click();
  script.transient({ type: "tool/output", ref: "c1", delta: "line 2" });
  await chat.live(script);
  assert.match(await seen(chat.page.locator(".collapsible-content")), /"path": "a\.ts"[\s\S]*line 2/);
  script.durable({
    type: "tool/executed",
    ref: "c1",
    name: "readFile",
    participant: "tester",
    output: "all",
    isError: false,
  });
  await chat.live(script);
  assert.match(await seen(chat.page.locator(".collapsible-content")), /Output\s+all/);
});

test("an error offers what can be done about it", async () => {
  const chat = await browser.page();
  const data = { code: "ModelError", fix: "apiKey", secret: "openai", retryable: false };
  await chat.open(new TeamScript().durable({ type: "error", message: "The key was refused.", data }));
  await chat.page.getByRole("button", { name: "Set API Key" }).click();
  assert.deepEqual(await chat.untilPosted("errorAction"), {
    type: "errorAction",
    command: "setApiKey",
    argument: "openai",
  });
});

test("all of a code block is copied", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().say("author", "```ts\nconst a = 1;\nconst b = 2;\n```"));
  await chat.page.getByRole("button", { name: "Copy" }).click();
  assert.deepEqual(await chat.untilPosted("copy"), { type: "copy", text: "const a = 1;\nconst b = 2;" });
});

test("when the host stops, the thread stays, with a banner", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().say("author", "Hello."));
  await chat.post({ type: "host", state: "down" });
  await chat.page.getByText("The agent host has stopped.").first().waitFor();
  assert.equal(await chat.page.getByText("Hello.").isVisible(), true);
  await chat.post({ type: "host", state: "ready" });
  assert.equal(await chat.page.locator(".banner").count(), 0);
});

test("while the conversation cannot be saved, a banner says so and what can be done", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().say("author", "Hello."));
  const message = "gavel.db cannot grow because the disk is full; free some space and try again.";
  await chat.post({ type: "storage", status: { state: "failing", message } });
  const banner = chat.page.locator(".banner");
  assert.match(await banner.innerText(), /the disk is full/);
  await banner.getByRole("button", { name: "Continue Without Saving" }).click();
  assert.deepEqual(await chat.untilPosted("storage"), { type: "storage", action: "continueWithoutSaving" });
  await chat.post({ type: "storage", status: { state: "unsaved", message } });
  await banner.getByText("This conversation is not being saved.").waitFor();
  assert.deepEqual(await banner.getByRole("button").allInnerTexts(), ["Try Again"]);
  await chat.post({ type: "storage", status: { state: "saving" } });
  await banner.waitFor({ state: "detached" });
});

test("an untrusted workspace shows the thread and no actions", async () => {
  const chat = await browser.page();
  const input = { command: "ls" };
  const script = new TeamScript()
    .say("author", "Hello.")
    .durable(
      { type: "tool/requested", participant: "tester", calls: [{ ref: "c", name: "runCommand", input }] },
      { type: "tool/interrupted", ref: "c", name: "runCommand", participant: "tester", input, approval: true },
    );
  await chat.open(script, false);
  await chat.post(cardMessage(script, "c", { kind: "input", input: {} }));
  assert.equal(await chat.page.getByText("Hello.").isVisible(), true);
  assert.equal(await chat.composer.count(), 0);
  assert.equal(await chat.page.getByRole("button", { name: /Accept|Run|Reject|Interrupt|Continue/ }).count(), 0);
  await chat.page.getByRole("button", { name: "Manage Trust" }).click();
  assert.deepEqual(await chat.untilPosted("errorAction"), { type: "errorAction", command: "manageTrust" });
});

test("the welcome screen opens a team file, a stored team and the picker", async () => {
  const chat = await browser.page();
  await chat.post({
    type: "welcome",
    ownTeamFiles: [],
    trusted: true,
    workspace: false,
    teamFiles: [{ uri: "file:///w/a.team.yaml", label: "a.team.yaml" }],
    stored: [{ teamId: "t7", name: "Old team", updatedAt: "2026-01-01T00:00:00Z" }],
  });
  await chat.page.getByRole("button", { name: "a.team.yaml" }).click();
  assert.deepEqual(await chat.untilPosted("openTeam"), { type: "openTeam", uri: "file:///w/a.team.yaml" });
  await chat.page.getByRole("button", { name: /Old team/ }).click();
  assert.deepEqual(await chat.untilPosted("openStored"), { type: "openStored", teamId: "t7" });
  await chat.page.getByRole("button", { name: "Open Another Team…" }).click();
  await chat.untilPosted("openTeamPicker");
});

test("the welcome screen starts without a folder or a team file, and says where agents work", async () => {
  const chat = await browser.page();
  const nothing = { ownTeamFiles: [], teamFiles: [], stored: [] } as const;
  await chat.post({ type: "welcome", trusted: true, workspace: false, ...nothing });
  for (const [name, way] of [
    [/^Try a Sample/, "sample"],
    [/^Start with One Agent/, "oneAgent"],
    [/^New Team…/, "newTeam"],
    ["More Samples…", "moreSamples"],
    ["Check Setup", "checkSetup"],
    ["Open Folder…", "openFolder"],
  ] as const) {
    await chat.page.getByRole("button", { name }).click();
    await chat.page.waitForFunction(
      (wanted) => window.editorStub.posted.some((message) => message.type === "start" && message.way === wanted),
      way,
    );
  }
  await chat.post({ type: "welcome", trusted: false, workspace: true, ...nothing });
  assert.equal(await chat.page.getByRole("button", { name: /^Try a Sample/ }).count(), 0);
});

test("a thought is shown while the model thinks it, in some lines that follow its end, and can be interrupted", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  script.durable(
    { type: "speaker/selected", participants: ["author"] },
    { type: "reasoning/start", id: "turn-a", from: "author", input: "" },
  );
  await chat.open(script);
  const interrupt = chat.page.getByRole("button", { name: "Interrupt Reasoning of author" });
  await interrupt.press("Enter");
  const piece = (delta: string) =>
    script.transient({ type: "reasoning/chunk", from: "author", correlation_id: ["turn-a"], delta });
  for (let line = 1; line <= 40; line++) piece(`Line ${line}: the fault may be here.\n`);
  await chat.live(script);
  const box = chat.page.locator(".thought-live");
  assert.match(await seen(box), /Line 40: the fault may be here\.\s*$/);
  const { height, atEnd } = await box.evaluate(({ clientHeight, scrollTop, scrollHeight }) => ({
    height: clientHeight,
    atEnd: scrollTop + clientHeight >= scrollHeight - 1,
  }));
  assert.ok(height < 140 && atEnd, `${height} px, at its end: ${atEnd}`);
  assert.equal(await interrupt.count(), 1);
  await interrupt.click();
  const message = { type: "interruptReasoning" as const, participant: "author", path: [] };
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === message.type),
    [message, message],
  );
  script.durable({ type: "reasoning/thought", from: "author", correlation_id: ["turn-a"], message: "It is **here**." });
  await chat.live(script);
  assert.equal(await box.count(), 0);
  await chat.page.getByRole("button", { name: "Thought It is here." }).waitFor();
});
