import assert from "node:assert/strict";
import { test } from "node:test";
import type { CardBody } from "../../client/common/call-card.ts";
import { cardMessage, commandBody, DIGEST, untilSettled } from "./call-cards.ts";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

function pendingCall(name: string, input: unknown, ref = "c"): TeamScript {
  return new TeamScript()
    .task("Go.")
    .durable(
      { type: "tool/requested", participant: "tester", calls: [{ ref, name, input }] },
      { type: "tool/interrupted", ref, name, participant: "tester", input, approval: true },
    )
    .paused("TOOL_INTERRUPT");
}

async function shown(body: CardBody, more: Parameters<typeof cardMessage>[3] = {}, name = "runCommand") {
  const chat = await browser.page();
  const script = pendingCall(name, {});
  await chat.open(script);
  await chat.untilPosted("showCall");
  await chat.post(cardMessage(script, "c", body, more));
  await untilSettled(chat, "c");
  return { chat, script, card: chat.page.getByRole("group", { name: `Approval needed: ${name} of tester` }) };
}

const decisions = async (chat: ChatPageDriver) =>
  (await chat.posted()).flatMap((message) => (message.type === "decide" ? [message.decision] : []));

const edit: CardBody = {
  kind: "edit",
  edit: {
    path: "src/cart.ts",
    isNew: false,
    added: 1,
    removed: 1,
    omitted: 0,
    hunks: [
      {
        before: 7,
        after: 7,
        lines: [
          { kind: "same", text: "const sum = 0;" },
          { kind: "removed", text: "return a;", mark: [7, 8] },
          { kind: "added", text: "return b\u202e;", mark: [7, 9] },
        ],
      },
    ],
  },
};

test("an edit is shown as a diff with counts, and one click accepts exactly what is shown", async () => {
  const { chat, card } = await shown(edit, {}, "editFile");
  const text = await seen(card);
  assert.match(text, /tester wants to edit a file/);
  assert.match(text, /src\/cart\.ts[\s\S]*\+1[\s\S]*−1[\s\S]*return a;[\s\S]*return b⟨U\+202E⟩;/);
  await card.getByRole("button", { name: "src/cart.ts" }).click();
  assert.deepEqual(await chat.untilPosted("openFile"), { type: "openFile", uri: "src/cart.ts" });
  await card.getByRole("button", { name: "Open Diff" }).click();
  assert.deepEqual(await chat.untilPosted("openDiff"), { type: "openDiff", ref: "c" });
  await card.getByRole("button", { name: "Accept: editFile" }).click();
  assert.deepEqual(await chat.untilPosted("decide"), {
    type: "decide",
    ref: "c",
    digest: DIGEST,
    decision: { how: "accept" },
  });
});

test("a change of several files is shown whole, with one decision for all of them", async () => {
  assert.ok(edit.kind === "edit");
  const second = { ...edit.edit, path: "src/order.ts", added: 3 };
  const { chat, card } = await shown({ kind: "edits", edits: [edit.edit, second] }, {}, "rename");
  const text = await seen(card);
  assert.match(text, /tester wants to edit 2 files, using rename/);
  assert.match(text, /src\/cart\.ts[\s\S]*\+1[\s\S]*src\/order\.ts[\s\S]*\+3/);
  await card.getByRole("button", { name: "Open Diffs" }).click();
  assert.deepEqual(await chat.untilPosted("openDiff"), { type: "openDiff", ref: "c" });
  await card.getByRole("button", { name: "Accept: rename" }).click();
  assert.deepEqual(await decisions(chat), [{ how: "accept" }]);
});

test("a patch says of each file whether it is new, moved or deleted", async () => {
  assert.ok(edit.kind === "edit");
  const { hunks, omitted } = edit.edit;
  const counts = { added: 1, removed: 1, hunks, omitted };
  const { chat, card } = await shown(
    {
      kind: "edits",
      edits: [
        { ...counts, path: "src/basket.ts", isNew: false, movedFrom: "src/cart\u202e.ts" },
        { ...counts, path: "src/old.ts", isNew: false, isDeleted: true },
        { ...counts, path: "src/new.ts", isNew: true },
      ],
    },
    {},
    "applyPatch",
  );
  assert.match(await seen(card), /tester wants to edit 3 files, using applyPatch/);
  const heads = await Promise.all((await card.locator(".diff-head").all()).map((head) => seen(head)));
  assert.match(heads[0] ?? "", /^src\/cart⟨U\+202E⟩\.ts\s+moved to\s+src\/basket\.ts/);
  assert.match(heads[1] ?? "", /^src\/old\.ts\s+Deleted/);
  assert.match(heads[2] ?? "", /^src\/new\.ts\s+New file/);
  await card.getByRole("button", { name: "src/cart⟨U+202E⟩.ts" }).click();
  assert.deepEqual(await chat.untilPosted("openFile"), { type: "openFile", uri: "src/cart\u202e.ts" });
});

test("a patch of one file says what becomes of it", async () => {
  assert.ok(edit.kind === "edit");
  const { card } = await shown({ kind: "edit", edit: { ...edit.edit, isDeleted: true } }, {}, "applyPatch");
  assert.match(await seen(card), /tester wants to delete a file/);
});

test("a long diff is collapsed, and says how many lines are hidden", async () => {
  const lines = Array.from({ length: 40 }, (_, at) => ({ kind: "added" as const, text: `line ${at + 1}` }));
  const hunks = [{ before: 0, after: 1, lines }];
  const { card } = await shown(
    { kind: "edit", edit: { path: "new.ts", isNew: true, added: 52, removed: 0, hunks, omitted: 12 } },
    {},
    "writeFile",
  );
  assert.equal(await card.locator(".diff-line").count(), 14);
  await card.getByRole("button", { name: "Show 26 More Lines" }).click();
  assert.equal(await card.locator(".diff-line").count(), 40);
  assert.match(
    await seen(card),
    /wants to create a file[\s\S]*New file[\s\S]*12 more lines\. Open the diff to see all\./,
  );
});

test("a call is rejected with one click, or with a reason by keyboard alone", async () => {
  const { chat, card } = await shown(edit, {}, "editFile");
  await card.getByRole("button", { name: "Reject: editFile" }).click();
  assert.deepEqual(await decisions(chat), [{ how: "reject" }]);
  await card.getByRole("button", { name: "More Answers…" }).press("Enter");
  const menu = chat.page.getByRole("menu", { name: "More Answers…" });
  await menu.waitFor();
  await chat.page.keyboard.press("ArrowDown");
  assert.equal(await chat.page.evaluate(() => document.activeElement?.textContent), "Answer Instead…");
  await chat.page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await chat.page.keyboard.press("Enter");
  await chat.page.keyboard.press("Enter");
  await chat.page.keyboard.type("Keep a.");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await decisions(chat), [{ how: "reject" }, { how: "reject", reason: "Keep a." }]);
});

test("a command is shown whole, with what cannot be seen written out, and can be edited before it runs", async () => {
  const line = `echo safe \u202eexe.tset\n${"x".repeat(3000)}; rm -rf build`;
  const { chat, card } = await shown(commandBody(line));
  const text = await seen(card);
  assert.ok(text.includes("echo safe ⟨U+202E⟩exe.tset⟨newline⟩"));
  assert.ok(text.includes(`${"x".repeat(3000)}; rm -rf build`));
  assert.match(text, /It runs in the sandbox/);
  const pre = card.locator(".command pre");
  assert.equal(await pre.evaluate((element) => element.scrollHeight > element.clientHeight + 1), false);
  await card.getByRole("button", { name: "Edit Command…" }).click();
  const box = card.getByRole("textbox", { name: "Command to run instead" });
  assert.equal(await box.inputValue(), line);
  await box.fill("npm test");
  await card.getByRole("button", { name: "Run Edited Command" }).click();
  assert.deepEqual(await decisions(chat), [{ how: "edit", command: "npm test" }]);
});

test("the menu beside the button shows each rule whole with its scope, and adds the chosen one", async () => {
  const long = `runCommand with the command ${"deeply/".repeat(30)}script && rm -rf build`;
  const { chat, card } = await shown(commandBody("x && rm -rf build"), {
    rules: [
      { label: "These Commands", rules: [long, "runCommand with the command rm -rf build"] },
      { label: "Every Call of This Tool", rules: ["runCommand"] },
    ],
    scopes: ["run", "workspace", "always"],
  });
  await card.getByRole("button", { name: "Allow Without Asking…" }).click();
  const menu = chat.page.getByRole("menu", { name: "Allow Without Asking…" });
  const item = menu.getByRole("menuitem", { name: /These Commands/ });
  assert.ok((await seen(item)).includes(long));
  assert.match(await seen(item), /In This Run$/);
  const cut = await menu
    .locator(".rule-text")
    .evaluateAll((texts) => texts.filter((text) => text.scrollWidth > text.clientWidth + 1).length);
  assert.equal(cut, 0);
  await menu.getByRole("menuitemradio", { name: "Always" }).click();
  assert.match(await seen(item), /Always$/);
  await item.click();
  assert.deepEqual(await decisions(chat), [{ how: "allow", choice: 0, scope: "always" }]);
});

test("the menu stays open, and within the page, when VS Code resizes the page", async () => {
  const { chat, card } = await shown(commandBody("x"), {
    rules: [{ label: "These Commands", rules: ["runCommand with the command x"] }],
    scopes: ["run", "workspace", "always"],
  });
  await chat.page.setViewportSize({ width: 430, height: 700 });
  await card.getByRole("button", { name: "Allow Without Asking…" }).click();
  const menu = chat.page.getByRole("menu", { name: "Allow Without Asking…" });
  await menu.waitFor();
  await chat.page.setViewportSize({ width: 320, height: 420 });
  await chat.page.waitForFunction(() => {
    const box = document.querySelector("[role=menu]")?.getBoundingClientRect();
    return box !== undefined && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
  });
  await menu.getByRole("menuitem").click();
  assert.deepEqual(await decisions(chat), [{ how: "allow", choice: 0, scope: "run" }]);
});

test("a press that began before the card was there decides nothing", async () => {
  const chat = await browser.page();
  const script = pendingCall("runCommand", {});
  await chat.open(script);
  await chat.untilPosted("showCall");
  await chat.post(cardMessage(script, "c", commandBody("npm test")));
  const button = chat.page.getByRole("button", { name: "Run Command: runCommand" });
  const box = await button.boundingBox();
  assert.ok(box !== null);
  await chat.page.mouse.move(box.x + 5, box.y + 5);
  // Another command takes the place of the first under the pointer, which is then pressed at once.
  await untilSettled(chat, "c");
  await chat.post(cardMessage(script, "c", commandBody("rm -rf ."), { digest: "e".repeat(64), changed: true }));
  await chat.page.mouse.down();
  await chat.page.mouse.up();
  await untilSettled(chat, "c");
  assert.deepEqual(await decisions(chat), []);
  assert.match(await seen(chat.page.locator(".pending")), /This has changed since it was shown/);
  // A script's click decides nothing either.
  await button.evaluate((element) => (element as HTMLElement).click());
  assert.deepEqual(await decisions(chat), []);
  await button.click();
  const decided = await chat.untilPosted("decide");
  assert.equal(decided.digest, "e".repeat(64));
});

test("a call that would fail says why, and is rejected with that reason", async () => {
  const problem = '`old` does not occur in "a.ts"';
  const { chat, card } = await shown({ kind: "input", input: { path: "a.ts", old: "x" } }, { problem }, "editFile");
  assert.match(await seen(card), /This call would fail now: `old` does not occur/);
  assert.equal(await card.getByRole("button", { name: /^Accept/ }).count(), 0);
  await card.getByRole("button", { name: "Reject: editFile" }).click();
  assert.deepEqual(await decisions(chat), [{ how: "reject", reason: problem }]);
});

test("any other tool shows its input by name and value, and can be answered instead", async () => {
  const { chat, card } = await shown({ kind: "input", input: { to: "production", force: true } }, {}, "deploy");
  assert.match(await seen(card), /wants to use deploy[\s\S]*to[\s\S]*production[\s\S]*force[\s\S]*true/);
  await card.getByRole("button", { name: "More Answers…" }).click();
  await chat.page.getByRole("menuitem", { name: "Answer Instead…" }).click();
  await chat.page.keyboard.type("Done by hand.");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await decisions(chat), [{ how: "answer", output: "Done by hand." }]);
});

test("a card that a command reveals has the focus on its button, and Enter decides", async () => {
  const { chat } = await shown(commandBody("npm test"));
  await chat.post({ type: "revealCall", decision: "accept" });
  await chat.page.waitForFunction(() => document.activeElement?.getAttribute("data-decision") === "accept");
  await chat.post({ type: "revealCall", ref: "c", decision: "reject" });
  await chat.page.waitForFunction(() => document.activeElement?.getAttribute("data-decision") === "reject");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await decisions(chat), [{ how: "reject" }]);
});

test("several calls are accepted with one click, each as its card shows it", async () => {
  const chat = await browser.page();
  const calls = ["a", "b"].map((ref) => ({ ref, name: "runCommand", input: { command: ref } }));
  const script = new TeamScript().task("Go.").durable(
    { type: "tool/requested", participant: "tester", calls },
    ...calls.map((call) => ({
      type: "tool/interrupted" as const,
      ...call,
      participant: "tester",
      approval: true as const,
    })),
  );
  await chat.open(script);
  await chat.post(cardMessage(script, "a", commandBody("a")));
  await untilSettled(chat, "a");
  const all = chat.page.getByRole("button", { name: "Accept All (2)" });
  assert.equal(await all.count(), 0);
  await chat.post(cardMessage(script, "b", commandBody("b"), { digest: "e".repeat(64) }));
  await all.click();
  const sent = await chat.untilPosted("acceptAll");
  assert.deepEqual(sent.calls, [
    { ref: "a", digest: DIGEST },
    { ref: "b", digest: "e".repeat(64) },
  ]);
});

const asking = async (interrupt: object) => {
  const chat = await browser.page();
  const input = { question: "Which database?" };
  const script = new TeamScript()
    .task("Go.")
    .durable(
      { type: "tool/requested", participant: "tester", calls: [{ ref: "c", name: "askUser", input }] },
      { type: "tool/interrupted", ref: "c", name: "askUser", participant: "tester", input, interrupt },
    );
  await chat.open(script.paused("TOOL_INTERRUPT"));
  await chat.untilPosted("showCall");
  await chat.post(cardMessage(script, "c", { kind: "input", input }));
  await untilSettled(chat, "c");
  return { chat, script, card: chat.page.getByRole("group", { name: "Question: askUser of tester" }) };
};

const database = {
  kind: "askUser",
  question: "Which database?",
  choices: [{ label: "SQLite", description: "One file, no server" }, { label: "PostgreSQL" }],
  several: false,
};

test("a question with choices is answered with one of them, by mouse and by keyboard", async () => {
  const { chat, card } = await asking(database);
  assert.match(await seen(card), /tester asks you\s+Which database\?/);
  assert.doesNotMatch(await seen(card), /Run Tool|askUser/);
  await card.getByRole("button", { name: "SQLite One file, no server" }).click();
  assert.deepEqual(await decisions(chat), [{ how: "answer", output: "SQLite" }]);
  await chat.post({ type: "revealCall", ref: "c", decision: "accept" });
  await card.getByRole("button", { name: "SQLite" }).and(chat.page.locator(":focus")).waitFor();
  await chat.page.keyboard.press("Tab");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual((await decisions(chat)).at(-1), { how: "answer", output: "PostgreSQL" });
});

test("a question with choices is also answered in the user's own words", async () => {
  const { chat, card } = await asking(database);
  await card.getByRole("textbox", { name: "Your answer" }).fill("Neither");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await decisions(chat), [{ how: "answer", output: "Neither" }]);
});

test("an answer that is not sent is there again after another team was shown", async () => {
  const { chat, script, card } = await asking(database);
  const box = card.getByRole("textbox", { name: "Your answer" });
  await box.fill("Neither: we have");
  await chat.open(new TeamScript("Other", {}, "team-2").task("Other task."));
  await box.waitFor({ state: "detached" });
  await chat.open(script);
  await chat.post(cardMessage(script, "c", { kind: "input", input: { question: "Which database?" } }));
  await box.waitFor();
  assert.equal(await box.inputValue(), "Neither: we have");
  await box.pressSequentially("!");
  assert.equal(await box.inputValue(), "Neither: we have!");
});

test("several choices are answered together, in their order, with what is written", async () => {
  const { chat, card } = await asking({ ...database, several: true });
  const button = card.getByRole("button", { name: "Answer", exact: true });
  assert.equal(await button.isDisabled(), true);
  await card.getByRole("checkbox", { name: "PostgreSQL" }).check();
  await card.getByRole("checkbox", { name: "SQLite" }).check();
  await card.getByRole("textbox").fill("as a cache");
  await button.click();
  assert.deepEqual(await decisions(chat), [{ how: "answer", output: "- SQLite\n- PostgreSQL\n\nas a cache" }]);
});

test("a page to read is shown by its host and its whole address", async () => {
  const url = "https://docs.example.com/a?b=\u202ec";
  const { card } = await shown({ kind: "page", url, host: "docs.example.com" }, {}, "webFetch");
  const text = await seen(card);
  assert.match(text, /tester wants to read a web page/);
  assert.match(text, /docs\.example\.com\s+https:\/\/docs\.example\.com\/a\?b=⟨U\+202E⟩c/);
  await card.getByRole("button", { name: "Read Page: webFetch" }).waitFor();
});

test("an image in the result of a tool is shown in its row", async () => {
  const chat = await browser.page();
  const uri =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const output = {
    content: [
      { type: "text", text: "The image:" },
      { type: "image", uri },
    ],
  };
  const script = new TeamScript().task("Go.").durable(
    {
      type: "tool/requested",
      participant: "tester",
      calls: [{ ref: "c", name: "readFile", input: { path: "a.png" } }],
    },
    { type: "tool/executed", ref: "c", name: "readFile", participant: "tester", output, isError: false },
  );
  await chat.open(script);
  await chat.page.getByRole("button", { name: /readFile/ }).click();
  await chat.page.getByRole("img", { name: /from readFile/ }).waitFor();
});
