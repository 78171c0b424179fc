import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import type { AgentStep } from "../fixtures/acp-agent/agent.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A team of one agent program, which takes these steps: a list for each prompt. */
const teamOf = (steps: readonly (readonly AgentStep[])[]): string => `
name: Coding
kind: roundRobin
participants:
  - name: coder
    kind: acp
    description: Makes the change
    command: ${JSON.stringify(process.execPath)}
    args: ["--no-warnings", ${JSON.stringify(join(root, "test", "fixtures", "acp-agent", "agent.ts"))}]
    env: { AGENT_STEPS: ${JSON.stringify(JSON.stringify(steps))} }
maxTurns: 1
`;

test("an agent program: asked about, its edit and command approved on cards, interrupted", async (context) => {
  const workspace = await folderWithTeam(context, "coding.team.yaml", "");
  await withEditor("agents", { workspace }, async (editor) => {
    const greeting = join(editor.workspace, "greeting.ts");
    const before = 'export const greeting = "hello";\nexport const name = "you";\n';
    const after = before.replace("hello", "good morning");
    const edit = { toolCallId: "edit", title: "Change the greeting", kind: "edit" } as const;
    const tests = { toolCallId: "tests", title: "Run the tests", kind: "execute" } as const;
    const steps: AgentStep[][] = [
      [
        { think: "The greeting is in greeting.ts, and a test checks it." },
        {
          plan: [
            { content: "Change the greeting", priority: "high", status: "in_progress" },
            { content: "Run the tests", priority: "medium", status: "pending" },
          ],
        },
        { say: "I change the greeting, and then run the tests." },
        {
          ask: { ...edit, content: [{ type: "diff", path: greeting, oldText: '"hello"', newText: '"good morning"' }] },
          on: { yes: [{ write: greeting, content: after }, { update: { toolCallId: "edit", status: "completed" } }] },
        },
        {
          ask: { ...tests, rawInput: { command: "npm test -- greeting" } },
          on: { yes: [{ update: { toolCallId: "tests", status: "completed", rawOutput: "2 tests passed" } }] },
        },
        { say: "The greeting is changed, and both tests pass." },
      ],
      [{ say: "I look for more greetings in the other " }, { wait: "ever" }],
    ];
    await writeFile(join(editor.workspace, "coding.team.yaml"), teamOf(steps));
    await writeFile(greeting, before);
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "agents");

    await step("1 the user is asked before the program starts", async () => {
      await gavel.openTeam("coding.team.yaml", "Coding");
      await gavel.run("Greet people in the morning");
      const question = await editor.dialog.text();
      assert.match(question, /Start the agent "coder"\?[\s\S]*Gavel's rules bind only what it asks Gavel for/);
      await editor.screenshot("agents-consent");
      await editor.dialog.choose("Start");
    });

    await step("2 its edit is a card with a diff; accepted, it is made once, and can be undone", async () => {
      await gavel.untilSettled();
      await gavel.sees("good morning");
      await editor.screenshot("agents-edit");
      await gavel.decide("accept");
      await until("the file is changed", async () => ((await readFile(greeting, "utf8")) === after ? true : undefined));
    });

    await step("3 its command is a card that says that the agent runs it itself", async () => {
      await gavel.sees("npm test -- greeting");
      await gavel.sees(/the agent runs it itself/);
      await gavel.untilSettled();
      await editor.screenshot("agents-command");
      await gavel.decide("accept");
      await gavel.sees("both tests pass");
      await gavel.untilStopped("Coding");
      await editor.screenshot("agents-done");
    });

    await step("4 one that does not answer an interrupt is ended, and the user is told", async () => {
      await gavel.run("Are there more?");
      await gavel.sees("in the other");
      await editor.runCommand("Gavel: Interrupt");
      await gavel.sees("The program did not answer the interrupt within 1.5 s");
      await editor.screenshot("agents-abandoned");
    });
  });
});
