import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import { cardMessage, commandBody, untilSettled } from "./call-cards.ts";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { researchTeam } from "./example-teams.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

/** A team with a task, in the turn of `research`. */
function startedTeam(): TeamScript {
  return researchTeam()
    .task("Which cache?")
    .durable(
      { type: "speaker/selected", participants: ["research"] },
      { type: "reasoning/start", id: "turn-1", from: "research", input: "" },
    );
}

const inResearch = (script: TeamScript, write: (script: TeamScript) => void): TeamScript =>
  script.inNestedTeam(["research"], write);
const header = (chat: ChatPageDriver) => chat.page.getByRole("button", { name: /in research, team of 3/ });

test("a nested team's messages are shown under its participant while it runs, and collapse when that participant answers", async () => {
  const chat = await browser.page();
  const script = startedTeam();
  await chat.open(script);
  inResearch(script, (inner) => inner.say("alice", "The first one.").chunk(inner.startMessage("bob"), "The sec"));
  await chat.live(script);
  assert.equal(await header(chat).getAttribute("aria-expanded"), "true");
  assert.match(await seen(chat.rows.last()), /bob[\s\S]*The sec/);
  await chat.page.getByText("research › bob is writing").waitFor();
  const id = script.state.inner?.["research"]?.streaming[0]?.messageId ?? "";
  inResearch(script, (inner) => inner.endMessage(id, "bob", "The second one."));
  script.say("research", "Take the second.");
  await chat.live(script);
  assert.equal(await header(chat).getAttribute("aria-expanded"), "false");
  assert.match(await seen(header(chat)), /2 messages[\s\S]*bob[\s\S]*The second one\./);
  assert.equal(await chat.page.getByText("The first one.").count(), 0);
  assert.match(await seen(chat.rows.last()), /Take the second\./);
});

test("a collapsed nested team expands by keyboard, and its messages are labelled with their path", async () => {
  const chat = await browser.page();
  const script = inResearch(startedTeam(), (inner) => inner.say("alice", "The first.").say("bob", "The second."));
  await chat.open(script.say("research", "Done."));
  await chat.rows.last().focus();
  await chat.page.keyboard.press("ArrowUp");
  await chat.page.keyboard.press("Enter");
  assert.equal(await header(chat).getAttribute("aria-expanded"), "true");
  await chat.page.keyboard.press("ArrowDown");
  const label = () => chat.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  assert.match(await label(), /^research › alice, /);
  await chat.page.keyboard.press("ArrowDown");
  assert.match(await label(), /^research › bob, /);
  await chat.page.keyboard.press("k");
  await chat.page.keyboard.press("k");
  await chat.page.keyboard.press("Enter");
  assert.equal(await header(chat).getAttribute("aria-expanded"), "false");
  assert.equal(await chat.page.getByText("The first.").count(), 0);
});

test("a pending call in a nested team names its caller, and Show expands the teams that contain it", async () => {
  const chat = await browser.page();
  const input = { command: "npm test" };
  const script = inResearch(startedTeam(), (inner) =>
    inner.durable(
      { type: "tool/requested", participant: "alice", calls: [{ ref: "c1", name: "runCommand", input }] },
      { type: "tool/interrupted", ref: "c1", name: "runCommand", participant: "alice", input, approval: true },
    ),
  ).paused("TOOL_INTERRUPT");
  await chat.open(script);
  const card = chat.page.getByRole("group", { name: "Approval needed: runCommand of research › alice" });
  await card.waitFor();
  await header(chat).press("Enter");
  await card.waitFor({ state: "detached" });
  await chat.page.getByRole("button", { name: "Show", exact: true }).click();
  await card.waitFor();
  await chat.post(cardMessage(script, "c1", commandBody("npm test")));
  await chat.page.waitForFunction(() => document.activeElement?.getAttribute("data-decision") === "accept");
  await untilSettled(chat, "c1");
  await chat.page.keyboard.press("Enter");
  assert.equal((await chat.untilPosted("decide")).ref, "c1");
});

test("the messages that a nested team received are a collapsed line", async () => {
  const chat = await browser.page();
  const script = inResearch(startedTeam(), (inner) =>
    inner
      .message(USER, { type: "TextMessage", content: "Which cache?" })
      .message("author", { type: "TextMessage", content: "Look at the cart first." })
      .say("alice", "I have."),
  );
  await chat.open(script);
  const received = chat.page.getByRole("button", { name: /Received 2 messages Look at the cart first\./ });
  assert.equal(await received.getAttribute("aria-expanded"), "false");
  await received.click();
  assert.match(
    await seen(chat.page.locator(".received-messages")),
    /You\s+Which cache\?\s+author\s+Look at the cart first\./,
  );
  assert.equal(await chat.page.getByRole("button", { name: /^1 message in research/ }).count(), 1);
});

test("a team three levels deep is indented as two, and shows its path", async () => {
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
  script.inNestedTeam(["critics"], (inner) => inner.say("carol", "Level one."));
  script.inNestedTeam(["critics", "bench"], (inner) => inner.say("dora", "Level two."));
  script.inNestedTeam(["critics", "bench", "deep"], (inner) => inner.say("ed", "Level three."));
  await chat.open(script);
  assert.ok((await left("Level one.")) < (await left("Level two.")));
  assert.equal(await left("Level three."), await left("Level two."));
  assert.match(await seen(chat.rows.last()), /critics › bench › deep ›/);
});

test("a nested team with 2,000 messages renders as few nodes as one with 50", async (t) => {
  const chat = await browser.page();
  const talk = (messages: number): TeamScript =>
    inResearch(startedTeam(), (inner) => {
      for (let turn = 1; turn <= messages; turn++) inner.say(turn % 2 === 0 ? "alice" : "bob", `Message ${turn}.`);
    });
  await chat.open(talk(50));
  const few = await chat.nodeCount();
  await chat.post({ type: "welcome", trusted: true, workspace: true, teamFiles: [], ownTeamFiles: [], stored: [] });
  await chat.open(talk(2000));
  const many = await chat.nodeCount();
  t.diagnostic(`elements in the page: ${few} with 50 nested messages, ${many} with 2,000`);
  assert.match(await seen(chat.rows.last()), /Message 2000\./);
  assert.ok(many < few * 2, `${many} elements, ${few} with 50 messages`);
});
