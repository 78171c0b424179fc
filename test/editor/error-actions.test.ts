import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const wrong = `
name: Wrong
kind: roundRobbin
participants:
  - { name: ann, model: fats }
models:
  fast: { provider: practice }
`;

const corrected = `
name: Wrong
kind: roundRobin
participants:
  - { name: ann, model: fast }
models:
  fast: { provider: practice }
`;

/** The team needs a key first; then its endpoint is down, as nothing listens on the discard port. */
const keyed = `
name: Keyed
kind: roundRobin
participants:
  - name: ann
models:
  default: { provider: openai, model: m, baseUrl: "http://127.0.0.1:9/v1", apiKey: { secret: mine }, maxRetries: 0 }
`;

test("an error is one sentence, with a button that opens what has to be corrected", async (context) => {
  const workspace = await folderWithTeam(context, "wrong.team.yaml", wrong);
  await withEditor("error-actions", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "error-actions");

    await step("1 every problem of a team file is marked at its place", async () => {
      await gavel.openTeamFile("wrong.team.yaml");
      await editor.page.locator(".statusbar-item").getByRole("button", { name: "Errors: 2" }).waitFor();
    });

    await step("2 the chat shows them, and opens the file at the first one", async () => {
      await gavel.sees("wrong.team.yaml cannot be opened: it has 2 problems.");
      const problem = editor.page.locator(".markers-panel .monaco-list-row", { hasText: "roundRobbin" });
      await gavel.click("Show 2 Problems");
      await problem.waitFor();
      // Once more, by a double click too, shows them still.
      await (await gavel.chat()).getByRole("button", { name: "Show 2 Problems" }).dblclick();
      await gavel.click("Edit Team File");
      await editor.page.getByRole("tab", { name: "wrong.team.yaml" }).first().waitFor();
      await editor.statusBarItem("Ln 3").waitFor();
      await problem.waitFor();
      await until("no team can be run", async () =>
        (await editor.quickInput.offersCommand("Gavel: Run Team…")) ? undefined : true,
      );
    });

    await step("3 a missing key can be set from the chat", async () => {
      await writeFile(join(editor.workspace, "keyed.team.yaml"), keyed);
      await gavel.openTeam("keyed.team.yaml", "Keyed");
      await gavel.run("Go");
      await gavel.click("Set API Key");
      await editor.quickInput.opened('Set API Key "mine"');
      await editor.quickInput.type("sk-secret-of-the-test");
      await editor.quickInput.accept();
      await editor.notification('The API key "mine" is set').waitFor();
    });

    await step("4 a file that fails does not leave another team active, and opens once it is corrected", async () => {
      await gavel.openTeamFile("wrong.team.yaml");
      await gavel.sees("wrong.team.yaml cannot be opened");
      await until("no team can be run", async () =>
        (await editor.quickInput.offersCommand("Gavel: Run Team…")) ? undefined : true,
      );
      await writeFile(join(editor.workspace, "wrong.team.yaml"), corrected);
      await (await gavel.chat()).getByRole("heading", { name: "Wrong" }).waitFor();
      await (await gavel.chat()).getByRole("tab", { name: "Keyed" }).click();
      await (await gavel.chat()).getByRole("heading", { name: "Keyed" }).waitFor();
    });

    await step("5 the user is asked before the key is first sent to a host", async () => {
      await gavel.click("Try Again");
      assert.match(await editor.dialog.text(), /Send messages and your key "mine" to http:\/\/127\.0\.0\.1:9\?/);
      await editor.dialog.choose("Allow");
    });

    await step("6 the chat says that the endpoint is down, and never shows the key", async () => {
      const errors = (await gavel.chat()).locator("article.row-error");
      await errors.nth(1).waitFor();
      assert.match((await errors.nth(1).textContent()) ?? "", /127\.0\.0\.1:9/);
      assert.doesNotMatch((await errors.nth(1).textContent()) ?? "", /needs a key/);
      const page = await (await gavel.chat()).locator("body").textContent();
      assert.doesNotMatch(page ?? "", /sk-secret/);
    });
  });
});
