import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const team = `
name: Work
kind: roundRobin
participants:
  - { name: author }
  - name: lab
    kind: team
    team: { name: Lab, kind: roundRobin, participants: [{ name: eve }, { name: dan }], maxTurns: 2 }
models:
  default: { provider: practice, pace: 0, asked: { dan: [It was twelve.] } }
maxTurns: 2
`;

test("a user asks a participant of a nested team, and sees its answer", async (context) => {
  const workspace = await folderWithTeam(context, "work.team.yaml", team);
  await withEditor("message-within", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "message-within");

    await step("1 the list has the participants of the nested team", async () => {
      await gavel.openTeam("work.team.yaml", "Work");
      await editor.runCommand("Gavel: Message a Participant…");
      await quickInput.opened("Message a Participant");
      await until("the list has the participants", async () => {
        const labels = (await quickInput.items()).map(({ label }) => label);
        assert.deepEqual(labels, ["author", "lab", "lab › eve", "lab › dan"]);
        return true;
      });
    });

    await step("2 the one that is chosen answers", async () => {
      await quickInput.choose("lab › dan");
      await quickInput.opened("What should lab/dan know");
      await quickInput.type("How many?");
      await quickInput.accept();
      await gavel.sees("It was twelve.");
      await gavel.untilStopped("Work");
    });
  });
});
