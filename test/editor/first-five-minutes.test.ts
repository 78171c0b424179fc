import assert from "node:assert/strict";
import { cp, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Locator } from "playwright-core";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { CountedUser, type Done } from "./harness/counted-user.ts";
import type { Editor } from "./harness/editor.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";

import { stepsOf } from "./steps.ts";

/** Gavel in the activity bar, of a new user's window. */
const activity = ({ page }: Editor): Locator => page.getByRole("tab", { name: "Gavel" });

/** A button of the chat. */
const button = async (gavel: GavelDriver, name: string | RegExp): Promise<Locator> =>
  (await gavel.chat()).getByRole("button", { name }).last();

function report(context: TestContext, what: string, { clicks, keys }: Done): void {
  context.diagnostic(`${what}: ${clicks} clicks, ${keys} keys`);
}

test("a new user's first five minutes, without a folder, a team file or a key", async (context) => {
  await withEditor("first-five-minutes", { noFolder: true }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const user = new CountedUser(editor);
    const step = stepsOf(context, editor, "first-five-minutes");

    await step("1 the first run", async () => {
      await user.click(activity(editor));
      await user.click(await button(gavel, /^Try a Sample/));
      await (await gavel.chat()).getByRole("heading", { name: "Review" }).waitFor();
      await user.click(await button(gavel, "Send"));
      await gavel.seesStreaming();
      const used = user.take();
      report(context, "To a first run", used);
      assert.ok(used.clicks <= 3, `${used.clicks} clicks`);
      assert.equal(used.keys, 0);
    });

    await step("2 an interrupt keeps the text, and the run goes on", async () => {
      await gavel.sees("This is Tab");
      await user.press("Shift+Escape");
      await gavel.untilStopped("Review");
      await gavel.sees("You interrupted author");
      await user.click(await button(gavel, "Continue"));
      await gavel.untilRunning("Review");
      report(context, "To interrupt and continue", user.take());
    });

    await step("3 a command is approved, and runs in the sample's own folder", async () => {
      const card = (await gavel.chat()).locator(".pending");
      await card.getByText("wants to run a command").waitFor({ timeout: 120_000 });
      assert.match(await card.innerText(), /scratch.tab-/);
      await gavel.untilSettled();
      await user.click(card.locator('[data-decision="accept"]').last());
      await gavel.sees("If you let it run");
      const used = user.take();
      report(context, "To approve", used);
      assert.deepEqual(used, { clicks: 1, keys: 0 });
    });

    await step("4 the run ends with a verdict", async () => {
      await gavel.sees(/^Finished: reviewer said APPROVED/);
    });

    await step("5 an image in the sample's folder is found, attached and shown", async () => {
      const storage = join(dirname(editor.extensions), "server", "data", "User", "globalStorage", "gavel.gavel");
      const scratch = join(storage, "scratch");
      const sample = (await readdir(scratch)).find((name) => name.startsWith("tab-"));
      assert.ok(sample !== undefined);
      await cp(join(root, "media", "icons", "gavel.png"), join(scratch, sample, "receipt.png"));
      const chat = await gavel.chat();
      await gavel.focusComposer();
      await editor.page.keyboard.type("#receipt");
      await chat.locator(".completion.is-chosen .completion-label").getByText("receipt.png", { exact: true }).waitFor();
      await editor.press("Enter");
      await chat.locator(".attachment .resource-name").getByText("receipt.png", { exact: true }).waitFor();
      await editor.page.keyboard.type("What did we pay?");
      await editor.press("Enter");
      const image = chat.locator(".user-message img").last();
      await until("the image is loaded", async () =>
        (await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)) > 0 ? true : undefined,
      );
      await editor.press("Shift+Escape");
      await gavel.untilStopped("Review");
    });

    await step("6 the check of the setup says that there is no model, and its fix selects one", async () => {
      await editor.runCommand("Gavel: Check Setup");
      const row = await until("it is said that no model is selected", async () =>
        (await editor.quickInput.items()).find(({ detail }) => detail.startsWith("No model is selected.")),
      );
      assert.equal(row.label, "Default model");
      await editor.screenshot("check-setup-no-model");
      await editor.quickInput.choose("Default model");
      await editor.quickInput.opened("Select Default Model");
      await editor.screenshot("select-model-none");
      await editor.quickInput.leave();
      await editor.quickInput.opened("Everything works.");
      await editor.quickInput.cancel();
    });

    await step("7 one agent asks for a model first, as there is none", async () => {
      await editor.runCommand("Gavel: Start with One Agent");
      await editor.quickInput.opened("Select Model");
      await editor.press("Escape");
      await editor.quickInput.closed();
    });
  });
});

test("one agent starts in a workspace without team files, works there, and is a team of the user's own", async () => {
  const extension = join(root, "test", "fixtures", "model-provider");
  await withEditor("one-agent", { extension }, async (editor) => {
    const gavel = new GavelDriver(editor);
    await activity(editor).click();
    await gavel.focusChat(async () => (await button(gavel, /^Start with One Agent/)).click());
    await (await gavel.chat()).getByRole("heading", { name: "Assistant" }).waitFor();
    await editor.page.keyboard.type("say something");
    await editor.press("Enter");
    await gavel.sees("SAY SOMETHING");
    await gavel.sees(/^Finished: assistant sent a message/);

    await editor.runCommand("Gavel: Open Team…");
    await editor.quickInput.opened("Open Team");
    await editor.page.locator(".quick-input-widget").getByText("New Team…").waitFor();
    assert.deepEqual(
      (await editor.quickInput.items()).map(({ label }) => label),
      ["assistant.team.yaml", "Try a Sample…", "Start with One Agent", "New Team…"],
    );
    await editor.screenshot("open-team");
    await editor.press("Escape");
    await editor.runCommand("Gavel: Edit Team File");
    await editor.page.getByRole("tab", { name: "assistant.team.yaml" }).waitFor();
    await editor.screenshot("edit-own-team");
  });
});
