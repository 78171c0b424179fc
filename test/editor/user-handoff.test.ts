import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const team = `
name: Support
kind: swarm
participants:
  - { name: reception, handoffs: [clerk] }
  - { name: billing, handoffs: [clerk] }
  - name: clerk
    kind: user
    handoffs:
      - reception
      - { target: billing, description: Knows the bills. }
models:
  default:
    provider: practice
    pace: 4
    lines:
      reception:
        - calls: [{ tool: transfer_to_clerk }]
        - calls: [{ tool: transfer_to_clerk }]
      billing:
        - calls: [{ tool: transfer_to_clerk }]
        - The bill is right. CLOSED
termination: { textMention: { text: CLOSED } }
`;

test("a user who speaks for a participant chooses who speaks next, in the palette and in the chat", async (context) => {
  const workspace = await folderWithTeam(context, "support.team.yaml", team);
  await withEditor("user-handoff", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "user-handoff");
    const composer = async () => (await gavel.chat()).locator(".composer-text");
    const waits = async () => (await gavel.chat()).getByPlaceholder("Speak as clerk").waitFor({ timeout: 60_000 });

    await step("1 closing the list leads back to the text; without a handoff the words go back", async () => {
      await gavel.openTeam("support.team.yaml", "Support");
      await gavel.run("Hello");
      await waits();
      await editor.runCommand("Gavel: Run Team…");
      await quickInput.opened("What does clerk say?");
      await quickInput.type("What is it about?");
      await quickInput.accept();
      await quickInput.opened("Select who speaks next");
      await until("the list has the participants", async () => {
        const rows = (await quickInput.items()).map(({ label, description }) => `${label}: ${description}`);
        assert.deepEqual(rows, [
          "No Handoff: The team decides who speaks next",
          "reception: ",
          "billing: Knows the bills.",
        ]);
        return true;
      });
      await quickInput.leave();
      await quickInput.opened("What does clerk say?");
      await quickInput.accept();
      await quickInput.opened("Select who speaks next");
      await quickInput.choose("No Handoff");
      await gavel.sees("What is it about?");
      await waits();
    });

    await step("2 from the chat, closing the list keeps the text in the composer; a choice hands over", async () => {
      await gavel.focusComposer();
      await editor.page.keyboard.type("Look at the bill.");
      await editor.page.keyboard.press("Enter");
      await quickInput.opened("Select who speaks next");
      await quickInput.cancel();
      await until("the text is in the composer again", async () =>
        (await (await composer()).inputValue()) === "Look at the bill." ? true : undefined,
      );
      await gavel.focusComposer();
      await editor.page.keyboard.press("Enter");
      await quickInput.opened("Select who speaks next");
      await quickInput.choose("billing");
      await waits();
    });

    await step(
      "3 the one who was chosen has the turn; its question is answered in its own box, by keyboard",
      async () => {
        const chat = await gavel.chat();
        await chat.getByRole("region", { name: "Your turn: billing asks clerk" }).waitFor();
        await chat.locator(".controls").getByRole("button", { name: "Answer" }).press("Enter");
        await chat.locator(".question-answer:focus").waitFor();
        await editor.page.keyboard.type("And?");
        await editor.page.keyboard.press("Enter");
        await gavel.sees("The bill is right. CLOSED");
      },
    );
  });
});
