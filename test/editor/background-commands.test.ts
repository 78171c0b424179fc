import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** Prints a line, then another when a file is there, and never ends by itself. */
const WATCH = "echo watching; while ! test -e go; do sleep 0.2; done; echo rebuilt; tail -f /dev/null";

const TEAM = `
name: Watchers
kind: roundRobin
participants:
  - { name: wes, tools: [runCommand] }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      wes:
        - calls: [{ tool: runCommand, input: { command: "${WATCH}", background: true } }]
        - The watcher runs.
        - calls: [{ tool: runCommand, input: { command: "touch go" } }]
        - It has something to do.
`;

test("a command goes on in the background, is read while it runs, and is stopped, with the mouse and from the palette", async (context) => {
  const workspace = await folderWithTeam(context, "watch.team.yaml", TEAM);
  const machineSettings = { "gavel.sandbox.enabled": false };
  await withEditor("background-commands", { workspace, machineSettings }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "background-commands");
    const { page, quickInput } = editor;
    const line = async () =>
      (await gavel.chat()).getByRole("region", { name: "Background commands" }).getByRole("group");
    const output = page.locator(".editor-instance .view-lines").first();
    const accept = async () => {
      await gavel.untilSettled();
      await gavel.decide("accept");
    };

    await step("1 its card says that it goes on, and the turn ends while it runs", async () => {
      await gavel.openTeam("watch.team.yaml", "Watchers");
      await gavel.run("Go");
      await gavel.untilSettled();
      assert.match(await (await gavel.chat()).locator(".pending").innerText(), /in the background/);
      await gavel.decide("accept");
      await gavel.sees("The watcher runs.");
      await gavel.untilStopped("Watchers");
      assert.match(await (await line()).innerText(), /echo watching;[\s\S]*wes/);
    });

    await step("2 its output opens from its line and follows it", async () => {
      await (await line()).getByRole("button", { name: "Show Output" }).click();
      await page.getByRole("tab", { name: /^cmd_\d+ output\.txt/ }).waitFor();
      await output.getByText("watching", { exact: true }).waitFor();
      await output.getByText("[Running]").waitFor();
      await gavel.run("More");
      await accept();
      await gavel.sees("It has something to do.");
      await output.getByText("rebuilt", { exact: true }).waitFor();
    });

    await step("3 it is stopped from the palette, and its output says so", async () => {
      await gavel.untilStopped("Watchers");
      await editor.runCommand("Gavel: Stop Background Command…");
      await quickInput.opened("Stop Background Command");
      await quickInput.accept();
      await (await line()).waitFor({ state: "detached" });
      await output.getByText("[Ended: stopped by user").waitFor();
    });

    await step("4 the palette shows the output of one that has ended", async () => {
      await editor.runCommand("View: Close All Editors");
      await editor.runCommand("Gavel: Show Background Command Output…");
      await quickInput.opened("Show Background Command Output");
      await quickInput.accept();
      await output.getByText("rebuilt", { exact: true }).waitFor();
    });
  });
});
