import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlanItem } from "../../shared/contract/plan.ts";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const items: PlanItem[] = [
  { text: "Read the code", status: "done" },
  { text: "Fix the\u202e discount", status: "inProgress" },
  { text: "Run the tests", status: "pending" },
];

async function planned() {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").durable({ type: "plan/updated", participant: "author", items });
  await chat.open(script);
  const line = chat.page.getByRole("button", { name: /^Plan of author/ });
  return { chat, script, line };
}

/** What the last edit made of the plan. */
async function edited(chat: ChatPageDriver): Promise<readonly PlanItem[]> {
  const edits = (await chat.posted()).flatMap((message) => (message.type === "editPlan" ? [message] : []));
  const last = edits.at(-1);
  assert.deepEqual(last && [last.to, last.was], ["author", items]);
  return last?.items ?? [];
}

test("a plan is one line that says what is being done and how far it is, and expands to its steps", async () => {
  const { chat, line } = await planned();
  assert.match(await seen(line), /Plan of author\s+Fix the⟨U\+202E⟩ discount\s+1 of 3 done/);
  await line.click();
  await chat.page.getByRole("textbox", { name: "Text of step 2, in progress" }).waitFor();
  assert.equal(await chat.page.getByRole("checkbox", { name: "Done: Read the code" }).isChecked(), true);
});

test("the user checks off, renames, moves, removes and adds steps, by keyboard alone", async () => {
  const { chat, line } = await planned();
  const { keyboard } = chat.page;
  await line.focus();
  await keyboard.press("Enter");
  const done = chat.page.getByRole("checkbox", { name: "Done: Run the tests" });
  await done.focus();
  await keyboard.press("Space");
  assert.deepEqual((await edited(chat))[2], { text: "Run the tests", status: "done" });
  await chat.page.getByRole("textbox", { name: "Text of step 3" }).focus();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type("Run all tests");
  await keyboard.press("Enter");
  assert.deepEqual((await edited(chat))[2], { text: "Run all tests", status: "pending" });
  await keyboard.press("Alt+ArrowUp");
  assert.deepEqual((await edited(chat)).map(({ text }) => text).slice(1), ["Run the tests", items[1]?.text]);
  await chat.page.getByRole("button", { name: "Remove: step 1" }).focus();
  await keyboard.press("Enter");
  assert.equal((await edited(chat)).length, 2);
  await chat.page.getByRole("textbox", { name: "Add a step" }).focus();
  await keyboard.type("Say so");
  await keyboard.press("Enter");
  assert.deepEqual((await edited(chat)).at(-1), { text: "Say so", status: "pending" });
});

test("Escape takes back what is written of a step, and an emptied step keeps its text", async () => {
  const { chat, line } = await planned();
  await line.click();
  const text = chat.page.getByRole("textbox", { name: "Text of step 1" });
  await text.fill("Something");
  await chat.page.keyboard.press("Escape");
  assert.equal(await text.inputValue(), "Read the code");
  await text.fill(" ");
  await text.blur();
  assert.equal(await text.inputValue(), "Read the code");
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "editPlan"),
    [],
  );
});

test("what is written of a step goes to that step, also when the participant writes its plan again meanwhile", async () => {
  const { chat, script, line } = await planned();
  await line.click();
  const write = async (written: readonly PlanItem[]): Promise<readonly PlanItem[]> => {
    await chat.live(script.durable({ type: "plan/updated", participant: "author", items: [...written] }));
    await chat.page.getByRole("checkbox", { name: `Done: ${written[0]?.text}` }).waitFor();
    await chat.page.keyboard.press("Enter");
    const edits = (await chat.posted()).flatMap((message) => (message.type === "editPlan" ? [message] : []));
    return edits.at(-1)?.items ?? [];
  };
  const [read, , run] = items;
  assert.ok(read !== undefined && run !== undefined);
  const ask: PlanItem = { text: "Ask Kim", status: "pending" };
  await chat.page.getByRole("textbox", { name: "Text of step 3" }).fill("Run all tests");
  assert.deepEqual(await write([ask, run, read]), [ask, { text: "Run all tests", status: "pending" }, read]);
  await chat.page.getByRole("textbox", { name: "Text of step 3" }).fill("Read all of it");
  const tell: PlanItem = { text: "Tell Kim", status: "pending" };
  assert.deepEqual(await write([tell, ask, run]), [tell, ask, { text: "Read all of it", status: "pending" }, run]);
});
