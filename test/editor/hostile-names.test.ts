import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { Locator } from "playwright-core";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** VS Code would make a link of this that closes the window, an image that tells its owner, and an icon. */
const LINK = "[x](command:workbench.action.quit)";
const HOSTILE = `${LINK} ![p](https://evil.example/p.png) $(flame)`;

/** An endpoint whose error has links. */
async function endpoint(context: TestContext): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: `Refused: ${HOSTILE} [docs](https://evil.example)` } }));
  });
  context.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const team = (url: string): string => `
name: "${HOSTILE}"
kind: roundRobin
participants:
  - { name: eve, description: "${HOSTILE}", tools: [runCommand] }
  - { name: bob, model: remote }
  - { name: constructor }
maxTurns: 2
models:
  default:
    provider: practice
    pace: 0
    lines:
      eve:
        - calls: [{ tool: runCommand, input: { command: "echo 1" } }]
        - "Done, ${HOSTILE}"
  remote: { provider: openai, model: m, baseUrl: "${url}", maxRetries: 0 }
`;

/** The text of an element, which has no link, icon or image, without the joiners that keep them from being made. */
async function plain(element: Locator, links = "[href], [data-href]"): Promise<string> {
  await element.waitFor();
  assert.equal(await element.locator(links).count(), 0, "it has no link");
  assert.equal(await element.locator(".codicon-flame").count(), 0, "it has no icon of the text");
  assert.equal(await element.locator("img").count(), 0, "it has no image");
  return ((await element.textContent()) ?? "").replaceAll("\u2060", "");
}

test("names and errors with links, images and icons are shown as text wherever VS Code would interpret them", async (context) => {
  const workspace = await folderWithTeam(context, "hostile.team.yaml", team(await endpoint(context)));
  const machineSettings = {
    "gavel.approvals.confirm": "dialog",
    "gavel.model": { provider: "practice", [LINK]: true },
  };
  await withEditor("hostile-names", { workspace, machineSettings }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "hostile-names");
    const message = (text: string): Locator =>
      editor.notification(text).locator(".notification-list-item-message").first();
    const widget = editor.page.locator(".quick-input-widget");
    const requests: string[] = [];
    editor.page.on("request", (request) => requests.push(request.url()));

    await step("1 a message of the host", async () => {
      await gavel.openTeamFile("hostile.team.yaml");
      await gavel.sees("Enter a task below to start");
      assert.ok((await plain(message("The setting gavel.model is ignored"))).includes(LINK));
    });

    await step("2 the status bar", async () => {
      assert.ok((await plain(editor.statusBarItem("[x]").locator(".statusbar-item-label"))).includes(HOSTILE));
    });

    await step("3 the tooltip of a participant", async () => {
      await editor.runCommand("Gavel: Focus on Participants View");
      await editor.page.locator(".custom-view-tree-node-item-resourceLabel", { hasText: "constructor" }).waitFor();
      await editor.page.locator(".custom-view-tree-node-item-resourceLabel", { hasText: "eve" }).hover();
      assert.ok((await plain(editor.page.locator(".monaco-hover").last())).includes(LINK));
      await editor.press("Escape");
    });

    await step("4 the notification of a call that needs approval, and the dialog", async () => {
      await editor.runCommand("View: Close Primary Side Bar");
      await gavel.run("Go");
      assert.equal(await plain(message("wants to use runCommand")), `${HOSTILE}: eve wants to use runCommand.`);
      await editor.notification("wants to use runCommand").getByRole("button", { name: "Review…" }).click();
      await editor.dialog.choose("Allow Once");
    });

    await step("5 the error of an endpoint", async () => {
      assert.ok((await plain(message("Refused"))).includes(`Refused: ${HOSTILE} [docs](https://evil.example)`));
    });

    await step("6 a list of participants, and its hover", async () => {
      await editor.runCommand("Gavel: Message a Participant…");
      await editor.quickInput.opened("Message a Participant");
      const row = widget.locator(".monaco-list-row", { hasText: "idle · Done" });
      assert.ok((await plain(row)).includes(`Done, ${HOSTILE}`));
      await row.locator(".quick-input-list-label-meta").hover();
      // A hover is Markdown, so that an address as such is a link, with itself as its text.
      const hover = editor.page.locator(".monaco-hover").last();
      assert.ok((await plain(hover, "[href^=command], [data-href^=command]")).includes("[x](command:"));
      await editor.quickInput.cancel();
    });

    assert.deepEqual(
      requests.filter((url) => url.includes("evil.example")),
      [],
    );
  });
});
