import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileTarget } from "../../client/common/page-messages.ts";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const inWorkspace = (path: string): FileTarget => ({ path, kind: "file", label: path });

/** The paths that the page has asked for so far, one list for each message. */
async function asked(chat: ChatPageDriver): Promise<(readonly string[])[]> {
  return (await chat.posted()).flatMap((message) => (message.type === "findFiles" ? [message.paths] : []));
}

async function opened(chat: ChatPageDriver) {
  return (await chat.posted()).filter(({ type }) => type === "openPath");
}

test("links to files open at their line, by mouse and by keyboard, and show where they lead", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().say("author", "See [the splitter](src/split.js#L8) and [notes](my%20notes.md)."));
  await chat.untilPosted("findFiles");
  assert.deepEqual(await asked(chat), [["src/split.js", "my notes.md"]]);
  await chat.post({
    type: "files",
    files: [
      { path: "src/split.js", kind: "file", label: "shop/src/split.js" },
      { path: "my notes.md", kind: "missing", label: "my notes.md" },
    ],
  });
  const link = chat.page.getByRole("link", { name: "the splitter" });
  assert.equal(await link.getAttribute("title"), "shop/src/split.js, line 8");
  assert.equal(await chat.page.getByRole("link", { name: "notes" }).getAttribute("title"), "my notes.md, not found");
  await link.click();
  await link.click({ modifiers: ["Control"] });
  await link.press("Enter");
  await link.press("Space");
  const path = "src/split.js#L8";
  assert.deepEqual(await opened(chat), [
    { type: "openPath", path },
    { type: "openPath", path, beside: true },
    { type: "openPath", path },
    { type: "openPath", path, keepFocus: true },
  ]);
});

test("paths and inline code become links in place when the file exists, asked for in one message", async () => {
  const chat = await browser.page();
  const text =
    "In src/split.js:8:3 and `src/my split.ts:4` (not and/or, nor `split.js`), see (lib/a.ts).\n\n```js\nsrc/no.js\n```";
  await chat.open(new TeamScript().say("author", text).say("tester", "Again src/split.js."));
  await chat.untilPosted("findFiles");
  const [paths = [], ...more] = await asked(chat);
  assert.deepEqual(paths.toSorted(), ["and/or", "lib/a.ts", "split.js", "src/my split.ts", "src/split.js"]);
  assert.deepEqual(more, []);
  const box = () => chat.page.locator(".markdown").first().boundingBox();
  const [before, words] = [await box(), await seen(chat.page.locator(".markdown").first())];
  assert.equal(await chat.page.getByRole("link").count(), 0);
  await chat.post({
    type: "files",
    files: paths.map((path) =>
      ["and/or", "split.js"].includes(path) ? { path, kind: "missing", label: path } : inWorkspace(path),
    ),
  });
  assert.deepEqual(await chat.page.getByRole("link").allInnerTexts(), [
    "src/split.js:8:3",
    "src/my split.ts:4",
    "lib/a.ts",
    "src/split.js",
  ]);
  assert.deepEqual([await box(), await seen(chat.page.locator(".markdown").first())], [before, words]);
  await chat.page.getByRole("link", { name: "src/my split.ts:4" }).click();
  assert.deepEqual(await opened(chat), [{ type: "openPath", path: "src/my split.ts:4" }]);
});

test("a file that is written later becomes a link then, and what is known is not asked again", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").say("author", "I write src/new.js, as in src/old.js.");
  await chat.open(script);
  await chat.untilPosted("findFiles");
  await chat.post({
    type: "files",
    files: [{ path: "src/new.js", kind: "missing", label: "src/new.js" }, inWorkspace("src/old.js")],
  });
  assert.deepEqual(await chat.page.getByRole("link").allInnerTexts(), ["src/old.js"]);
  script.durable({
    type: "tool/executed",
    ref: "r1",
    name: "writeFile",
    participant: "author",
    output: "Written.",
    isError: false,
  });
  await chat.live(script);
  await chat.page.waitForFunction(
    () => window.editorStub.posted.filter((message) => message.type === "findFiles").length === 2,
  );
  assert.deepEqual((await asked(chat))[1], ["src/new.js"]);
  await chat.post({ type: "files", files: [inWorkspace("src/new.js")] });
  assert.equal(await chat.page.getByRole("link", { name: "src/new.js" }).count(), 1);
});

test("links outside the workspace say so; commands, other schemes and other machines are no links", async () => {
  const chat = await browser.page();
  const text = [
    "[hosts](/etc/hosts)",
    "[file](file:///etc/passwd#L2)",
    "[quit](command:workbench.action.quit)",
    "[app](vscode://a.b/c)",
    "[drive](c:/code/a.js)",
    "[root](a.js:8)",
    "[share](//host/share/a.js)",
    "[up](#top)",
    "[flip](src/\u202egnp.js)",
  ].join(" ");
  await chat.open(new TeamScript().say("author", text));
  await chat.untilPosted("findFiles");
  await chat.post({ type: "files", files: [{ path: "/etc/hosts", kind: "outside", label: "/etc/\u202ehosts" }] });
  assert.deepEqual(await chat.page.getByRole("link").allInnerTexts(), ["hosts", "file", "drive", "root"]);
  assert.equal(
    await chat.page.getByRole("link", { name: "hosts" }).getAttribute("title"),
    "/etc/⟨U+202E⟩hosts, outside the workspace",
  );
  await chat.page.getByRole("link", { name: "file" }).click();
  assert.deepEqual(await opened(chat), [{ type: "openPath", path: "file:///etc/passwd#L2" }]);
});

test("a tool call opens the file that it names, at the lines that it reads, and its output has links", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").durable(
    {
      type: "tool/requested",
      participant: "author",
      calls: [{ ref: "r1", name: "readFile", input: { path: "src/split.js", from: 8, to: 12 } }],
    },
    { type: "tool/started", ref: "r1" },
    {
      type: "tool/executed",
      ref: "r1",
      name: "readFile",
      participant: "author",
      output: "src/a.js:3: return 1;\nsrc/none.js:4: return 2;",
      isError: false,
    },
  );
  await chat.open(script);
  await chat.untilPosted("findFiles");
  await chat.post({ type: "files", files: [inWorkspace("src/split.js"), inWorkspace("src/a.js")] });
  const open = chat.page.getByRole("button", { name: "Open src/split.js, lines 8 to 12" });
  await open.press("Enter");
  await chat.page.getByRole("button", { name: /readFile/ }).click();
  const output = chat.page.locator(".text-block").last();
  assert.deepEqual(await output.getByRole("link").allInnerTexts(), ["src/a.js:3"]);
  await output.getByRole("link").click();
  assert.deepEqual(await opened(chat), [
    { type: "openPath", path: "src/split.js:8-12" },
    { type: "openPath", path: "src/a.js:3" },
  ]);
});
