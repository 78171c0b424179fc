import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const team = `
name: Release
kind: roundRobin
participants:
  - { name: ann, tools: [runCommand] }
  - { name: bob }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      ann:
        - calls: [{ tool: runCommand, input: { command: "npm publish" } }]
        - It is not published.
      bob:
        - I would wait for the tests.
`;

test("while a call waits, a participant answers, a message is queued, and an interrupt cancels the call, by keyboard", async (context) => {
  const workspace = await folderWithTeam(context, "release.team.yaml", team);
  await withEditor("while-calls-wait", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const { keyboard } = editor.page;
    const step = stepsOf(context, editor, "while-calls-wait");

    await step("1 someone else is asked, and answers beside the call", async () => {
      await gavel.openTeam("release.team.yaml", "Release");
      await gavel.run("Publish it");
      await (await gavel.chat())
        .getByRole("button", { name: /Reject/ })
        .first()
        .waitFor();
      await editor.runCommand("Gavel: Message a Participant…");
      await quickInput.opened("Select a participant");
      await quickInput.choose("bob");
      await quickInput.opened("What should bob know or do?");
      await quickInput.type("Shall we?");
      await quickInput.accept();
      await quickInput.opened("Select when to deliver the message to bob");
      await quickInput.choose("Now");
      await gavel.sees("I would wait for the tests.");
      await (await gavel.chat())
        .getByRole("button", { name: /Reject/ })
        .first()
        .waitFor();
    });

    await step("2 a message to the one that waits is queued", async () => {
      await gavel.focusComposer();
      await keyboard.type("@ann Why now?");
      await keyboard.press("Enter");
      await (await gavel.chat()).getByRole("region", { name: "Waiting messages: 1" }).waitFor();
    });

    await step("3 the interrupt key cancels the call, and the receipt says so", async () => {
      await gavel.focusComposer();
      await keyboard.press("Shift+Escape");
      await gavel.sees(/1 waiting tool call was cancelled/);
      await gavel.untilStopped("Release");
    });

    await step("4 the team continues with the one whose call was cancelled", async () => {
      await (await gavel.chat()).getByRole("button", { name: "Continue", exact: true }).press("Enter");
      await gavel.sees("It is not published.");
    });
  });
});
