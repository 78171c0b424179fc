import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import { type ChatPage, pageBrowser, seen } from "./chat-page.ts";
import { researchTeam } from "./gallery-states.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

/** The team has a task, and the turn of `research` has begun. */
function begun(): TeamScript {
  return researchTeam()
    .task("Which cache?")
    .durable(
      { type: "speaker/selected", participants: ["research"] },
      { type: "reasoning/start", id: "turn-1", from: "research", input: "" },
    );
}

const inResearch = (script: TeamScript, write: (script: TeamScript) => void): TeamScript =>
  script.within(["research"], write);
const fold = (chat: ChatPage) => chat.page.getByRole("button", { name: /in research, a team of 3/ });

test("what a nested team says is seen under its participant while it works, and folds to a line when that one answers", async () => {
  const chat = await browser.page();
  const script = begun();
  await chat.open(script);
  inResearch(script, (inner) => inner.say("alice", "The first one.").chunk(inner.begin("bob"), "The sec"));
  await chat.live(script);
  assert.equal(await fold(chat).getAttribute("aria-expanded"), "true");
  assert.match(await seen(chat.rows.last()), /bob[\s\S]*The sec/);
  await chat.page.getByText("research › bob is speaking").waitFor();
  const id = script.state.inner?.["research"]?.streaming[0]?.messageId ?? "";
  inResearch(script, (inner) => inner.end(id, "bob", "The second one."));
  script.say("research", "Take the second.");
  await chat.live(script);
  assert.equal(await fold(chat).getAttribute("aria-expanded"), "false");
  assert.match(await seen(fold(chat)), /2 messages[\s\S]*bob[\s\S]*The second one\./);
  assert.equal(await chat.page.getByText("The first one.").count(), 0);
  assert.match(await seen(chat.rows.last()), /Take the second\./);
});

test("a folded talk is unfolded by keyboard, and its messages are reached one by one and named by the way to them", async () => {
  const chat = await browser.page();
  const script = inResearch(begun(), (inner) => inner.say("alice", "The first.").say("bob", "The second."));
  await chat.open(script.say("research", "Done."));
  await chat.rows.last().focus();
  await chat.page.keyboard.press("ArrowUp");
  await chat.page.keyboard.press("Enter");
  assert.equal(await fold(chat).getAttribute("aria-expanded"), "true");
  await chat.page.keyboard.press("ArrowDown");
  const label = () => chat.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  assert.match(await label(), /^research › alice, /);
  await chat.page.keyboard.press("ArrowDown");
  assert.match(await label(), /^research › bob, /);
  await chat.page.keyboard.press("k");
  await chat.page.keyboard.press("k");
  await chat.page.keyboard.press("Enter");
  assert.equal(await fold(chat).getAttribute("aria-expanded"), "false");
  assert.equal(await chat.page.getByText("The first.").count(), 0);
});

test("a call that waits in a nested team names its true owner, and Show unfolds the way to it", async () => {
  const chat = await browser.page();
  const input = { command: "npm test" };
  const script = inResearch(begun(), (inner) =>
    inner.durable(
      { type: "tool/requested", participant: "alice", calls: [{ ref: "c1", name: "runCommand", input }] },
      { type: "tool/interrupted", ref: "c1", name: "runCommand", participant: "alice", input, approval: true },
    ),
  ).paused("TOOL_INTERRUPT");
  await chat.open(script);
  const card = chat.page.getByRole("group", { name: "research › alice waits for you: runCommand" });
  await card.waitFor();
  await fold(chat).press("Enter");
  await card.waitFor({ state: "detached" });
  await chat.page.getByRole("button", { name: "Show", exact: true }).click();
  await card.waitFor();
  await chat.page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Approve runCommand…");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("approve"), { type: "approve", ref: "c1" });
});

test("what a nested team was given is told in a line, as it stands above already", async () => {
  const chat = await browser.page();
  const script = inResearch(begun(), (inner) =>
    inner
      .message(USER, { type: "TextMessage", content: "Which cache?" })
      .message("author", { type: "TextMessage", content: "Look at the cart first." })
      .say("alice", "I have."),
  );
  await chat.open(script);
  const given = chat.page.getByRole("button", { name: /Given 2 messages Look at the cart first\./ });
  assert.equal(await given.getAttribute("aria-expanded"), "false");
  await given.click();
  assert.match(
    await seen(chat.page.locator(".received-messages")),
    /You\s+Which cache\?\s+author\s+Look at the cart first\./,
  );
  assert.equal(await chat.page.getByRole("button", { name: /^1 message in research/ }).count(), 1);
});

test("a team three levels down is indented no further than two, and names the way to it", async () => {
  const chat = await browser.page();
  const deep = { name: "Deep", kind: "roundRobin" as const, participants: [{ name: "ed" }] };
  const nest = (name: string, speaker: string, team: TeamDefinition): TeamDefinition => ({
    name,
    kind: "roundRobin",
    participants: [{ name: speaker }, { name: team.name.toLowerCase(), kind: "team", team }],
  });
  const definition = nest("Top", "ann", nest("Critics", "carol", nest("Bench", "dora", deep)));
  const script = new TeamScript("Top", { participants: definition.participants }).task("Measure.");
  const left = async (text: string) => (await chat.page.getByText(text).boundingBox())?.x ?? 0;
  script.within(["critics"], (inner) => inner.say("carol", "Level one."));
  script.within(["critics", "bench"], (inner) => inner.say("dora", "Level two."));
  script.within(["critics", "bench", "deep"], (inner) => inner.say("ed", "Level three."));
  await chat.open(script);
  assert.ok((await left("Level one.")) < (await left("Level two.")));
  assert.equal(await left("Level three."), await left("Level two."));
  assert.match(await seen(chat.rows.last()), /critics › bench › deep ›/);
});

test("a nested talk of 2,000 messages puts no more into the page than one of 50 does", async (t) => {
  const chat = await browser.page();
  const talk = (messages: number): TeamScript =>
    inResearch(begun(), (inner) => {
      for (let turn = 1; turn <= messages; turn++) inner.say(turn % 2 === 0 ? "alice" : "bob", `Message ${turn}.`);
    });
  await chat.open(talk(50));
  const few = await chat.nodeCount();
  await chat.tell({ type: "welcome", trusted: true, workspace: true, teamFiles: [], stored: [] });
  await chat.open(talk(2000));
  const many = await chat.nodeCount();
  t.diagnostic(`elements in the page: ${few} with 50 nested messages, ${many} with 2,000`);
  assert.match(await seen(chat.rows.last()), /Message 2000\./);
  assert.ok(many < few * 2, `${many} elements, ${few} with 50 messages`);
});
