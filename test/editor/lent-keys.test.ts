import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HeldEndpoint } from "../contract/harness/held-endpoint.ts";
import { GavelDriver } from "./gavel-driver.ts";
import type { Editor } from "./harness/editor.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { JoinedClient, storageOf } from "./joined-client.ts";
import { endHostAfter } from "./kept-host.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const teamOf = (baseUrl: string): string => `
name: Duo
kind: roundRobin
participants: [{ name: ann }, { name: bob }]
maxTurns: 2
models:
  default: { provider: openai, model: m, baseUrl: "${baseUrl}", maxRetries: 0, apiKey: { secret: mine } }
`;

interface Duo {
  readonly one: Editor;
  readonly second: GavelDriver;
  readonly endpoint: HeldEndpoint;
  readonly terminal: JoinedClient;
  readonly teamId: string;
  readonly step: ReturnType<typeof stepsOf>;
}

/** A team that needs a key in each turn, in a host that keeps running: the first window runs it, and the second looks on. */
async function duo(
  context: TestContext,
  name: string,
  { lendKeys, answers }: { readonly lendKeys: boolean; readonly answers: readonly string[] },
  goOn: (duo: Duo) => Promise<void>,
): Promise<void> {
  await using endpoint = await HeldEndpoint.start(...answers);
  const workspace = await folderWithTeam(context, "duo.team.yaml", teamOf(endpoint.baseUrl));
  const machineSettings = { "gavel.host.keepRunning": true, "gavel.host.lendKeys": lendKeys };
  await withEditor(name, { workspace, machineSettings }, async (main) => {
    const one = await main.openWindow();
    const [first, second] = [new GavelDriver(one), new GavelDriver(main)];
    const step = stepsOf(context, main, name);
    await step("1 a window runs the team with its key", async () => {
      await first.openTeam("duo.team.yaml", "Duo");
      await first.run("Go");
      await first.click("Set API Key");
      await one.quickInput.opened('Set API Key "mine"');
      await one.quickInput.type("sk-secret-of-the-test");
      await one.quickInput.accept();
      await one.notification('The API key "mine" is set').waitFor();
      await first.click("Try Again");
      assert.match(await one.dialog.text(), /your key "mine"/);
      await one.dialog.choose("Allow");
      await first.seesStreaming();
      await second.openRecent("Duo");
      await second.seesStreaming();
    });
    const storage = await storageOf(one);
    endHostAfter(context, storage);
    using terminal = await JoinedClient.join(storage);
    const teamId = await terminal.openTeam();
    await goOn({ one, second, endpoint, terminal, teamId, step });
  });
}

/** Closes the window that has started the run, in the middle of ann's message, and lets her go on once the host knows it. */
async function closeFirst({ one, endpoint, terminal, teamId }: Duo): Promise<void> {
  await until("all have opened the team", () => (terminal.presentIn(teamId).length === 3 ? true : undefined));
  await one.dispose();
  await until("the first window has gone", () => (terminal.presentIn(teamId).length === 2 ? true : undefined));
  endpoint.goOn();
}

test("a run whose window has closed pauses when it needs a key, and says which", async (context) => {
  await duo(context, "window-keys", { lendKeys: false, answers: ["I am |ann.", "I am bob."] }, async (all) => {
    await all.step("2 the window closes, and the next turn says what went with it", async () => {
      await closeFirst(all);
      await all.second.sees('Paused: it needs the key "mine", which went with');
      await all.second.untilStopped("Duo");
      assert.equal(await (await all.second.chat()).getByText("I am bob.").count(), 0);
    });
  });
});

test("a run goes on with a key that was lent when its window has closed", async (context) => {
  await duo(context, "lent-keys", { lendKeys: true, answers: ["I am |ann.", "I am bob."] }, async (all) => {
    await all.step("2 the window closes, and the next turn uses the key", async () => {
      await closeFirst(all);
      await all.second.sees("I am bob.");
    });
  });
});
