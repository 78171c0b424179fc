import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandExit } from "../../shared/contract/command-exit.ts";
import type { DurableDraft } from "../../shared/contract/event.ts";
import { pageBrowser, seen } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

const input = { command: "npm test" };
const requested: DurableDraft = {
  type: "tool/requested",
  participant: "tester",
  calls: [{ ref: "c", name: "runCommand", input }],
};
const pending: DurableDraft = {
  type: "tool/interrupted",
  ref: "c",
  name: "runCommand",
  participant: "tester",
  input,
  approval: true,
};

const executed = (output: unknown, isError = false, exit?: CommandExit): DurableDraft => ({
  type: "tool/executed",
  ref: "c",
  name: "runCommand",
  participant: "tester",
  output,
  isError,
  ...(exit === undefined ? {} : { exit }),
});

const resolved = (
  more: Omit<Extract<DurableDraft, { type: "tool/resolved" }>, "type" | "ref" | "by">,
): DurableDraft => ({
  type: "tool/resolved",
  ref: "c",
  by: USER,
  ...more,
});

const cases: readonly (readonly [
  what: string,
  events: readonly DurableDraft[],
  row: RegExp,
  detail: RegExp,
  tone: string,
])[] = [
  [
    "a command that exits with another code than 0 shows it, and looks failed",
    [{ type: "tool/started", ref: "c" }, executed("1 failing\nexit code 2", false, { code: 2 })],
    /Exit code 2/,
    /1 failing/,
    "bad",
  ],
  [
    "a command that timed out says so",
    [executed("…\ntimed out after 120 s and was ended", false, { timedOut: true })],
    /Timed out/,
    /120 s/,
    "bad",
  ],
  [
    "a command that a signal ended names it",
    [executed("ended by signal SIGKILL", false, { signal: "SIGKILL" })],
    /Ended by SIGKILL/,
    /SIGKILL/,
    "bad",
  ],
  [
    "a command that only prints such a line has not failed",
    [executed("exit code 0\nexit code 2", false, { code: 0 })],
    /done/,
    /exit code 2/,
    "good",
  ],
  [
    "a command that fails cannot hide it by what it prints",
    [executed("exit code 2\nexit code 0", false, { code: 2 })],
    /Exit code 2/,
    /exit code 0/,
    "bad",
  ],
  [
    "a call that the user answered says so",
    [pending, resolved({ how: "respond" }), executed("All passed.")],
    /Answered by you/,
    /Answered by you[\s\S]*All passed\./,
    "quiet",
  ],
  [
    "a rejected call shows the reason",
    [pending, resolved({ how: "deny", reason: "Not now." }), executed("The user denied this call: Not now.", true)],
    /Rejected: Not now\./,
    /Rejected by you: Not now\./,
    "quiet",
  ],
  [
    "a call that the user approved names the user",
    [
      pending,
      resolved({ how: "restart", input: { command: "npm t" } }),
      { type: "tool/started", ref: "c" },
      executed("ok\nexit code 0"),
    ],
    /npm t/,
    /Approved by you, with edited input/,
    "good",
  ],
  [
    "an interrupted call says so",
    [{ ...executed("interrupted", true), interrupted: true } as DurableDraft],
    /Interrupted/,
    /interrupted/,
    "warning",
  ],
];

for (const [what, events, row, detail, tone] of cases) {
  test(what, async () => {
    const chat = await browser.page();
    await chat.open(new TeamScript().task("Go.").durable(requested, ...events));
    const line = chat.page.locator(".tool-call .collapsible-header");
    assert.match((await line.textContent()) ?? "", row);
    assert.equal(await line.locator(`.tool-mark.is-${tone}`).count(), 1);
    await line.click();
    assert.match(await seen(chat.page.locator(".tool-call")), detail);
  });
}

test("an edit that was undone says so, until it is redone", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.").durable(requested, executed("ok\nexit code 0"));
  await chat.open(script);
  const line = chat.page.locator(".tool-call .collapsible-header");
  await chat.post({ type: "undoneCalls", teamId: script.teamId, refs: ["c"] });
  assert.match(await seen(line), /Undone/);
  await chat.post({ type: "undoneCalls", teamId: script.teamId, refs: [] });
  assert.doesNotMatch(await seen(line), /Undone/);
});

test("a call is shown on request, from an earlier part of the thread too, expanded and focused", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Test it.");
  for (const draft of [requested, pending, resolved({ how: "restart" }), executed("all pass")]) script.durable(draft);
  for (let at = 0; at < 200; at++) script.say("author", `Message ${at}`);
  await chat.post({ type: "host", state: "ready" }, script.opened(true, 50));
  await chat.page.getByText("Message 199", { exact: true }).waitFor();
  await chat.post({ type: "showCallRow", teamId: script.teamId, ref: "c" });
  const { before } = await chat.untilPosted("earlier");
  await chat.post({ type: "earlier", teamId: script.teamId, events: script.before(before, 10_000) });
  const row = chat.page.locator("article:focus");
  await row.getByText("Approved by you").waitFor();
  await row.getByText("all pass").waitFor();
});
