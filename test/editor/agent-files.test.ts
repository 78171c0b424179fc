import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { root } from "../../scripts/root.ts";
import { delta, finished, rawEndpoint, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import { GavelDriver } from "./gavel-driver.ts";
import type { Editor } from "./harness/editor.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";

const FILES = {
  ".github/agents/author.agent.md":
    "---\nname: author\ndescription: 'Writes $(alert) code \u202e[now](command:x)'\ntools: ['edit']\n---\nYou write.",
  ".claude/agents/reviewer.md":
    "---\nname: reviewer\ndescription: Reviews code\ntools: Read, Zap\nmodel: opus\n---\nYou review with care.",
  ".claude/agents/broken.md": "---\nname: [\n---\nText.",
  "AGENTS.md": "Write short sentences.",
};

test("a user makes a team of agent files by keyboard, finds it on the command line, and reloads it when a file changes", async (context) => {
  await using endpoint = await rawEndpoint((response) =>
    sendStream(response, delta({ content: "It is done." }), finished),
  );
  const machineSettings = { "gavel.model": { provider: "openai", model: "m", baseUrl: endpoint.url, maxRetries: 0 } };
  const workspace = await folderOf(context, FILES);
  await withEditor("agent-files", { workspace, machineSettings }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput, page } = editor;
    const step = stepsOf(context, editor, "agent-files");
    const file = join(editor.workspace, "agents.team.yaml");
    await page.getByRole("tab", { name: "Gavel" }).waitFor();

    await step("1 what was found is shown as text, with what is not taken over and what is wrong", async () => {
      await editor.runCommand("Gavel: New Team from Agent Files…");
      await quickInput.opened("New Team from Agent Files");
      const rows = await quickInput.items();
      const row = (name: string) => rows.find(({ label }) => label.includes(name));
      assert.match(row("author")?.detail ?? "", /^Writes .*code/);
      assert.doesNotMatch(row("author")?.detail ?? "", /\u202e/);
      assert.partialDeepStrictEqual(row("reviewer"), {
        description: ".claude/agents/reviewer.md · 2 parts not taken over",
        detail: "Reviews code",
      });
      assert.match(row("broken.md")?.detail ?? "", /line 2/);
      // The agents of the workspace are selected, and nothing else.
      await page.locator(".quick-input-widget").getByText("2 Selected").waitFor();
    });

    await step("2 how they work together is asked, and the file is shown before it is saved", async () => {
      await quickInput.accept();
      await quickInput.opened("How do the 2 agents work together?");
      await editor.screenshot("agent-files-kind");
      await quickInput.choose("Everyone in Turn");
      await page.getByRole("tab", { name: "agents.team.yaml" }).waitFor();
      await assert.rejects(readFile(file), { code: "ENOENT" });
      await editor.notification("The draft is not saved yet").waitFor();
    });

    await step("3 it is saved and opened by one button, and each agent speaks by its file", async () => {
      const draft = editor.notification("The draft is not saved yet");
      await draft.getByRole("button", { name: "Save and Open Team" }).click();
      await (await gavel.chat()).getByRole("heading", { name: "My Agents" }).waitFor();
      const text = await readFile(file, "utf8");
      assert.match(text, /^instructionFiles: \[AGENTS\.md\]$/m);
      assert.match(
        text,
        /^ {2}- agent: \.claude\/agents\/reviewer\.md\n(?: {4}# .*\n)* {4}# .*"opus" is not taken over/m,
      );
      assert.doesNotMatch(text, /broken|\u202e/);
    });

    await step("4 the command line finds the window's store, and the thread in it", async () => {
      await gavel.run("Go.");
      await gavel.sees("It is done.");
      await gavel.untilStopped("My Agents");
      const [team, ...others]: readonly Readonly<Record<string, unknown>>[] = JSON.parse(
        await commandLine(editor, "list", "--json"),
      );
      assert.deepEqual([team?.["name"], others], ["My Agents", []]);
      assert.match(await commandLine(editor, "show", String(team?.["teamId"])), /^reviewer\n {2}It is done\.$/m);
      assert.deepEqual(JSON.parse(await commandLine(editor, "list", "--json", "--own-store")), []);
    });

    await step(
      "5 a changed agent file is noticed, and the team that is reloaded uses it; its thread stays",
      async () => {
        assert.match(systemTexts(endpoint.requests), /You review with care\./);
        const reviewer = join(editor.workspace, ".claude", "agents", "reviewer.md");
        await writeFile(reviewer, "---\nname: reviewer\n---\nYou review at once.");
        const notice = editor.notification('Files of "My Agents" have changed');
        await notice.waitFor();
        await editor.screenshot("agent-files-changed");
        await notice.getByRole("button", { name: "Reload Team" }).click();
        await notice.waitFor({ state: "detached" });
        await gavel.sees("It is done.");
        const before = endpoint.requests.length;
        await gavel.run("Once more.");
        await gavel.sees("Once more.");
        await gavel.untilStopped("My Agents");
        const since = systemTexts(endpoint.requests.slice(before));
        assert.match(since, /You review at once\./);
        assert.doesNotMatch(since, /with care/);
      },
    );

    await step("6 so is one that is deleted, and one that is there again", async () => {
      const notice = 'Files of "My Agents" have changed';
      const reviewer = join(editor.workspace, ".claude", "agents", "reviewer.md");
      await rm(reviewer);
      await editor.clearNotification(notice);
      await writeFile(reviewer, "---\nname: reviewer\n---\nYou review again.");
      await editor.notification(notice).waitFor();
    });
  });
});

const systemTexts = (requests: readonly { readonly body: string }[]): string =>
  requests.map(({ body }) => body).join("\n");

/** What the built command prints, for the user of the window, in its folder. */
async function commandLine(editor: Editor, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "dist", "cli.js"), ...args], {
    cwd: editor.workspace,
    env: { ...process.env, XDG_DATA_HOME: editor.userData },
    timeout: 60_000,
  });
  return stdout;
}

async function folderOf(context: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-agents-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
