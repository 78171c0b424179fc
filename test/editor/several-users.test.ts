import assert from "node:assert/strict";
import { test } from "node:test";
import {
  TeamInspect,
  TeamList,
  TeamOpen,
  TeamResolveTools,
  TeamRun,
  TeamSetRole,
} from "../../shared/contract/requests.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { JoinedClient, storageOf } from "./joined-client.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const call = `{ calls: [{ tool: runCommand, input: { command: "echo hi" } }] }`;

const TEAM = `
name: Release
kind: roundRobin
participants: [{ name: runner, tools: [runCommand] }]
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines: { runner: [${call}, It is out., ${call}, It is not out.] }
`;

const EVE = { id: "eve", name: "Eve Lang" };

test("two users of a team see each other, approve a call together, and have roles", async (context) => {
  const workspace = await folderWithTeam(context, "release.team.yaml", TEAM);
  await withEditor("several-users", { workspace, separate: true }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "several-users");
    const offers = async (title: string): Promise<boolean> => quickInput.offersCommand(title);
    const card = async () => (await gavel.chat()).locator(".pending");

    await step("1 in a team of one user, there is no command for roles", async () => {
      await gavel.openTeam("release.team.yaml", "Release");
      await gavel.run("Release it");
      await (await card()).waitFor();
      assert.equal(await offers("Gavel: Set a Role…"), false);
    });

    const storage = await storageOf(editor);
    using eve = await JoinedClient.join(storage, EVE, editor.workspace);
    const teamId = (await eve.send(TeamList, {})).teams[0]?.teamId ?? "";

    await step("2 another user comes: the header, a row and the commands say so", async () => {
      await eve.send(TeamOpen, { teamId });
      await gavel.sees("Eve Lang joined as a member");
      await (await gavel.chat()).locator(".presence", { hasText: /^\s*Eve Lang$/ }).waitFor();
      await eve.setWriting(teamId, true);
      await (await gavel.chat()).locator(".presence", { hasText: "Eve Lang (writing…)" }).waitFor();
      await gavel.focusComposer();
      await editor.page.keyboard.type("Hm");
      await until("Eve is told that the user writes", async () =>
        eve.presentIn(teamId).some(({ isSelf, isWriting }) => !isSelf && isWriting) ? true : undefined,
      );
    });

    await step("3 two approvals are required, and the card says whose is missing", async () => {
      await editor.runCommand("Gavel: Set Approvers…");
      await quickInput.opened("Set Approvers");
      await quickInput.choose("2 approvals");
      await quickInput.opened("Select whose approvals count");
      await quickInput.accept();
      await gavel.sees("You required 2 approvals for a call");
      await gavel.decide("accept");
      await gavel.sees("1 of 2 approvals: you. Eve Lang has to approve too.");
      await editor.statusBarItem("Release: waits for others").waitFor();
    });

    await step("4 her approval is the second: the call runs, and says who approved it", async () => {
      const ref = (await eve.send(TeamInspect, { teamId })).pendingTools[0]?.ref ?? "";
      await eve.send(TeamResolveTools, { teamId, restart: [{ ref }] });
      await gavel.sees("Approved by Eve Lang");
      await gavel.sees("It is out.");
    });

    await step("5 the chair is handed over, and the new chair makes an observer of the user", async () => {
      await editor.runCommand("Gavel: Hand Over the Chair…");
      await quickInput.opened("Select who gets the chair");
      await quickInput.choose("Eve Lang");
      await gavel.sees("You handed the chair to Eve Lang");
      await editor.runCommand("Gavel: Set a Role…");
      await quickInput.opened("Select whose role to change");
      await quickInput.choose("(you)");
      await quickInput.opened("Select the role");
      await quickInput.choose("Observer");
      await gavel.sees(
        "Only the chair of this team, Eve Lang, may change roles; ask Eve Lang to do it, or for the chair.",
      );
      const own = (await eve.send(TeamInspect, { teamId })).people?.find(({ id }) => id !== EVE.id)?.id ?? "";
      await eve.send(TeamSetRole, { teamId, user: own, role: "observer" });
      await gavel.sees(
        "You observe this team and cannot change anything. Ask its chair, Eve Lang, to make you a member.",
      );
    });

    await step("6 an observer sees a call wait for others, and no buttons", async () => {
      await eve.send(TeamRun, { teamId, task: "Again" });
      await gavel.sees("0 of 2 approvals");
      assert.equal(await (await card()).getByRole("button", { name: /Run|Approve|Reject/ }).count(), 0);
    });
  });
});
