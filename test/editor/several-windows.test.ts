import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { noTerminal, TerminalRun } from "../contract/harness/command-line.ts";
import { GavelDriver } from "./gavel-driver.ts";
import type { Editor } from "./harness/editor.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { JoinedClient, storageOf } from "./joined-client.ts";
import { endHostAfter } from "./kept-host.ts";
import { OtherHost } from "./other-host.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const WORDS = Array.from({ length: 6000 }, (_, index) => `word${index + 1}`).join(" ");

/** The talker speaks for minutes; the runner asks for a command when it is spoken to. */
const TEAM = `
name: Meeting
kind: roundRobin
participants: [{ name: talker }, { name: runner, tools: [runCommand] }]
maxTurns: 20
models:
  default:
    provider: practice
    pace: 20
    lines:
      talker: ["${WORDS}"]
    asked:
      runner: [{ calls: [{ tool: runCommand, input: { command: "echo hi" } }] }, "Then not."]
`;

/** The label of the status bar's item, once it matches. */
const statusBarSays = (editor: Editor, label: RegExp): Promise<void> =>
  editor.page.locator(".statusbar-item").getByRole("button", { name: label }).first().waitFor();

const ENTER = "\r";
const CTRL_D = "\u0004";

/** `gavel` in a terminal of the folder that an editor has open. */
const terminalOf = ({ workspace: folder, userData }: Editor, args: readonly string[]): TerminalRun =>
  TerminalRun.start(args, { folder, environment: { ...process.env, HOME: userData, XDG_DATA_HOME: userData } });

/** The ids by which the host knows the windows of the folder, those that have closed among them. */
async function windowIds(editor: Editor): Promise<readonly string[]> {
  const names = await readdir(join(await storageOf(editor), "windows"));
  return names.map((name) => name.slice(0, name.indexOf("."))).sort();
}

/** The last number that the talker has said, as the chat shows it. */
async function lastWord(gavel: GavelDriver): Promise<number> {
  const text = await (await gavel.chat()).locator(".message.is-streaming").last().innerText();
  return Math.max(...[...text.matchAll(/word(\d+)/g)].map(([, number]) => Number(number)));
}

/** Two windows and a terminal on one team, which speaks after the terminal has decided on a call. */
interface Meeting {
  readonly one: Editor;
  readonly first: GavelDriver;
  readonly main: Editor;
  readonly second: GavelDriver;
  readonly step: ReturnType<typeof stepsOf>;
}

async function meet(
  context: TestContext,
  name: string,
  options: MeetingOptions,
  goOn: (meeting: Meeting) => Promise<void>,
) {
  const workspace = await folderWithTeam(context, "meeting.team.yaml", TEAM);
  const { machineSettings, says } = options;
  await withEditor(name, { workspace, separate: true, machineSettings }, async (main) => {
    const one = await main.openWindow();
    const [first, second] = [new GavelDriver(one), new GavelDriver(main)];
    const step = stepsOf(context, main, name);

    await step("1 a team runs in the first window", async () => {
      await first.openTeam("meeting.team.yaml", "Meeting");
      await first.run("Go");
      await first.seesStreaming();
    });
    const storage = await storageOf(one);

    await step("2 the second window joins the host, shows the run, and says so", async () => {
      await second.openRecent("Meeting");
      await second.seesStreaming();
      await statusBarSays(main, says.second);
      await statusBarSays(one, says.first);
    });

    await step("3 an interrupt in the second window stops the run of the first", async () => {
      await main.runCommand("Gavel: Interrupt");
      await second.untilStopped("Meeting");
      await first.untilStopped("Meeting");
    });

    await step("4 a terminal decides on a call that the second window's message led to", async () => {
      using joined = await JoinedClient.join(storage);
      const teamId = await joined.openTeam();
      await second.focusComposer();
      await main.page.keyboard.type("@runner Please run it.");
      await main.page.keyboard.press("Enter");
      await until("the call waits", () => joined.interruptedCalls[0]);
      const terminal = terminalOf(main, ["run", "--thread", teamId]);
      const at = await terminal.until("always…");
      terminal.press("n");
      await terminal.until("why not, or Enter", at);
      terminal.press(ENTER);
      for (const window of [first, second]) {
        await window.sees("Then not.");
        await window.untilStopped("Meeting");
      }
      await terminal.until("Then not.", at);
      terminal.press(CTRL_D);
      await terminal.exited();
      await one.runCommand("Gavel: Continue");
      for (const window of [first, second]) await window.seesStreaming();
    });
    try {
      await goOn({ one, first, main, second, step });
    } finally {
      endHostAfter(context, storage);
    }
  });
}

interface MeetingOptions {
  readonly machineSettings: Readonly<Record<string, unknown>>;
  /** What the status bars say of the host. */
  readonly says: { readonly first: RegExp; readonly second: RegExp };
}

const OWN = { first: /is running[^.]*\. Click to interrupt\.$/, second: /joined the agent host of another window/ };
const KEPT = { first: /keeps running after this window closes/, second: /keeps running after this window closes/ };

test("two windows and a terminal share a team, and go on when the window with the host closes", {
  skip: noTerminal,
}, async (context) => {
  await meet(context, "several-windows", { machineSettings: {}, says: OWN }, async ({ one, main, second, step }) => {
    await step("5 the first window closes in mid-stream: the second goes on, with everything kept", async () => {
      const before = await lastWord(second);
      await one.dispose();
      await second.untilStopped("Meeting");
      await second.sees(new RegExp(`word${before}\\b`));
      const joined = main.page.locator('.statusbar-item [aria-label*="joined the agent host"]');
      await joined.waitFor({ state: "detached" });
      assert.equal(await main.page.locator(".notifications-toasts .notification-list-item").count(), 0);
      await main.runCommand("Gavel: Continue");
      await second.seesStreaming();
    });
  });
});

test("a team goes on when its window closes, if the user wants that, until the host is stopped", {
  skip: noTerminal,
}, async (context) => {
  const machineSettings = { "gavel.host.keepRunning": true };
  await meet(context, "kept-host", { machineSettings, says: KEPT }, async ({ one, main, second, step }) => {
    await step("5 the first window closes in mid-stream: the run goes on", async () => {
      await one.dispose();
      const before = await lastWord(second);
      await until("more is said", async () => ((await lastWord(second)) > before + 100 ? true : undefined));
      await statusBarSays(main, /^Meeting is running/);
    });

    await step("6 so it does while the second window reloads", async () => {
      const ids = await windowIds(main);
      await main.reload();
      await main.runCommand("Gavel: Focus Chat");
      await second.seesStreaming();
      await statusBarSays(main, /^Meeting is running/);
      assert.doesNotMatch(await second.lastRow("message"), /interrupted/i);
      // The host knows the window again.
      assert.deepEqual(await windowIds(main), ids);
    });

    await step("7 the host is stopped, once the user agrees to the interrupt of the run", async () => {
      await main.runCommand("Gavel: Stop Host");
      assert.match(await main.dialog.text(), /These teams are running[^:]*: Meeting/);
      await main.dialog.choose("Stop Host");
      await statusBarSays(main, /the agent host has stopped/);
      // What the host has told at its end is shown without it.
      await (await second.chat()).getByText("Interrupted", { exact: true }).first().waitFor();
    });

    await step("8 a host of another version is stopped with the button of what it says", async () => {
      using other = await OtherHost.start(await storageOf(main));
      await main.runCommand("Gavel: Restart Host");
      await second.sees(other.refusal);
      await second.click("Stop That Host");
      assert.match(await main.dialog.text(), /Do you want to stop the agent host\?/);
      await main.dialog.choose("Stop Host");
      await second.untilStopped("Meeting");
      await main.runCommand("Gavel: Continue");
      await second.seesStreaming();
    });
  });
});
