import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { FakeEndpoint } from "../contract/harness/endpoint.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";

const team = (baseUrl: string): string => `
name: Pair
kind: roundRobin
participants:
  - { name: ann, instructions: I am ann. }
maxTurns: 1
models:
  default: { provider: openai, model: any, baseUrl: "${baseUrl}" }
`;

/** A folder with these files, removed after the test. */
async function folderOf(context: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-composer-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test("a user attaches files and a selection to a message, and no draft is lost", async (context) => {
  await using endpoint = await FakeEndpoint.start();
  endpoint.says("ann", "I see.");
  const workspace = await folderOf(context, {
    "pair.team.yaml": team(endpoint.baseUrl),
    "split.js": "const one = 1;\nconst two = 2;\nconst three = 3;\n",
    ".env": "KEY=very-secret\n",
    "gone.md": "soon gone\n",
    "broken.team.yaml": "name: Broken\nkind: roundRobin\nparticipants: [{ name: 1 }]\nmaxTurns: many\n",
  });
  await mkdir(join(workspace, "docs"));
  await withEditor("composer", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "composer");
    const composer = async () => (await gavel.chat()).locator(".composer-text");
    const chips = async () => (await gavel.chat()).locator(".attachment .resource-name");
    const type = (text: string) => editor.page.keyboard.type(text);
    /** Types the start of something's name after `#`, and accepts it once it is the first in the list. */
    const attach = async (typed: string, label: string) => {
      await type(`#${typed}`);
      const first = (await gavel.chat()).locator(".completion.is-chosen .completion-label");
      await first.getByText(label, { exact: true }).waitFor();
      await editor.press("Enter");
    };
    const asked = () => endpoint.conversations.at(-1)?.join("\n") ?? "";
    /** The last request, as it was sent. */
    const sent = () => JSON.stringify(endpoint.mock.getRequests().at(-1));
    const untilAnswered = async (count: number) => {
      await until(`${count} answers`, () => (endpoint.conversations.length === count ? true : undefined));
      await gavel.untilStopped("Pair");
    };

    await step("1 a file is found by its name, attached, and sent with what it holds", async () => {
      await gavel.openTeam("pair.team.yaml", "Pair");
      await gavel.focusComposer();
      await attach("spl", "split.js");
      await (await chips()).getByText("split.js").waitFor();
      await type("What is it?");
      await editor.press("Enter");
      await untilAnswered(1);
      assert.match(asked(), /#split\.js What is it\?\n\n\[The user attached the file "split\.js"/);
      assert.match(asked(), /\n```\nconst one = 1;\nconst two = 2;\nconst three = 3;\n```/);
      assert.equal(await (await composer()).inputValue(), "");
    });

    await step("2 the thread shows a chip in place of the text, which opens the file", async () => {
      const chip = (await gavel.chat()).locator(".user-message .resource-chip");
      assert.equal(await chip.locator(".resource-name").innerText(), "split.js");
      await chip.click();
      await editor.page.getByRole("tab", { name: "split.js" }).waitFor();
    });

    await step("3 a selection is attached from the editor, with changes that are not saved", async () => {
      const lines = editor.page.locator(".editor-instance .view-lines").first();
      await lines.click();
      await editor.press("Control+Home");
      await type("const zero = 0;");
      await editor.press("Enter");
      await editor.press("Shift+ArrowDown");
      await editor.runCommand("Gavel: Add to Gavel Chat");
      await (await chips()).getByText("split.js:2").waitFor();
      await gavel.focusComposer();
      await type("And this?");
      await editor.press("Enter");
      await untilAnswered(2);
      assert.match(asked(), /the selection "split\.js:2"/);
      await lines.click();
      await editor.press("Control+A");
      await editor.runCommand("Gavel: Add to Gavel Chat");
      await (await chips()).getByText("split.js:1-4").waitFor();
      await gavel.focusComposer();
      await type("All of it?");
      await editor.press("Enter");
      await untilAnswered(3);
      assert.match(asked(), /\n```\nconst zero = 0;\nconst one/);
    });

    await step("4 a file that may hold secrets is asked about", async () => {
      await gavel.focusComposer();
      await attach(".env", ".env");
      assert.match(await editor.dialog.text(), /Attach ".env"\?Environment files hold passwords and keys/);
      await editor.dialog.choose("Cancel");
      assert.equal(await (await chips()).count(), 0);
      await (await composer()).fill("");

      await (await composer()).evaluate((box) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(["-----BEGIN"], "id_rsa"));
        box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      });
      assert.match(await editor.dialog.text(), /Attach "id_rsa"\?/);
      await editor.dialog.choose("Cancel");
      assert.equal(await (await chips()).count(), 0);
    });

    await step("5 the files selected in the Explorer are attached together, and a folder says what to do", async () => {
      await editor.runCommand("View: Show Explorer");
      const file = (name: string) => editor.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });
      await file("docs").click();
      for (const name of ["gone.md", "pair.team.yaml", "split.js"])
        await file(name).click({ modifiers: ["ControlOrMeta"] });
      await file("split.js").click({ button: "right" });
      // VS Code ignores the mouse until a menu has been open for a moment.
      await editor.page.getByRole("menuitem", { name: "Add to Gavel Chat" }).hover();
      await editor.press("Enter");
      await (await chips()).nth(2).waitFor();
      const names = await (await chips()).allInnerTexts();
      assert.deepEqual(names.toSorted(), ["gone.md", "pair.team.yaml", "split.js"]);
      await gavel.sees('"docs" is a folder. Attach files, or name it in the message');
      await editor.screenshot("explorer-attached");
      for (const name of ["pair.team.yaml", "split.js", "gone.md"])
        await (await gavel.chat()).getByRole("button", { name: `Remove ${name}` }).click();
      await (await chips()).first().waitFor({ state: "detached" });
    });

    await step("6 a message whose file is gone is not sent, and comes back", async () => {
      await gavel.focusComposer();
      await attach("gone", "gone.md");
      await (await chips()).getByText("gone.md").waitFor();
      await unlink(join(editor.workspace, "gone.md"));
      await type("Read it");
      await editor.press("Enter");
      await gavel.sees('"gone.md" does not exist or cannot be read');
      await until("the draft is back", async () =>
        (await (await composer()).inputValue()) === "#gone.md Read it" ? true : undefined,
      );
      await (await chips()).getByText("gone.md").waitFor();
    });

    await step("7 the draft outlives the hidden view and a reload of the window", async () => {
      await editor.runCommand("View: Show Explorer");
      await editor.runCommand("Gavel: Focus Chat");
      await (await chips()).getByText("gone.md").waitFor();
      assert.equal(await (await composer()).inputValue(), "#gone.md Read it");
      await gavel.focusComposer();
      await editor.press("End");
      await type(" now");
      // Keys reach the page one after another, and the palette takes the rest of them.
      await until("the text is typed", async () =>
        (await (await composer()).inputValue()) === "#gone.md Read it now" ? true : undefined,
      );
      await editor.reload();
      await until("the draft is there", async () =>
        (await (await composer()).inputValue()) === "#gone.md Read it now" ? true : undefined,
      );
      await (await chips()).getByText("gone.md").waitFor();
    });

    await step("8 the problems that the editor reports are attached", async () => {
      await (await gavel.chat()).getByRole("button", { name: "Remove gone.md" }).click();
      await (await composer()).fill("");
      await editor.runCommand("Go to File...");
      await type("broken.team");
      await editor.quickInput.choose("broken.team.yaml");
      await editor.page.locator(".editor-instance .squiggly-error").first().waitFor();
      await gavel.focusComposer();
      await attach("prob", "problems");
      await (await chips()).getByText(/^\d+ problems?$/).waitFor();
      await type("Fix them");
      await editor.press("Enter");
      await untilAnswered(4);
      assert.match(asked(), /broken\.team\.yaml:\d+:\d+: error/);
    });

    await step("9 a text file and an image are pasted: the image is sent scaled down, as its chip shows", async () => {
      await gavel.focusComposer();
      await (await composer()).evaluate(async (box) => {
        const canvas = new OffscreenCanvas(4096, 1024);
        canvas.getContext("2d")?.fillRect(0, 0, 100, 100);
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(["alpha\nbeta\n"], "notes.txt", { type: "text/plain" }));
        clipboardData.items.add(new File([await canvas.convertToBlob()], "shot.png", { type: "image/png" }));
        box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      });
      await (await chips()).getByText("notes.txt").waitFor();
      const shot = (await gavel.chat()).getByRole("button", { name: /^shot\.png, 2048 by 512 pixels/ });
      await shot.waitFor();
      await editor.screenshot("pasted-image");
      await shot.click();
      // What opens takes the focus, once it is loaded.
      await editor.statusBarItem("2048x512").waitFor();
      await gavel.focusComposer();
      await (await composer()).fill("Look");
      await (await composer()).press("Enter");
      await untilAnswered(5);
      assert.match(asked(), /alpha\\nbeta/);
      const [, base64 = ""] = /data:image\/png;base64,([A-Za-z0-9+/=]+)/.exec(sent()) ?? [];
      const header = Buffer.from(base64, "base64").subarray(16, 24);
      assert.deepEqual([header.readUInt32BE(0), header.readUInt32BE(4)], [2048, 512]);
    });

    await step("10 the output of the last command in a terminal is attached", async () => {
      await editor.runCommand("Terminal: Create New Terminal");
      // Shell integration marks each prompt: the shell takes keys, and the second one follows the command.
      const prompts = editor.page.locator(".terminal-wrapper .terminal-command-decoration");
      await prompts.first().waitFor();
      await editor.page.locator(".terminal-wrapper .xterm-screen").click();
      // VS Code may lose what a command prints at once, together with its start: this one prints the rest after an answer.
      await type("printf 'Whi''ch? '; read it; echo from-the-$it");
      await editor.press("Enter");
      await editor.page.locator(".terminal-wrapper .xterm-rows", { hasText: "Which?" }).waitFor();
      await type("42");
      await editor.press("Enter");
      await prompts.nth(1).waitFor();
      await gavel.focusComposer();
      await attach("term", "terminal");
      await (await chips()).getByText("echo from-the").waitFor();
      await type("What was that?");
      await editor.press("Enter");
      await untilAnswered(6);
      assert.match(asked(), /\$ printf .*; echo from-the-\$it\n.*42\nfrom-the-42/);
    });

    await step("11 a file is dragged from the Explorer onto the chat with Shift held", async () => {
      await editor.runCommand("View: Show Explorer");
      await editor.runCommand("Gavel: Open Chat in Editor");
      const row = editor.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "split.js" });
      const target = editor.page.locator(".editor-group-container");
      await (await composer()).waitFor();
      await row.waitFor();
      const from = await row.boundingBox();
      const to = await target.boundingBox();
      assert.ok(from !== null && to !== null);
      const { mouse, keyboard } = editor.page;
      await mouse.move(from.x + 40, from.y + from.height / 2);
      await mouse.down();
      await keyboard.down("Shift");
      await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
      // As a user does: it is let go once the chat shows that it takes it.
      await until("the chat takes what is dragged", async () => {
        for (const by of [4, 0]) await mouse.move(to.x + to.width / 2 + by, to.y + to.height / 2 + by);
        return (await (await gavel.chat()).locator(".composer.is-over").isVisible()) ? true : undefined;
      });
      await mouse.up();
      await keyboard.up("Shift");
      await (await chips()).getByText("split.js").waitFor();
    });
  });
});
