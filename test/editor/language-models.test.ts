import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A team that names no model at all. */
const TEAM = `name: Plain
kind: roundRobin
maxTurns: 1
participants: [{ name: ann }]
`;

const extension = join(root, "test", "fixtures", "model-provider");

test("a team without any model runs on a language model of VS Code, which reports no usage", async (context) => {
  const workspace = await folderWithTeam(context, "plain.team.yaml", TEAM);
  await withEditor("language-models", { workspace, extension }, async (editor) => {
    const gavel = new GavelDriver(editor);
    await gavel.openTeam("plain.team.yaml", "Plain");
    await gavel.run("say something");
    await gavel.sees("I heard: USER SAID:");
    await gavel.sees("SAY SOMETHING");
    await gavel.sees(/^Finished/);
    assert.match(await gavel.lastRow("runEnd"), /about \d+ tokens/);

    await editor.runCommand("Gavel: Select Model…");
    await editor.quickInput.opened("Select Model");
    await editor.screenshot("select-model");
    await editor.quickInput.choose("Default Model");
    await editor.quickInput.opened("Select Default Model");
    await editor.quickInput.choose("Acme Small");
    await editor.notification("now use Acme Small").waitFor();
    await gavel.run("again");
    await gavel.sees("AGAIN");

    // From the chat, with the mouse: the model of the whole team.
    const button = (await gavel.chat()).locator(".model-button");
    await button.getByText("Acme Small").click();
    await editor.quickInput.opened("Select Model");
    await editor.quickInput.choose("Whole Team");
    await editor.quickInput.opened("Everyone uses it from the next turn on");
    await editor.screenshot("team-models");
    await editor.quickInput.choose("Acme Large");
    await button.getByText("Acme Large").waitFor();
    await gavel.sees("The team uses Acme Large");
    await gavel.run("and now");
    await gavel.sees("Large heard:");

    // By keyboard, for one participant; a new thread keeps what was chosen.
    await editor.runCommand("Gavel: Select Model for Participant…");
    await editor.quickInput.opened("Select Model for Participant");
    await editor.quickInput.choose("ann");
    await editor.quickInput.opened("Select Model for ann");
    await editor.screenshot("participant-models");
    await editor.quickInput.choose("Acme Small");
    await gavel.sees("ann uses Acme Small");
    await editor.runCommand("Gavel: Focus on Participants View");
    await editor.page.locator(".custom-view-tree-node-item-resourceLabel", { hasText: "ann" }).hover();
    await editor.page.locator(".monaco-hover", { hasText: "Model: Acme Small" }).waitFor();
    await editor.press("Escape");
    await editor.runCommand("Gavel: New Thread");
    await gavel.sees("ann uses Acme Small");
    await button.getByText("Acme Small").waitFor();
    await editor.reload();
    await (await gavel.chat()).locator(".model-button").getByText("Acme Small").waitFor();
    await editor.screenshot("chosen-after-reload");
  });
});
