import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const TEAM = `
name: Coder
kind: roundRobin
participants:
  - { name: cody }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      cody:
        - |
          Split it like this:

          \`\`\`js
          export function split(line) {
            return line.split(",");
          }
          \`\`\`
`;

test("what a message has is used in the editor", async (context) => {
  const workspace = await folderWithTeam(context, "coder.team.yaml", TEAM);
  await withEditor("message-content", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "message-content");

    await step("code gets its colours, which the page loads when it shows code", async () => {
      await gavel.openTeam("coder.team.yaml", "Coder");
      await gavel.run("Split the line.");
      await (await gavel.chat()).locator(".hljs-keyword", { hasText: "return" }).waitFor({ timeout: 60_000 });
    });
  });
});
