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
  default:
    provider: practice
    pace: 20
    asked: { dan: [It was twelve.] }
    lines: { author: ["${Array.from({ length: 3000 }, (_, index) => `word${index + 1}`).join(" ")}"]}
maxTurns: 2
`;

test("a user asks a participant of a nested team, and sees its answer", async (context) => {
  const workspace = await folderWithTeam(context, "work.team.yaml", team);
  await withEditor("message-within", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "message-within");

    await step("1 the list has the whole team, and the participants of the nested team", async () => {
      await gavel.openTeam("work.team.yaml", "Work");
      await editor.runCommand("Gavel: Message a Participant…");
      await quickInput.opened("Message a Participant");
      await until("the list has the participants", async () => {
        const labels = (await quickInput.items()).map(({ label }) => label);
        assert.deepEqual(labels, ["Whole team", "author", "lab", "lab › eve", "lab › dan"]);
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

    /** Opens the list, and writes a message to the whole team. */
    const toAll = async (message: string, pick: () => Promise<void>) => {
      await editor.runCommand("Gavel: Message a Participant…");
      await quickInput.opened("Select a participant, or the whole team");
      await pick();
      await quickInput.opened("What should the team know or do?");
      await quickInput.type(message);
      await quickInput.accept();
    };
    const waiting = async (count: number) => {
      await (await gavel.chat()).getByRole("region", { name: `Waiting messages: ${count}` }).waitFor();
    };

    await step("3 a message to the whole team at rest starts it, chosen with the mouse", async () => {
      await toAll("Count", () => quickInput.click("Whole team"));
      await gavel.untilRunning("Work");
      await gavel.seesStreaming();
    });

    await step("4 while it runs, the list says what each delivery does, and Enter steers", async () => {
      await toAll("Mind the units", () => quickInput.choose("Whole team"));
      await quickInput.opened("Select when to deliver the message to the team");
      const items = await quickInput.items();
      assert.deepEqual(
        items.map(({ label }) => label),
        ["Now: interrupt author", "Steer: at the next turn", "Queue: after this run"],
      );
      assert.match(items[1]?.detail ?? "", /^At the next turn; no one is interrupted · seen by author and lab$/);
      assert.match(await quickInput.focusedLabel(), /^Steer/);
      await quickInput.accept();
      await waiting(1);
    });

    await step("5 leaving the list leads back to the text; another message is queued with the mouse", async () => {
      await toAll("And then rest", () => quickInput.choose("Whole team"));
      await quickInput.opened("Select when to deliver");
      await quickInput.leave();
      await quickInput.opened("What should the team know or do?");
      await quickInput.accept();
      await quickInput.opened("Select when to deliver");
      await quickInput.click("Queue: after this run");
      await waiting(2);
    });

    await step("6 one that is sent now interrupts the speaker, and the team goes on with it", async () => {
      await toAll("Stop counting", () => quickInput.choose("Whole team"));
      await quickInput.opened("Select when to deliver");
      await quickInput.choose("Now: interrupt author");
      await gavel.sees("You interrupted author");
      await (await gavel.chat()).locator(".user-message", { hasText: "Stop counting" }).waitFor();
      await gavel.untilRunning("Work");
    });
  });
});
