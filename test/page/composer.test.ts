import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser, seen } from "./chat-page.ts";
import { researchTeam } from "./example-teams.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

function running(): TeamScript {
  const script = new TeamScript().task("Go.");
  script.chunk(script.startMessage("author"), "Well");
  return script;
}

test("Enter gives the team its task, Shift+Enter a new line", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.focus();
  await chat.page.keyboard.type("First");
  await chat.page.keyboard.press("Shift+Enter");
  await chat.page.keyboard.type("second");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "First\nsecond" });
  assert.equal(await chat.composer.inputValue(), "");
});

test("the text box grows with its text", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const height = async () => (await chat.composer.boundingBox())?.height ?? 0;
  const low = await height();
  await chat.composer.fill("a\nb\nc\nd\ne");
  assert.ok((await height()) > low * 2);
});

test("@ opens the participants, arrow keys select, and Enter completes without sending", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.focus();
  await chat.page.keyboard.type("@");
  const list = chat.page.getByRole("listbox", { name: "Participants" });
  assert.deepEqual(await list.getByRole("option").locator(".completion-label").allInnerTexts(), [
    "author",
    "reviewer",
    "tester",
  ]);
  await chat.page.keyboard.press("ArrowDown");
  const active = await chat.composer.getAttribute("aria-activedescendant");
  assert.equal(await chat.page.locator(`#${active}`).getAttribute("aria-selected"), "true");
  assert.match(await seen(chat.page.locator(`#${active}`)), /reviewer/);
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.composer.inputValue(), "@reviewer ");
  assert.equal(await list.count(), 0);
  await chat.page.keyboard.type("Is it twice?");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), {
    type: "send",
    to: "reviewer",
    text: "Is it twice?",
    delivery: "steer",
  });
});

test("@ also finds the participants of nested teams, by the names that lead to them", async () => {
  const chat = await browser.page();
  await chat.open(researchTeam());
  await chat.composer.focus();
  await chat.page.keyboard.type("@ali");
  const option = chat.page.getByRole("listbox", { name: "Participants" }).getByRole("option");
  assert.deepEqual(await option.locator(".completion-label").allInnerTexts(), ["research/alice"]);
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.composer.inputValue(), "@research/alice ");
  await chat.page.keyboard.type("Which one?");
  await chat.page.getByText("Only research/alice answers").waitFor();
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("send"), { type: "send", to: "research/alice", text: "Which one?" });
});

test("Escape closes the list and keeps the text", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.focus();
  await chat.page.keyboard.type("@te");
  await chat.page.keyboard.press("Escape");
  assert.equal(await chat.page.getByRole("listbox").count(), 0);
  assert.equal(await chat.composer.inputValue(), "@te");
});

test("a message to the whole team while it runs is steered, or sent as the user says", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.fill("hurry");
  await chat.page.getByText("The next speaker sees it; no one is interrupted").waitFor();
  await chat.page.getByRole("button", { name: "Steer", exact: true }).click();
  await chat.composer.fill("stop it");
  await chat.composer.press("Control+Enter");
  const sent = (await chat.posted()).filter(({ type }) => type === "run");
  assert.deepEqual(sent, [
    { type: "run", text: "hurry", delivery: "steer" },
    { type: "run", text: "stop it", delivery: "now" },
  ]);
});

test("Interrupt is available while the team is running, also while the mention list is open", async () => {
  const chat = await browser.page();
  const script = running();
  await chat.open(script);
  await chat.composer.focus();
  await chat.page.keyboard.type("@");
  await chat.page.getByRole("button", { name: "Interrupt" }).click();
  assert.deepEqual(await chat.untilPosted("interrupt"), { type: "interrupt" });
});

test("Continue continues a paused team", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const id = script.startMessage("author");
  script.chunk(id, "Half").interrupt(id, "author", "Half");
  await chat.open(script);
  await chat.page.getByRole("button", { name: "Continue", exact: true }).click();
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "" });
});

test("a click on a participant addresses it, in place of an earlier addressee", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("@author look");
  await chat.page.getByRole("button", { name: /Message tester/ }).click();
  assert.equal(await chat.composer.inputValue(), "@tester look");
  await chat.page.getByText("Only tester answers").waitFor();
});

test("a text that the extension offers never takes the place of what the user has written", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("My own words");
  await chat.post({ type: "compose", text: "Look again" });
  assert.equal(await chat.composer.inputValue(), "My own words");
});

test("the extension can set the text", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.post({ type: "compose", to: "reviewer", text: "Look again" });
  assert.equal(await chat.composer.inputValue(), "@reviewer Look again");
  assert.equal(await chat.composer.evaluate((box) => box === document.activeElement), true);
});

const file = (name: string, tokens = 120) => ({
  key: `file:///project/${name}`,
  kind: "file" as const,
  name,
  uri: `file:///project/${name}`,
  tokens,
});

test("# offers context and files of the workspace; the choice is attached, named in the text, and sent", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.pressSequentially("Fix #spl");
  assert.deepEqual(await chat.untilPosted("searchFiles"), { type: "searchFiles", query: "" });
  const files = [
    { uri: "file:///project/src/split.js", path: "src/split.js" },
    { uri: "file:///project/split.env", path: "split.env", secret: "environment files hold passwords" },
  ];
  await chat.post({ type: "matchingFiles", query: "spl", files });
  const options = chat.page.getByRole("listbox", { name: "Context" }).getByRole("option");
  assert.deepEqual(await options.allInnerTexts(), ["split.js\nsrc", "split.env\nmay hold secrets"]);
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.composer.inputValue(), "Fix #split.js ");
  const { request, ...asked } = await chat.untilPosted("attach");
  assert.deepEqual(asked, { type: "attach", uris: ["file:///project/src/split.js"] });
  await chat.post({ type: "attached", teamId: "team-1", request, attachments: [file("src/split.js")] });
  await chat.page.getByRole("button", { name: "src/split.js, about 120 tokens; Delete removes it" }).waitFor();
  await chat.composer.press("End");
  await chat.page.keyboard.type("and test it");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("run"), {
    type: "run",
    text: "Fix #split.js and test it",
    attachments: [file("src/split.js")],
  });
  assert.equal(await chat.page.locator(".attachment").count(), 0);
});

test("# offers the selection, the problems and the terminal", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.pressSequentially("#");
  const options = chat.page.getByRole("listbox", { name: "Context" }).getByRole("option");
  assert.deepEqual(await options.locator(".completion-label").allInnerTexts(), ["selection", "problems", "terminal"]);
  await chat.page.keyboard.type("te");
  await chat.page.keyboard.press("Tab");
  const { request: _, ...asked } = await chat.untilPosted("attach");
  assert.deepEqual(asked, { type: "attach", source: "terminal" });
  assert.equal(await chat.composer.inputValue(), "#terminal ");
});

test("what is attached is removed by mouse and by keyboard, opens on click, and has a total", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.post({
    type: "attached",
    teamId: "team-1",
    attachments: [file("a.ts"), file("b.ts", 2000), file("c.ts")],
  });
  const chips = chat.page.locator(".attachment .resource-chip");
  assert.equal(await seen(chat.page.locator(".attachments-total")), "~2.2k tokens");
  await chips.nth(1).click();
  assert.deepEqual(await chat.untilPosted("openResource"), {
    type: "openResource",
    kind: "file",
    uri: "file:///project/b.ts",
  });
  await chat.page.getByRole("button", { name: "Remove b.ts" }).click();
  assert.deepEqual(await chips.locator(".resource-name").allInnerTexts(), ["a.ts", "c.ts"]);
  await chat.composer.focus();
  await chat.page.keyboard.press("Shift+Tab");
  await chat.page.keyboard.press("ArrowLeft");
  await chat.page.keyboard.press("Delete");
  assert.deepEqual(await chips.locator(".resource-name").allInnerTexts(), ["c.ts"]);
  await chat.page.keyboard.press("Backspace");
  assert.equal(await chips.count(), 0);
  assert.equal(await chat.composer.evaluate((box) => box === document.activeElement), true);
  assert.deepEqual((await chat.lastDraft())?.draft, { text: "", attachments: [] });
});

test("files are dropped by their addresses, and pasted files by their content", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("application/vnd.code.uri-list", "file:///project/a.ts\r\nfile:///project/b.ts");
    dispatchEvent(new DragEvent("dragover", { dataTransfer: data, cancelable: true }));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  });
  const { request: _, ...dropped } = await chat.untilPosted("attach");
  assert.deepEqual(dropped, { type: "attach", uris: ["file:///project/a.ts", "file:///project/b.ts"] });
  await chat.composer.evaluate((box) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([1, 2, 3])], "notes.txt", { type: "text/plain" }));
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true, bubbles: true }));
  });
  const pasted = await chat.page.waitForFunction(() =>
    window.editorStub.posted.find((message) => message.type === "attach" && message.content !== undefined),
  );
  assert.partialDeepStrictEqual(await pasted.jsonValue(), {
    type: "attach",
    content: { name: "notes.txt", data: "AQID" },
  });
});

test("/ offers the commands that can be run now, and runs the chosen one", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.pressSequentially("/");
  const list = chat.page.getByRole("listbox", { name: "Commands" });
  assert.deepEqual((await list.getByRole("option").locator(".completion-label").allInnerTexts()).slice(0, 3), [
    "/interrupt",
    "/stop",
    "/new",
  ]);
  await chat.page.keyboard.type("st");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("slashCommand"), { type: "slashCommand", name: "stop" });
  assert.equal(await chat.composer.inputValue(), "");
});

test("a path at the start of a message is no command", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("/usr/bin/node is missing");
  await chat.composer.press("Enter");
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "/usr/bin/node is missing" });
});

test("Up shows earlier prompts and Down goes back to the draft", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("First task").say("author", "Done.").ended(null);
  script.directed("tester", "Run it\nagain").say("tester", "Ran.").ended(null);
  await chat.open(script);
  await chat.composer.fill("my draft");
  const press = async (key: string): Promise<string> => {
    await chat.composer.press(key);
    return chat.composer.inputValue();
  };
  assert.equal(await press("ArrowUp"), "@tester Run it\nagain");
  assert.equal(await press("ArrowUp"), "First task");
  assert.equal(await press("ArrowUp"), "First task");
  assert.equal(await press("ArrowDown"), "@tester Run it\nagain");
  assert.equal(await press("ArrowDown"), "my draft");
  assert.equal(await press("ArrowDown"), "my draft");
});

test("in a draft of several lines, Up moves the caret first", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().task("First task").say("author", "Done.").ended(null));
  await chat.composer.fill("one\ntwo");
  await chat.composer.press("ArrowUp");
  assert.equal(await chat.composer.inputValue(), "one\ntwo");
  await chat.composer.press("ArrowUp");
  assert.equal(await chat.composer.inputValue(), "First task");
});

test("a draft belongs to its team: it is kept with every key, and comes back with the team", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  await chat.open(script);
  await chat.composer.pressSequentially("half a thou");
  assert.deepEqual(await chat.lastDraft(), {
    type: "draft",
    teamId: "team-1",
    draft: { text: "half a thou", attachments: [] },
  });
  const other = { ...script.opened(), snapshot: { ...script.opened().snapshot, teamId: "team-2" } };
  await chat.post({ ...other, draft: { text: "for the other", attachments: [file("a.ts")] } });
  assert.equal(await chat.composer.inputValue(), "for the other");
  assert.equal(await chat.page.locator(".attachment").count(), 1);
  await chat.post({ ...script.opened(), draft: { text: "half a thou", attachments: [] } });
  assert.equal(await chat.composer.inputValue(), "half a thou");
  assert.equal(await chat.page.locator(".attachment").count(), 0);
});

test("what the user writes on another page of the team is shown, and not sent back", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("here");
  const draft = { text: "written in the editor tab", attachments: [file("a.ts")] };
  await chat.post({ type: "draft", teamId: "another", draft: { ...draft, text: "not for this team" } });
  assert.equal(await chat.composer.inputValue(), "here");
  await chat.post({ type: "draft", teamId: "team-1", draft });
  assert.equal(await chat.composer.inputValue(), "written in the editor tab");
  assert.equal(await chat.page.locator(".attachment").count(), 1);
  assert.equal((await chat.lastDraft())?.draft.text, "here");
});

test("what is composed is not mixed with what the other page of the team writes, and is sent there", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.focus();
  const devtools = await chat.page.context().newCDPSession(chat.page);
  const compose = (text: string) =>
    devtools.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  await compose("にほ");
  const draft = { text: "written elsewhere", attachments: [file("a.ts")] };
  await chat.post({ type: "draft", teamId: "team-1", draft });
  assert.equal(await chat.composer.inputValue(), "にほ");
  assert.equal(await chat.page.locator(".attachment").count(), 1);
  await compose("にほん");
  await devtools.send("Input.insertText", { text: "日本" });
  assert.equal(await chat.composer.inputValue(), "日本");
  assert.deepEqual((await chat.lastDraft())?.draft, { text: "日本", attachments: [file("a.ts")] });
  await chat.post({ type: "draft", teamId: "team-1", draft });
  assert.equal(await chat.composer.inputValue(), "written elsewhere");
});

test("undo takes back what the page has written for the user, and nothing that came from elsewhere", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  await chat.open(script);
  await chat.composer.pressSequentially("@te");
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.composer.inputValue(), "@tester ");
  await chat.page.keyboard.type("look");
  assert.equal(await chat.composer.inputValue(), "@tester look");
  const undone = async (): Promise<string> => {
    await chat.page.keyboard.press("Control+z");
    await chat.post();
    return chat.composer.inputValue();
  };
  // The browser takes what was typed right after it as one.
  assert.equal(await undone(), "@te");
  assert.equal((await chat.lastDraft())?.draft.text, "@te");

  await chat.post({ type: "draft", teamId: "team-1", draft: { text: "from the editor tab", attachments: [] } });
  assert.equal(await undone(), "from the editor tab");
  await chat.page.keyboard.press("End");
  await chat.page.keyboard.type(", and on");
  assert.equal(await undone(), "from the editor tab");
  await chat.page.keyboard.type("!");
  const other = new TeamScript("Other", {}, "team-2").opened();
  await chat.post({ ...other, draft: { text: "for the other", attachments: [] } });
  assert.equal(await undone(), "for the other");
  await chat.page.keyboard.press("Enter");
  assert.equal(await undone(), "", "what was sent does not come back");
});

test("the same team shown again leaves the draft as it is", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  await chat.open(script);
  await chat.composer.fill("half a thought");
  await chat.post(script.opened());
  assert.equal(await chat.composer.inputValue(), "half a thought");
});

test("a message that could not be sent comes back, before what was typed since", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("Look");
  await chat.composer.press("Enter");
  await chat.composer.fill("and test");
  const draft = { text: "Look", attachments: [file("a.ts")] };
  await chat.post({ type: "unsent", teamId: "another", draft }, { type: "unsent", teamId: "team-1", draft });
  assert.equal(await chat.composer.inputValue(), "Look\nand test");
  assert.equal(await chat.page.locator(".attachment").count(), 1);
  assert.equal((await chat.lastDraft())?.draft.text, "Look\nand test");
});

test("a text that is too long to be sent says so, and is not lost", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("x".repeat(1_000_001));
  assert.match(await seen(chat.page.locator(".composer-problems")), /more than 1,000,000 characters/);
  await chat.composer.press("Enter");
  assert.equal((await chat.composer.inputValue()).length, 1_000_001);
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "run"),
    [],
  );
});

test("as many files as a message can have are attached, and it is said that there were more", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const files = Array.from({ length: 201 }, (_, index) => file(`a${index}.ts`));
  await chat.post({ type: "attached", teamId: "team-1", attachments: files });
  assert.equal(await chat.page.locator(".attachment").count(), 200);
  assert.match(await seen(chat.page.locator(".composer-problems")), /at most 200 files/);
});

test("keys of an input method neither send nor choose", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.pressSequentially("@te");
  for (const key of ["Enter", "ArrowDown", "Escape"]) {
    await chat.composer.evaluate((box, name) => {
      box.dispatchEvent(
        new KeyboardEvent("keydown", { key: name, isComposing: true, bubbles: true, cancelable: true }),
      );
    }, key);
  }
  assert.equal(await chat.composer.inputValue(), "@te");
  assert.equal(await chat.page.getByRole("option").first().getAttribute("aria-selected"), "true");
});

test("the interrupt key edits nothing and leaves lists open", async () => {
  const chat = await browser.page();
  await chat.open(running());
  await chat.composer.pressSequentially("@te");
  await chat.page.keyboard.press("Shift+Escape");
  assert.equal(await chat.composer.inputValue(), "@te");
  assert.equal(await chat.page.getByRole("listbox").count(), 1);
});

test("the text box grows to a share of the view's height", async () => {
  const chat = await browser.page({ width: 900, height: 270 });
  await chat.open(new TeamScript());
  await chat.composer.fill(Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n"));
  const box = await chat.composer.boundingBox();
  assert.ok(box !== null && box.height <= 110 && box.height > 80, `${box?.height}`);
});

test("the text box is focused on request, and not when trust is granted later", async () => {
  const chat = await browser.page();
  const script = new TeamScript();
  await chat.open(script, false);
  await chat.post({ type: "compose" });
  await chat.open(script);
  await chat.composer.waitFor();
  assert.equal(await chat.composer.evaluate((box) => box === document.activeElement), false);
  await chat.post({ type: "compose" });
  await chat.page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
});
