import assert from "node:assert/strict";
import { test } from "node:test";
import type { CardBody } from "../../client/common/call-card.ts";
import type { FromPage } from "../../client/common/page-messages.ts";
import type { DurableDraft } from "../../shared/contract/event.ts";
import { cardMessage, commandBody, DIGEST, untilSettled } from "./call-cards.ts";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { userTeam } from "./example-teams.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

/** More than any way from one control to another has stops. */
const STOPS = 40;

/** The page as a user has it who has no mouse. */
class KeyboardUser {
  readonly chat: ChatPageDriver;
  #seen = 0;

  constructor(chat: ChatPageDriver) {
    this.chat = chat;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.chat.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.chat.page.keyboard.type(text);
  }

  /** What has the focus, as a screen reader names it. */
  focus(): Promise<string> {
    return this.chat.page.evaluate(() => {
      const { activeElement: element } = document;
      if (element === null || element === document.body) return "nothing";
      if (element.matches(".composer-text")) return "composer";
      return (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replaceAll(/\s+/g, " ");
    });
  }

  async hasFocus(name: string | RegExp): Promise<void> {
    const focused = await this.focus();
    if (typeof name === "string") assert.equal(focused, name);
    else assert.match(focused, name);
  }

  /** Goes on with Tab, or back with Shift+Tab, to a control. */
  async goTo(name: RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    const passed: string[] = [];
    for (let stop = 0; stop < STOPS; stop++) {
      await this.press(key);
      const focused = await this.focus();
      if (name.test(focused)) return;
      passed.push(focused);
    }
    assert.fail(`${key} does not reach ${name}, but: ${passed.join(" | ")}`);
  }

  /** What the page has posted for good since the last call, without questions that it asks by itself. */
  async did(): Promise<readonly FromPage[]> {
    const all = await this.chat.posted();
    const fresh = all.slice(this.#seen);
    this.#seen = all.length;
    const asks: readonly FromPage["type"][] = [
      "ready",
      "showCall",
      "findFiles",
      "searchFiles",
      "listOffers",
      "previewInterrupt",
    ];
    return fresh.filter(({ type }) => !asks.includes(type));
  }
}

const command = (ref: string) => ({ ref, name: "runCommand", input: { command: "npm test" } });
const edit = (ref: string) => ({ ref, name: "editFile", input: { path: "src/cart.ts" } });

const EDIT: CardBody = {
  kind: "edit",
  edit: {
    path: "src/cart.ts",
    isNew: false,
    added: 1,
    removed: 0,
    omitted: 0,
    hunks: [{ before: 1, after: 1, lines: [{ kind: "added", text: "one" }] }],
  },
};

/** A participant asks for a call, and waits. */
const asked = (call: ReturnType<typeof command> | ReturnType<typeof edit>): readonly DurableDraft[] => [
  { type: "tool/requested", participant: "tester", calls: [call] },
  { type: "tool/interrupted", ...call, participant: "tester", approval: true },
];

const executed = (ref: string, name: string): readonly DurableDraft[] => [
  { type: "run/started", cause: "tools" },
  { type: "tool/executed", ref, name, participant: "tester", output: "ok", isError: false },
];

/** A part of the story. (A test within it would close the page.) */
async function step(name: string, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    throw new Error(name, { cause: error });
  }
}

test("a day by keys alone: from an empty chat to a restored checkpoint, and the focus is never lost", async () => {
  const chat = await browser.page({ width: 430, height: 900 });
  const user = new KeyboardUser(chat);
  let script = new TeamScript();

  await step("an empty chat: Tab reaches the sample, and Enter starts it", async () => {
    await chat.post(
      { type: "host", state: "ready" },
      { type: "welcome", ownTeamFiles: [], trusted: true, workspace: false, teamFiles: [], stored: [] },
    );
    await user.goTo(/^Try a Sample/);
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "start", way: "sample" }]);
    await chat.open(script);
    await chat.post({ type: "compose", text: "Find the fault" });
    await user.hasFocus("composer");
  });

  await step("Enter runs the task that is offered, and the text box keeps the focus", async () => {
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "run", text: "Find the fault" }]);
    script.task("Find the fault");
    await chat.live(script);
    await user.hasFocus("composer");
  });

  let streaming = "";
  await step("@ addresses one participant, while another one speaks", async () => {
    streaming = script.startMessage("author");
    await chat.live(script.chunk(streaming, "I look at the cart"));
    await user.type("@te");
    await user.press("Enter");
    await user.type("is there a test?");
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "send", to: "tester", text: "is there a test?", delivery: "steer" }]);
    await user.hasFocus("composer");
  });

  await step("Alt+Enter queues", async () => {
    await user.type("Then write one");
    await user.press("Alt+Enter");
    assert.deepEqual(await user.did(), [{ type: "run", text: "Then write one", delivery: "queue" }]);
    await chat.live(script.queueMessage("tester", "Then write one"));
    await user.hasFocus("composer");
  });

  await step("Interrupt is before the text box; afterwards that has the focus, and Continue is before it", async () => {
    await user.goTo(/^Interrupt$/, "Shift+Tab");
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "interrupt" }]);
    await chat.live(script.interrupt(streaming, "author", "I look at the cart"));
    await user.hasFocus("composer");
    await user.goTo(/^Continue$/, "Shift+Tab");
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "run", text: "" }]);
    script.durable({ type: "run/started", task: "", cause: "run" });
    await chat.live(script);
    await user.hasFocus("composer");
  });

  await step("Show leads to a command's card, where it is edited before it runs", async () => {
    script.durable(...asked(command("c1")));
    await chat.live(script.paused("TOOL_INTERRUPT"));
    await chat.post(cardMessage(script, "c1", commandBody("npm test")));
    await untilSettled(chat, "c1");
    await user.hasFocus("composer");
    await user.goTo(/^Show$/, "Shift+Tab");
    await user.press("Enter");
    await chat.post();
    await user.hasFocus(/^(?:Run Command: runCommand|Approval needed)/);
    await user.goTo(/^Edit Command…$/);
    await user.press("Enter");
    await user.hasFocus("Command to run instead");
    await user.press("End");
    await user.type(" -- cart");
    await user.press("Enter");
    assert.deepEqual(await user.did(), [
      { type: "decide", ref: "c1", digest: DIGEST, decision: { how: "edit", command: "npm test -- cart" } },
    ]);
    script.durable({ type: "tool/resolved", ref: "c1", how: "restart", by: USER }, ...executed("c1", "runCommand"));
    await chat.live(script);
    await user.hasFocus("composer");
  });

  await step("the diff of an edit is opened from its card, which is rejected with a reason", async () => {
    script.durable(...asked(edit("c2")));
    await chat.live(script.paused("TOOL_INTERRUPT"));
    await chat.post(cardMessage(script, "c2", EDIT));
    await untilSettled(chat, "c2");
    await chat.post({ type: "revealCall", ref: "c2", decision: "accept" });
    await user.hasFocus(/^Accept: editFile/);
    await user.goTo(/^Open Diff$/);
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "openDiff", ref: "c2" }]);
    await user.hasFocus("Open Diff");
    await user.goTo(/^More Answers…$/, "Shift+Tab");
    await user.press("Enter");
    await user.hasFocus("Reject with Reason…");
    await user.press("Enter");
    await user.hasFocus("Reason, shown to tester");
    await user.type("Write the test first");
    await user.press("Enter");
    assert.deepEqual(await user.did(), [
      { type: "decide", ref: "c2", digest: DIGEST, decision: { how: "reject", reason: "Write the test first" } },
    ]);
    script.durable({ type: "tool/resolved", ref: "c2", how: "deny", by: USER }, ...executed("c2", "editFile"));
    await chat.live(script.ended("Done"));
    await user.hasFocus("composer");
  });

  await step("# attaches a file, whose chip is reached, and left again", async () => {
    await user.type("Read #car");
    await chat.post({ type: "matchingFiles", query: "car", files: [{ uri: "file:///w/cart.ts", path: "cart.ts" }] });
    await user.press("Enter");
    const [request] = await user.did();
    assert.ok(request?.type === "attach");
    const attachment = { key: "cart", kind: "file" as const, name: "cart.ts", uri: "file:///w/cart.ts", tokens: 9 };
    await chat.post({ type: "attached", teamId: "team-1", request: request.request, attachments: [attachment] });
    await user.hasFocus("composer");
    await user.press("Shift+Tab");
    await user.hasFocus(/^cart\.ts, about 9 tokens/);
    await user.press("Tab");
    await user.hasFocus("composer");
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "run", text: "Read #cart.ts", attachments: [attachment] }]);
  });

  await step("find goes to a match, and Escape back to where the user was", async () => {
    await chat.live(script.task("Read #cart.ts").say("author", "The discount is taken twice.").ended("Done"));
    await chat.post({ type: "find" });
    // The find bar is loaded when it is first opened.
    await chat.page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Find");
    await user.type("discount");
    await user.press("Enter");
    await chat.page.getByText(/^1 of 1/).waitFor();
    await user.hasFocus("Find");
    await user.press("Escape");
    await chat.post();
    await user.hasFocus("composer");
  });

  await step("a checkpoint is restored from the message of the user before it", async () => {
    await chat.composer.focus();
    await user.goTo(/^(?:You|author|tester|Run|Finished)/, "Shift+Tab");
    await user.press("Home");
    await chat.page.waitForFunction(() => document.activeElement?.getAttribute("data-key") === "m1");
    await user.goTo(/^Restore/);
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "restoreCheckpoint", messageId: "m1" }]);
    await user.hasFocus(/^Restore/);
  });

  await step("a question of the team is answered in its own box", async () => {
    script = userTeam().task("Plan it.").say("planner", "On Thursday or on Monday?");
    script.durable(
      { type: "speaker/selected", participants: ["alice"] },
      { type: "reasoning/start", id: "turn-a", from: "alice", input: "" },
      { type: "userInput/requested", participant: "alice" },
    );
    await chat.open(script.paused("USER_INPUT_REQUESTED"));
    await chat.post({ type: "compose" });
    await user.hasFocus("composer");
    await user.goTo(/^Answer$/, "Shift+Tab");
    await user.press("Enter");
    await chat.post();
    await user.hasFocus("Your answer as alice");
    await user.type("On Monday.");
    await user.press("Enter");
    assert.deepEqual(await user.did(), [{ type: "answer", text: "On Monday." }]);
    script.durable({ type: "run/started", task: "", cause: "run" }).say("alice", "On Monday.");
    await chat.live(script);
    await user.hasFocus("composer");
  });
});
