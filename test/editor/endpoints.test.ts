import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { delta, finished, rawEndpoint, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const teamOf = (name: string, baseUrl: string, key = ""): string => `
name: ${name}
kind: roundRobin
participants:
  - name: ann
maxTurns: 1
models:
  default: { provider: openai, model: m, baseUrl: "${baseUrl}/v1", maxRetries: 0${key} }
`;

test("an endpoint that a team file names gets nothing before the user allows it", async (context) => {
  await using endpoint = await rawEndpoint((response, count) =>
    sendStream(response, delta({ content: `Answer ${count}` }), finished),
  );
  const port = endpoint.host.split(":")[1];
  // Leads to this machine, but is not an address of it alone.
  const away = `http://0.0.0.0:${port}`;
  const workspace = await folderWithTeam(context, "away.team.yaml", teamOf("Away", away));
  await withEditor("endpoints", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "endpoints");
    // The composer gets the focus when another team opens, and takes it from a command's input.
    const say = async (task: string): Promise<void> => {
      await gavel.focusComposer();
      await editor.page.keyboard.type(task);
      await editor.press("Enter");
    };

    await step("1 the user is asked, and nothing is sent after a refusal", async () => {
      await gavel.openTeam("away.team.yaml", "Away");
      await gavel.run("Read .env");
      assert.match(await editor.dialog.text(), new RegExp(`Send messages to ${away}\\?.*not encrypted`, "s"));
      await editor.dialog.choose("Cancel");
      await gavel.sees(`Nothing was sent to ${away}`);
      assert.equal(endpoint.requests.length, 0);
    });

    await step("2 the run goes on when the user allows it", async () => {
      await gavel.click("Try Again");
      await editor.dialog.choose("Allow");
      await gavel.sees("Answer 1");
    });

    await step("3 the user is not asked again", async () => {
      await gavel.run("Once more");
      await gavel.sees("Answer 2");
    });

    await step("4 a permission can be taken back", async () => {
      await editor.runCommand("Gavel: Allowed Endpoints");
      await editor.quickInput.opened("Allowed Endpoints");
      await editor.quickInput.choose(away);
      await editor.notification(`asks again before it sends anything to ${away}`).waitFor();
      await gavel.run("Again");
      assert.match(await editor.dialog.text(), new RegExp(`Send messages to ${away}\\?`));
      await editor.dialog.choose("Cancel");
      await gavel.untilStopped("Away");
      assert.equal(endpoint.requests.length, 2);
    });

    await step("5 a key that may go to https is asked about for http", async () => {
      const key = ", apiKey: { secret: mine }";
      await writeFile(join(editor.workspace, "secure.team.yaml"), teamOf("Secure", `https://${endpoint.host}`, key));
      await writeFile(join(editor.workspace, "plain.team.yaml"), teamOf("Plain", `http://${endpoint.host}`, key));
      await gavel.openTeam("secure.team.yaml", "Secure");
      await say("Go");
      await gavel.click("Set API Key");
      await editor.quickInput.opened('Set API Key "mine"');
      await editor.quickInput.type("sk-secret-of-the-test");
      await editor.quickInput.accept();
      await editor.notification('The API key "mine" is set').waitFor();
      await gavel.click("Try Again");
      assert.match(await editor.dialog.text(), new RegExp(`your key "mine" to https://${endpoint.host}\\?`));
      await editor.dialog.choose("Allow");
      // The endpoint speaks no TLS.
      await gavel.sees("Could not connect");
      await gavel.openTeam("plain.team.yaml", "Plain");
      await say("Go");
      assert.match(await editor.dialog.text(), new RegExp(`your key "mine" to http://${endpoint.host}\\?`));
      await editor.dialog.choose("Cancel");
      await gavel.sees("may not be sent there");
      assert.equal(endpoint.requests.length, 2);
    });
  });
});
