import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import {
  delta,
  finished,
  rawEndpoint,
  sendJson,
  sendStream,
  startStream,
} from "../../server/models/testing/raw-endpoint.ts";
import { GavelDriver } from "./gavel-driver.ts";
import type { Editor } from "./harness/editor.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { chooseWorkspaceAndPracticeModel, nameAuthorAndReviewer } from "./new-team-questions.ts";
import { stepsOf } from "./steps.ts";

const extension = join(root, "test", "fixtures", "model-provider");

const GOOD = `# Writes release notes.
name: Release Notes
kind: roundRobin
participants:
  - { name: ann, instructions: Write., tools: [readFile] }
  - { name: bob, instructions: Review. }
termination: { maxMessages: 6 }`;
const BAD = GOOD.replace("roundRobin", "roundrobin").replace("Release Notes", "Broken Notes");

const says = (text: string) => (response: ServerResponse) => sendStream(response, delta({ content: text }), finished);

test("a user checks the setup until it works, and makes teams by questions and from a task", async (context) => {
  let answer: (response: ServerResponse) => void = says("OK");
  await using endpoint = await rawEndpoint((response) => answer(response));
  const model = { provider: "openai", model: "m", baseUrl: endpoint.url, apiKey: { secret: "mine" }, maxRetries: 0 };
  const machineSettings = { "gavel.model": model };
  await withEditor("new-team", { extension, machineSettings }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput, page } = editor;
    const step = stepsOf(context, editor, "new-team");
    await page.getByRole("tab", { name: "Gavel" }).waitFor();

    await step(
      "1 a missing key is named, and set by keyboard alone, for an endpoint that the user allows",
      async () => {
        await editor.runCommand("Gavel: Check Setup");
        assert.match(await findingOf(editor, "Default model", "needs"), /needs a key|no key|API key/i);
        const [first, ...others] = await placesOf(editor);
        assert.equal(first, "Default model");
        // A machine without bubblewrap has the sandbox before what works.
        assert.deepEqual(others.toSorted(), ["Agent host", "Sandbox", "Storage", "Workspace trust"]);
        await editor.screenshot("check-setup-no-key");
        answer = (response) => sendJson(response, 401, { error: { message: "Incorrect API key provided" } });
        await quickInput.choose("Default model");
        await quickInput.opened('Set API Key "mine"');
        await quickInput.type("sk-wrong");
        await quickInput.accept();
        assert.match(await editor.dialog.text(), /your key "mine" to http:\/\/127\.0\.0\.1/);
        await editor.dialog.choose("Allow");
      },
    );

    await step("2 a refused key is named, and replaced with the mouse; then everything works", async () => {
      assert.match(await findingOf(editor, "Default model", "401"), /127\.0\.0\.1/);
      await editor.screenshot("check-setup-refused");
      answer = says("OK");
      const row = page.locator(".quick-input-widget .monaco-list-row", { hasText: "Default model" });
      await row.hover();
      await row.getByRole("button", { name: "Set API Key" }).click();
      await quickInput.opened('Set API Key "mine"');
      await quickInput.type("sk-right");
      await quickInput.accept();
      await findingOf(editor, "Default model", "The model answers.");
      await quickInput.opened("Everything works.");
      await editor.screenshot("check-setup");
    });

    await step("3 a used-up quota and an endpoint that is down are named, and another model is connected", async () => {
      const code = { message: "You exceeded your current quota", code: "insufficient_quota" };
      answer = (response) => sendJson(response, 429, { error: code }, { "x-should-retry": "false" });
      await quickInput.choose("Check Again");
      await findingOf(editor, "Default model", "no quota left");
      answer = (response) => response.socket?.destroy();
      await quickInput.choose("Check Again");
      await findingOf(editor, "Default model", endpoint.host);
      await quickInput.choose("Default model");
      await quickInput.opened("Select Default Model");
      await quickInput.choose("Connect a Model…");
      await quickInput.opened("Where is the model?");
      await editor.screenshot("connect-a-model");
      await quickInput.choose("OpenAI");
      await quickInput.opened("The API key");
      await quickInput.type("sk-of-openai");
      await quickInput.accept();
      await quickInput.opened("The name of the model");
      const back = page.locator(".quick-input-widget").getByRole("button", { name: "Back" });
      await back.click();
      await quickInput.opened("The API key");
      await back.click();
      await quickInput.opened("Where is the model?");
      await quickInput.choose("OpenAI-Compatible Endpoint");
      await quickInput.opened("The address of the endpoint");
      await page.locator(".quick-input-widget input").first().fill(endpoint.url);
      await quickInput.accept();
      await quickInput.opened("The API key");
      const key = page.locator(".quick-input-widget input").first();
      assert.equal(await key.inputValue(), "", "the key of another endpoint is not sent to this one");
      await quickInput.type("sk-other");
      await quickInput.accept();
      await quickInput.opened("The name of the model");
      await quickInput.type("other");
      answer = says("OK");
      await quickInput.accept();
      assert.match(await editor.dialog.text(), /your key "127\.0\.0\.1:\d+" to http:\/\/127\.0\.0\.1/);
      await editor.dialog.choose("Allow");
      await findingOf(editor, "Default model", "The model answers.");
      assert.equal(endpoint.requests.at(-1)?.headers.authorization, "Bearer sk-other");
      await quickInput.cancel();
    });

    await step("4 a draft appears while the model writes it, and closing its tab leaves nothing", async () => {
      let stream: ServerResponse | undefined;
      answer = (response) => {
        stream = response;
        startStream(response, delta({ content: `Here it is:\n\`\`\`yaml\n${GOOD.slice(0, 60)}` }));
      };
      const asked = endpoint.next();
      await orderDraft(editor);
      await page.locator(".monaco-editor .view-line", { hasText: "name: Release Notes" }).first().waitFor();
      await editor.screenshot("draft-streams");
      await editor.runCommand("View: Move Editor into Right Group");
      stream?.write(`data: ${JSON.stringify(delta({ content: "\n# more" }))}\n\n`);
      await page.locator(".monaco-editor .view-line", { hasText: "# more" }).first().waitFor();
      await editor.runCommand("View: Close Editor");
      await (await asked).closed;
      await page.getByRole("tab", { name: "Draft.team.yaml" }).waitFor({ state: "detached" });
      await editor.notification("Drafting").waitFor({ state: "detached" });
      assert.equal(existsSync(join(editor.workspace, "release-notes.team.yaml")), false);
    });

    await step("5 Cancel on its notification leaves nothing either", async () => {
      const asked = endpoint.next();
      await orderDraft(editor);
      await page.locator(".monaco-editor .view-line", { hasText: "name: Release Notes" }).first().waitFor();
      const toast = editor.notification("Drafting");
      await toast.hover();
      await toast.getByRole("button", { name: "Cancel" }).click();
      await (await asked).closed;
      await page.getByRole("tab", { name: "Draft.team.yaml" }).waitFor({ state: "detached" });
      assert.equal(existsSync(join(editor.workspace, "release-notes.team.yaml")), false);
    });

    await step("6 a complete draft is shown before it is written, and saved and opened by one button", async () => {
      answer = says(GOOD);
      await orderDraft(editor, "Acme");
      await page.getByRole("tab", { name: "team.team.yaml" }).waitFor();
      await editor.runCommand("View: Revert and Close Editor");
      await orderDraft(editor);
      await page.getByRole("tab", { name: "release-notes.team.yaml" }).waitFor();
      const file = join(editor.workspace, "release-notes.team.yaml");
      assert.equal(existsSync(file), false);
      await editor.notification("Drafting").waitFor({ state: "detached" });
      await editor
        .notification("The draft is not saved yet")
        .getByRole("button", { name: "Save and Open Team" })
        .click();
      await (await gavel.chat()).getByRole("heading", { name: "Release Notes" }).waitFor();
      assert.equal(readFileSync(file, "utf8"), `${GOOD}\n`);
      const names = (await gavel.chat()).locator(".empty-name");
      const left = await names.evaluateAll((each) => each.map((name) => name.getBoundingClientRect().left));
      assert.deepEqual(left, [left[0], left[0]], "each name is below the other");
    });

    await step("7 a broken draft is told with its problems", async () => {
      answer = says(BAD);
      await orderDraft(editor);
      const told = editor.notification("The draft has 1 problem");
      await told.waitFor();
      // What goes away beside it moves it, and a click on what moves is none.
      await editor.notification("Drafting").waitFor({ state: "detached" });
      assert.match((await told.textContent()) ?? "", /line 3: .*roundrobin/);
      await page.getByRole("tab", { name: "broken-notes.team.yaml" }).waitFor();
      await page.locator(".monaco-editor .squiggly-error").first().waitFor();
      await told.getByRole("button", { name: "Show Problems" }).click();
      await page.getByRole("tab", { name: /^Problems/ }).waitFor();
      assert.equal(existsSync(join(editor.workspace, "broken-notes.team.yaml")), false);
    });

    await step("8 questions with a way back make a team that plays without a key", async () => {
      await editor.runCommand("Gavel: New Team…");
      await quickInput.opened("New Team");
      await quickInput.choose("Everyone in Turn");
      await quickInput.opened("New Team: Everyone in Turn");
      await page.locator(".quick-input-widget").getByRole("button", { name: "Back" }).click();
      await quickInput.opened("New Team");
      await quickInput.choose("Author and Reviewer");
      await nameAuthorAndReviewer(editor, "writer, critic");
      const rows = await until("the models are listed", async () => {
        const labels = (await quickInput.items()).map(({ label }) => label);
        return labels.includes("Practice Model") ? labels : undefined;
      });
      assert.deepEqual(
        rows.filter((label) => /Default|Acme|Practice/.test(label)),
        ["Default Model", "Acme Small", "Acme Large", "Practice Model"],
      );
      await editor.screenshot("new-team-model");
      await chooseWorkspaceAndPracticeModel(editor);
      await (await gavel.chat()).getByRole("heading", { name: "Author and Reviewer" }).waitFor();
      await page.getByRole("tab", { name: "author-and-reviewer.team.yaml" }).waitFor();
      await (await gavel.chat()).locator(".empty-name", { hasText: "critic" }).waitFor();
      await gavel.run("Write a haiku");
      await gavel.sees(/^Finished: critic said APPROVED/);
    });
  });
});

/** Answers the questions of a draft for this workspace: with the default model, or with that of this name. */
async function orderDraft({ quickInput, page }: Editor, model = "Default Model"): Promise<void> {
  await quickInput.runCommand("Gavel: New Team…");
  await quickInput.opened("New Team");
  await quickInput.choose("From a Task…");
  await quickInput.opened("New Team from a Task");
  await quickInput.type("write release notes");
  await quickInput.accept();
  await quickInput.opened("Which model drafts the file");
  await quickInput.choose(model);
  await page.locator(".quick-input-widget").getByText("Your Teams").waitFor();
  await quickInput.choose("This Workspace");
}

/** What the check says about something, once it says this. */
function findingOf({ quickInput }: Editor, what: string, said: string): Promise<string> {
  return until(`${what} is said to be: ${said}`, async () => {
    const row = (await quickInput.items()).find(({ label }) => label === what);
    return row?.detail.includes(said) ? row.detail : undefined;
  });
}

/** What was checked, in the order of the list. */
const placesOf = async ({ quickInput }: Editor): Promise<readonly string[]> =>
  (await quickInput.items()).map(({ label }) => label).slice(0, -2);
