import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
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

const PRICED = `name: Priced
kind: roundRobin
participants: [{ name: ann, model: cloud }]
models:
  cloud:
    provider: openai
    model: gpt-5
    contextWindow: 128000
    price: { prompt: 1.25, completion: 10 }
  local: { provider: openai, model: "$(flame) qwen3", baseUrl: "http://127.0.0.1:11434/v1" }
  company: { provider: openai, model: small, baseUrl: "https://models.corp.example/v1", contextWindow: 32000 }
`;

const FACTS = {
  cloud: "128,000 tokens of context · $1.25 in, $10 out per million tokens · at OpenAI",
  local: "on this computer, at 127.0.0.1:11434",
  company: "32,000 tokens of context · at models.corp.example",
};

const extension = join(root, "test", "fixtures", "model-provider");

test("a team without any model runs on a language model of VS Code, which reports no usage", async (context) => {
  const workspace = await folderWithTeam(context, "plain.team.yaml", TEAM);
  await writeFile(join(workspace, "priced.team.yaml"), PRICED);
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
    const large = (await editor.quickInput.items()).find(({ label }) => label === "Acme Large");
    assert.equal(large?.detail, "8,000 tokens of context · through VS Code, by acme");
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
    // A new thread takes the focus, which would close the palette.
    await gavel.focusChat(() => editor.runCommand("Gavel: New Thread"));
    await gavel.sees("ann uses Acme Small");
    await button.getByText("Acme Small").waitFor();
    await editor.reload();
    await (await gavel.chat()).locator(".model-button").getByText("Acme Small").waitFor();
    await editor.screenshot("chosen-after-reload");

    // The models of a team file with what it says of them; text in it stays text.
    await gavel.openTeam("priced.team.yaml", "Priced");
    await editor.runCommand("Gavel: Select Model…");
    await editor.quickInput.opened("Select Model");
    await editor.quickInput.choose("Whole Team");
    await editor.quickInput.opened("Everyone uses it from the next turn on");
    await editor.screenshot("model-facts");
    const shown = (await editor.quickInput.items()).filter(({ label }) => Object.hasOwn(FACTS, label));
    assert.deepEqual(Object.fromEntries(shown.map(({ label, detail }) => [label, detail])), FACTS);
    await editor.press("Escape");
  });
});
