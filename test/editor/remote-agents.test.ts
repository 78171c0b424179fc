import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { RemoteAgentServer, type RemoteStep } from "../fixtures/a2a-agent/agent-server.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const teamOf = (name: string, url: string, headers = ""): string => `
name: ${name}
kind: roundRobin
participants:
  - name: booking
    kind: a2a
    description: Books trains and hotels
    url: ${url}
${headers}
maxTurns: 1
`;

/** Leads to this machine, but is not an address of it alone. */
const away = (url: string): string => url.replace("127.0.0.1", "0.0.0.0");

const task = (text: string, ...steps: readonly RemoteStep[]): string => `${text} <<${JSON.stringify(steps)}>>`;

test("a remote agent: asked about, its answer streams under its name, an interrupt keeps its text", async (context) => {
  await using agent = await RemoteAgentServer.start({
    card: (url) => ({
      name: "Booking",
      supportedInterfaces: [{ url: `${away(url)}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: { streaming: true },
    }),
  });
  const url = away(agent.url);
  const workspace = await folderWithTeam(context, "travel.team.yaml", teamOf("Travel", url));
  await withEditor("remote-agents", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "remote-agents");
    // The user's own message has the texts that the agent is to say.
    const says = (text: string): Promise<string> =>
      until(`booking says "${text}"`, async () => {
        const row = await gavel.lastRow("message");
        return row.includes("booking") && row.includes(text) ? row : undefined;
      });

    await step("1 the user is asked about an agent, and nothing is sent after a refusal", async () => {
      await gavel.openTeam("travel.team.yaml", "Travel");
      await gavel.run(
        task("When do trains leave?", { say: "They leave at 8:05 " }, { wait: true }, { say: "and at 9:35." }),
      );
      const question = await editor.dialog.text();
      assert.match(question, new RegExp(`Send messages to ${url}\\?`));
      assert.match(question, /The agent "booking" of the team is there\. It gets the conversation, .*not encrypted/s);
      assert.doesNotMatch(question, /model|endpoint/i);
      await editor.screenshot("remote-agents-consent");
      await editor.dialog.choose("Cancel");
      await gavel.sees(`Nothing was sent to booking, as you have not allowed ${url}`);
      const shown = await (await gavel.chat()).locator("#app").innerText();
      assert.doesNotMatch(shown, /endpoint|model error|model request/i);
      assert.deepEqual(agent.headers, []);
    });

    await step("2 its answer appears under its name while it is written", async () => {
      await gavel.click("Try Again");
      await editor.dialog.choose("Allow");
      await says("They leave at 8:05");
      await agent.waiting();
      await gavel.seesStreaming();
      await editor.screenshot("remote-agents-streaming");
      agent.release();
      await says("They leave at 8:05 and at 9:35.");
      await gavel.untilStopped("Travel");
    });

    await step("3 an interrupt cancels its task, and keeps what it has said", async () => {
      await gavel.run(
        task("Find a hotel", { say: "I look at the hotels near " }, { wait: true }, { say: "the station." }),
      );
      await says("I look at the hotels near");
      await editor.press("Shift+Escape");
      await gavel.untilStopped("Travel");
      await gavel.sees("Interrupted here. The text so far is kept.");
      await says("I look at the hotels near");
      await until("its task is canceled", async () => (agent.canceled.length === 1 ? true : undefined));
    });

    await step("4 headers are shown before they are sent, and a secret in them is asked for once", async () => {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: files write placeholders like this.
      const headers = '    headers: { X-Gateway: "${input:gateway}" }';
      await writeFile(join(editor.workspace, "gateway.team.yaml"), teamOf("Gateway", url, headers));
      const before = agent.headers.length;
      await gavel.openTeam("gateway.team.yaml", "Gateway");
      await gavel.run(task("Hello", { say: "The gateway let you in." }));
      const question = await editor.dialog.text();
      assert.match(
        question,
        /Connect the agent "booking"\?.*Header: X-Gateway: \$\{input:gateway\}.*It gets the conversation/s,
      );
      assert.doesNotMatch(question, /model|endpoint|MCP/i);
      await editor.screenshot("remote-agents-headers");
      await editor.dialog.choose("Connect");
      await editor.quickInput.opened("Agent booking");
      assert.equal(agent.headers.length, before);
      await editor.quickInput.type("s3cret");
      await editor.quickInput.accept();
      await says("The gateway let you in.");
      await gavel.untilStopped("Gateway");
      const sent = agent.headers.slice(before).map((each) => each["x-gateway"]);
      assert.deepEqual(new Set(sent), new Set(["s3cret"]));
    });

    await step("5 Check Setup says whether its card can be read", async () => {
      await editor.runCommand("Gavel: Check Setup");
      const works = await until("the agent has a row", async () =>
        (await editor.quickInput.items()).find(({ label }) => label.includes("Agent booking")),
      );
      assert.equal(works.detail, "Its card can be read.");
      await editor.quickInput.opened("Everything works.");
      await editor.screenshot("remote-agents-check");
      await editor.quickInput.cancel();
    });
  });
});
