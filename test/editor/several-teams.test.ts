import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const practice = (lines: string, pace: number): string => `
maxTurns: 1
models:
  default:
    provider: practice
    pace: ${pace}
    lines:
      ${lines}
`;

/** It speaks until it is interrupted. */
const LONG = `
name: Long
kind: roundRobin
participants: [{ name: talker }]
${practice(`talker: ["${Array.from({ length: 4000 }, (_, index) => `word${index + 1}`).join(" ")}"]`, 100)}`;

const CALL = '{ calls: [{ tool: runCommand, input: { command: "echo hi" } }] }';

const asking = (name: string): string => `
name: ${name}
kind: roundRobin
participants: [{ name: runner, tools: [runCommand] }]
${practice(`runner: [${CALL}, "Then not.", ${CALL}, "Not then either."]`, 0)}`;

test("several teams are open at once, each goes on while another is shown", async (context) => {
  const workspace = await folderWithTeam(context, "long.team.yaml", LONG);
  await writeFile(join(workspace, "asking.team.yaml"), asking("Asking"));
  await writeFile(join(workspace, "same.team.yaml"), asking("Same"));
  await writeFile(join(workspace, "equal.team.yaml"), asking("Equal"));
  await withEditor("several-teams", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "several-teams");
    const tab = async (label: string) => (await gavel.chat()).getByRole("tab", { name: label });
    const seesTab = (label: string) =>
      until(`a tab says "${label}"`, async () => ((await (await tab(label)).isVisible()) ? true : undefined));
    const shows = (team: string) =>
      until(`the chat shows ${team}`, async () =>
        (await (await gavel.chat()).getByRole("heading", { name: team, exact: true }).isVisible()) ? true : undefined,
      );

    await step("1 another team is opened while one is running, without a question", async () => {
      await gavel.openTeam("long.team.yaml", "Long");
      await gavel.run("Go");
      await gavel.seesStreaming();
      await gavel.openTeam("asking.team.yaml", "Asking");
      await seesTab("Long, Running");
      await seesTab("Asking, Idle");
    });

    await step(
      "2 a team that is not shown says that it needs an approval, and the other is still running",
      async () => {
        await gavel.run("Go");
        await seesTab("Asking, Approval needed");
        await editor.press("Control+K");
        await editor.press("Control+Shift+T");
        await quickInput.opened("Switch Team");
        const rows = (await quickInput.items()).map(({ label, description }) => `${label}: ${description}`);
        assert.deepEqual(rows.slice(0, 2), ["Asking: Approval needed · shown", "Long: Running"]);
        // The team that was shown before is preselected.
        await quickInput.accept();
        await shows("Long");
        await gavel.seesStreaming();
        await seesTab("Asking, Approval needed");
      },
    );

    await step("3 the notification's button decides about the team that asks, whichever is shown", async () => {
      await editor.notification("runner wants to use runCommand").getByRole("button", { name: "Review…" }).click();
      await shows("Asking");
      await gavel.decide("reject");
      await gavel.sees("Then not.");
      await seesTab("Asking, Finished");
      await seesTab("Long, Running");
      await editor.runCommand("Gavel: Reset Team…");
      assert.match(await editor.dialog.text(), /Reset Asking\?\s*The team forgets its whole thread of \d+ messages/);
      assert.equal(await editor.dialog.defaultButton(), "New Thread");
      await editor.dialog.choose("Cancel");
    });

    await step("4 a click shows the other, and closing it asks what is to become of its run", async () => {
      await (await tab("Long, Running")).click();
      await shows("Long");
      await editor.runCommand("Gavel: Close Team");
      assert.match(await editor.dialog.text(), /Long is still running/);
      assert.equal(await editor.dialog.defaultButton(), "Close and Keep Running");
      await editor.dialog.choose("Cancel");
      await gavel.seesStreaming();
    });

    await step("5 what is being written stays with its team", async () => {
      const composer = async () => (await gavel.chat()).locator("textarea").last();
      await (await composer()).fill("@talker For the long one");
      await (await tab("Asking, Finished")).click();
      await shows("Asking");
      assert.equal(await (await composer()).inputValue(), "");
      await (await composer()).fill("For the other one");
      await (await tab("Long, Running")).click();
      await shows("Long");
      assert.equal(await (await composer()).inputValue(), "@talker For the long one");
    });

    await step("6 all open teams are there again after a reload, with the same one shown", async () => {
      await editor.reload();
      await editor.runCommand("Gavel: Focus Chat");
      await shows("Long");
      await seesTab("Asking, Finished");
      await seesTab("Long, Interrupted");
      const composer = (await gavel.chat()).locator("textarea").last();
      assert.equal(await composer.inputValue(), "@talker For the long one");
    });

    await step("7 a team that is at rest is closed at once, and the other is shown", async () => {
      await editor.runCommand("Gavel: Close Team");
      await shows("Asking");
      await (await gavel.chat()).getByRole("tab").first().waitFor({ state: "detached" });
    });

    await step("8 the same call of two teams is one request for the user, decided by keyboard", async () => {
      for (const name of ["Same", "Equal"]) {
        await gavel.openTeam(`${name.toLowerCase()}.team.yaml`, name);
        await gavel.focusComposer();
        await editor.page.keyboard.type("Go");
        await editor.page.keyboard.press("Enter");
        await seesTab(`${name}, Approval needed`);
      }
      await editor.runCommand("Gavel: Focus on Approvals View");
      const row = editor.page.getByRole("treeitem", { name: "Run Command: echo hi, runner · Same, Equal" });
      await row.waitFor();
      assert.equal(await editor.page.getByRole("treeitem", { name: "Run Command" }).count(), 1);
      await editor.page.locator(".activitybar .badge-content", { hasText: "1" }).first().waitFor();
      await editor.screenshot("several-teams-approvals");
      // The first time, the view is only expanded.
      await editor.runCommand("Gavel: Focus on Approvals View");
      await until("the row has the focus", async () => {
        await editor.press("ArrowDown");
        const list = editor.page.locator(".monaco-list:focus-within .monaco-list-row.focused", { hasText: "echo hi" });
        return (await list.isVisible()) ? true : undefined;
      });
      await editor.press("Enter");
      assert.match(await editor.dialog.text(), /Command:\s*echo hi/);
      await editor.dialog.choose("Reject");
      await seesTab("Same, Finished");
      await seesTab("Equal, Finished");
      await editor.page.getByText("Nothing is waiting for you.").waitFor();
    });

    await step("9 a chat opens in an editor tab, which is there again after a reload", async () => {
      const inEditor = () =>
        editor.webviewFrame(
          async (frame) =>
            (await frame.getByRole("heading", { name: "Equal" }).isVisible()) &&
            (await frame.getByRole("tab").count()) === 0,
        );
      await editor.runCommand("Gavel: Open Chat in Editor");
      await (await inEditor()).getByText("Then not.").waitFor();
      // A call that waits is decided there as in the view.
      await (await inEditor()).locator(".composer-text").fill("Again");
      await editor.press("Enter");
      await (await inEditor()).locator('.pending [data-decision="reject"]').click();
      await (await inEditor()).getByText("Not then either.", { exact: true }).waitFor();
      // The view shows the same team, with the same draft.
      const inView = async () => {
        const view = await editor.webviewFrame(async (frame) => (await frame.getByRole("tab").count()) > 0);
        return view.locator(".composer-text");
      };
      const seesInView = (text: string) =>
        until(`the view's composer has "${text}"`, async () =>
          (await (await inView()).inputValue()) === text ? true : undefined,
        );
      await (await inEditor()).locator("textarea").fill("A draft");
      await seesInView("A draft");
      await (await inView()).fill("A draft in the editor");
      await until("the tab's composer has it too", async () =>
        (await (await inEditor()).locator("textarea").inputValue()) === "A draft in the editor" ? true : undefined,
      );
      await editor.reload();
      await (await inEditor()).getByText("Then not.").waitFor();
      assert.equal(await (await inEditor()).locator("textarea").inputValue(), "A draft in the editor");
    });
  });
});
