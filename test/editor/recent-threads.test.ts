import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const TEAM = `
name: Notes
kind: roundRobin
participants: [{ name: ann }]
maxTurns: 1
models:
  default: { provider: practice, pace: 0, lines: { ann: ["The heron stands in the reeds. \`\`\`", "The reeds are empty."] } }
`;

test("threads are started, listed, exported, and deleted with undo", async (context) => {
  const workspace = await folderWithTeam(context, "notes.team.yaml", TEAM);
  await withEditor("recent-threads", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput, page } = editor;
    const step = stepsOf(context, editor, "recent-threads");
    const open = async () => {
      await editor.runCommand("Gavel: Recent Threads…");
      await quickInput.opened("Recent Threads");
    };
    const rows = async () => (await quickInput.items()).map(({ label, detail }) => `${label}: ${detail}`);
    const lists = (wanted: readonly string[]) =>
      until(`the list has ${wanted.join(" | ")}`, async () => {
        assert.deepEqual(await rows(), wanted);
        return true;
      });

    const shows = async (wanted: readonly string[]) => {
      const tabs = (await gavel.chat()).getByRole("tab");
      await until(`the tabs are ${wanted.join(" | ")}`, async () => {
        assert.deepEqual(await tabs.allTextContents(), wanted);
        return true;
      });
    };

    await step("1 a button starts a new thread of the same team beside the present one", async () => {
      await gavel.openTeam("notes.team.yaml", "Notes");
      await gavel.run("What is in the reeds?");
      await gavel.sees("The heron stands in the reeds.");
      await gavel.untilStopped("Notes");
      await page.locator(".pane-header", { hasText: "Chat" }).getByRole("button", { name: "New Thread" }).click();
      await (await gavel.chat()).getByText("Enter a task below to start.").waitFor();
      const tabs = (await gavel.chat()).getByRole("tab");
      await tabs.nth(1).waitFor();
      assert.deepEqual(await tabs.allTextContents(), ["Notes: What is in the reeds?", "Notes: New thread"]);
    });

    await step("2 the list has both under today, with their last lines", async () => {
      await open();
      await lists(["Notes: No messages yet", "Notes: The heron stands in the reeds. ```"]);
      assert.match((await page.locator(".quick-input-list-separator").first().textContent()) ?? "", /Today/);
      assert.match((await quickInput.items())[1]?.description ?? "", /open · Finished/);
    });

    await step("3 a thread is exported as Markdown", async () => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "heron" });
      await row.hover();
      await row.getByRole("button", { name: "Export as Markdown" }).click();
      await editor.statusBarItem("Markdown").waitFor();
      await page.locator(".view-lines", { hasText: "The heron stands in the reeds." }).first().waitFor();
    });

    await step("4 a thread is renamed in the list and by the command, and a fork has a name of its own", async () => {
      await open();
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "heron" });
      await row.hover();
      await row.getByRole("button", { name: "Rename Thread…" }).click();
      await quickInput.opened("Rename Thread");
      await page.keyboard.press("ControlOrMeta+A");
      await quickInput.type("Herons $(zap)");
      await page.keyboard.press("Enter");
      await quickInput.opened("Recent Threads");
      await lists(["Notes: No messages yet", "Herons $\u2060(zap): The heron stands in the reeds. ```"]);
      await page.keyboard.press("Enter");
      // The tabs have the name already; the thread is open once its tab is the selected one.
      await (await gavel.chat()).getByRole("tab", { name: "Herons", selected: true }).waitFor();
      await shows(["Herons $(zap)", "Notes"]);

      await editor.runCommand("Gavel: Fork Team");
      await editor.notification("You are now in a fork of Herons").waitFor();
      await shows(["Herons $(zap)", "Notes", "Herons $(zap) (fork)"]);
      await editor.runCommand("Gavel: Rename Thread…");
      await quickInput.opened("Rename Thread");
      await page.keyboard.press("ControlOrMeta+A");
      await quickInput.type("Copy");
      await page.keyboard.press("Enter");
      await shows(["Herons $(zap)", "Notes", "Copy"]);
    });

    await step("5 a deleted thread is gone from the list, and nothing is lost when that is undone", async () => {
      await open();
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "Herons" });
      await row.hover();
      await row.getByRole("button", { name: "Delete" }).click();
      await lists(["Copy: The heron stands in the reeds. ```", "Notes: No messages yet"]);
      await quickInput.cancel();
      await editor.notification("was deleted").getByRole("button", { name: "Undo" }).click();
      await shows(["Notes", "Copy", "Herons $(zap)"]);
      await gavel.sees("The heron stands in the reeds.");
    });

    await step("6 a text of a message is found, and its thread opens at it; Ctrl+F goes on from there", async () => {
      await open();
      await quickInput.type("what is IN");
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "What is in the reeds?" }).first();
      await row.waitFor();
      await editor.screenshot("found-in-messages");
      await row.click();
      const chat = await gavel.chat();
      await chat.getByRole("search", { name: "Find in thread" }).getByText("1 of 1").waitFor();
      await editor.screenshot("opened-at-message");
      await page.keyboard.press("Escape");
      await chat.getByRole("search").waitFor({ state: "detached" });
      await page.keyboard.press("ControlOrMeta+F");
      await chat.getByRole("search", { name: "Find in thread" }).getByText("1 of 1").waitFor();
    });

    await step("7 the list has more messages of a thread after Show More, and stays open", async () => {
      await gavel.run("Are there more reeds?");
      await gavel.sees("The reeds are empty.");
      await open();
      await quickInput.type("reeds");
      // Show More, the last row, has no detail.
      const details = async () => (await quickInput.items()).map(({ detail }) => detail);
      const more = page.locator(".quick-input-list .monaco-list-row", { hasText: "Show More" });
      await more.waitFor();
      const heron = "The heron stands in the reeds. ```";
      const first = ["The reeds are empty.", "Are there more reeds?", heron, heron, "What is in the reeds?"];
      assert.deepEqual((await details()).slice(0, -1), ["The reeds are empty.", heron, ...first]);
      await editor.screenshot("found-show-more");
      await page.keyboard.press("ArrowUp");
      await until("Show More is active", async () => (await more.getAttribute("class"))?.includes("focused") === true);
      await page.keyboard.press("Enter");
      await more.waitFor({ state: "detached" });
      assert.deepEqual(await details(), ["The reeds are empty.", heron, ...first, "What is in the reeds?"]);
      const active = page.locator(".quick-input-list .monaco-list-row.focused");
      assert.match((await active.textContent()) ?? "", /Copy.*What is in the reeds\?/);
      await editor.screenshot("found-more-shown");
      await quickInput.cancel();
    });

    await step(
      "8 a report of a problem is shown before it is copied, and has the thread only if the user says so",
      async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        const reported = async (choice: string) => {
          await editor.runCommand("Gavel: Report a Problem…");
          await quickInput.opened("Report a Problem");
          await quickInput.choose(choice);
          await page.locator(".view-lines", { hasText: "Problem with Gavel" }).first().waitFor();
          await editor.notification("Nothing has been sent").getByRole("button", { name: "Copy Report" }).click();
          await editor.notification("The report is in the clipboard").waitFor();
          const text = await page.evaluate(() => navigator.clipboard.readText());
          await editor.runCommand("Notifications: Clear All Notifications");
          return text;
        };
        const redacted = await reported("Without the Thread");
        for (const part of [
          "- Gavel: ",
          "- VS Code: 1.",
          "roundRobin, idle; participants: 1 assistant",
          "The agent host is ready",
        ])
          assert.ok(redacted.includes(part), `${part}\n${redacted}`);
        for (const part of ["heron", "Herons", "Copy:", editor.workspace]) assert.ok(!redacted.includes(part), part);
        assert.match(await reported("With the Thread"), /The heron stands in the reeds\./);
      },
    );

    await step("9 the chat moves to the secondary side bar with its thread, and back", async () => {
      const moveTo = async (place: string) => {
        await editor.runCommand("Gavel: Move Chat…");
        await quickInput.opened("Move Chat");
        await quickInput.choose(place);
      };
      await moveTo("Secondary Side Bar");
      await page.locator(".part.auxiliarybar .pane-header", { hasText: "Chat" }).waitFor();
      await gavel.sees("The heron stands in the reeds.");
      await editor.screenshot("chat-in-secondary-side-bar");
      await moveTo("Primary Side Bar");
      await page.locator(".part.sidebar .pane-header", { hasText: "Chat" }).waitFor();
      await gavel.sees("The heron stands in the reeds.");
    });
  });
});
