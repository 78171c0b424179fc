import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const everything = join(root, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js");

const TEAM = `
name: Office
kind: roundRobin
participants: [{ name: ann }]
maxTurns: 1
mcpServers:
  all: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(everything)}, stdio] }
models: { default: { provider: practice, pace: 0, lines: { ann: [Done.] } } }
`;

test("prompts and resources of an MCP server, put into a message by keyboard", async (context) => {
  const workspace = await folderWithTeam(context, "office.team.yaml", TEAM);
  await withEditor("mcp-offers", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { page, quickInput } = editor;
    const step = stepsOf(context, editor, "mcp-offers");
    const composer = async () => (await gavel.chat()).locator(".composer-text");
    const options = async () => (await gavel.chat()).getByRole("option");

    await step("1 a server is started from the chat box, after the user has allowed it", async () => {
      await gavel.openTeam("office.team.yaml", "Office");
      await gavel.focusComposer();
      await page.keyboard.type("/mcp");
      await (await options()).first().waitFor();
      await page.keyboard.press("Enter");
      await quickInput.opened("MCP Servers");
      await quickInput.choose("all");
      await quickInput.opened("MCP Server all");
      await quickInput.choose("Start");
      assert.match(await editor.dialog.text(), /Start the MCP server "all"\?/);
      await editor.dialog.choose("Start");
      await editor.notification("The MCP server all runs with").waitFor();
    });

    await step("2 a prompt asks for its arguments with the server's own values, and comes as a draft", async () => {
      await gavel.focusComposer();
      await page.keyboard.type("/complet");
      const prompt = (await options()).filter({ hasText: "/completable-prompt" });
      await prompt.waitFor();
      await editor.screenshot("mcp-prompts");
      await page.keyboard.press("Enter");
      await quickInput.opened("Prompt Team Management of all");
      await quickInput.type("S");
      await until("the server narrows the values", async () => {
        const labels = (await quickInput.items()).map(({ label }) => label);
        return labels.join() === "S,Sales,Support" ? true : undefined;
      });
      await editor.screenshot("mcp-prompt-argument");
      await quickInput.choose("Sales");
      await quickInput.opened("Choose a team member");
      await quickInput.choose("Eve");
      const text = "Please promote Eve to the head of the Sales team.";
      await until("the prompt is the draft", async () =>
        (await (await composer()).inputValue()) === text ? true : undefined,
      );
    });

    await step("3 a resource is attached by #, and goes with the message", async () => {
      await gavel.focusComposer();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(" See #archi");
      await (await options()).filter({ hasText: "architecture" }).first().waitFor();
      await page.keyboard.press("Enter");
      const chip = (await gavel.chat()).locator(".attachment .resource-chip");
      await chip.filter({ hasText: "architecture" }).waitFor();
      await editor.screenshot("mcp-resource");
      const text = "Please promote Eve to the head of the Sales team. See #architecture.md ";
      assert.equal(await (await composer()).inputValue(), text);
      await page.keyboard.press("Enter");
      await gavel.sees("Done.");
      const sent = (await gavel.chat()).locator(".resource-chip").filter({ hasText: "architecture" });
      assert.equal(await sent.count(), 1);
    });
  });
});
