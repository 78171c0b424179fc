import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import { AgentHost, hasEnded } from "./agent-host.ts";

describe("an agent program as a participant: its program", () => {
  it("asks before it starts a program, which is not started without consent", async () => {
    await using agents = await AgentHost.start();
    agents.allows = false;
    await agents.open("", { participants: [agents.participant("ann", "", { cwd: "." })] });

    const refused = await agents.run({ say: "hi" });
    assert.equal(refused.status.code, "error");
    assert.match(refused.status.message ?? "", /^ann was not started, as you have not allowed its program;/);
    assert.deepEqual(agents.log("initialize"), []);
    assert.partialDeepStrictEqual(agents.asked[0], {
      use: "agent",
      name: "ann",
      start: { command: process.execPath, folder: agents.workspace },
    });
    assert.match(
      JSON.stringify(agents.asked[0]),
      /"environment":\["AGENT_LOG=[^"]+","AGENT_SESSIONS=[^"]+","AGENT_FEATURES=/,
    );

    agents.allows = true;
    const result = await agents.host.send(TeamRun, { teamId: "t" });
    assert.equal(result.messages.at(-1)?.content, "hi");
    assert.equal(agents.asked.length, 2);
    const [env] = agents.log("env") as string[][];
    assert.ok(env?.includes("PATH") && !env.includes("OPENAI_API_KEY"));
  });

  for (const [what, step, sentence] of [
    [
      "dies",
      { die: 3 },
      /^The program of ann \(.*\) ended with code 3; continue to start it again\. Its last words were: It went wrong\.$/,
    ],
    [
      "sends a message that is too large",
      { raw: "x".repeat(1_000_000), times: 40 },
      /^ann was stopped: it sent a message of more than 32 MB; continue/,
    ],
    [
      "writes what is no message",
      { raw: "What?\n", times: 1_000 },
      /^ann was stopped: it does not speak the Agent Client Protocol/,
    ],
    [
      "floods",
      { say: "x".repeat(10_000), times: 1_000 },
      /^ann was stopped: it sent more than 2,000,000 characters in one turn; continue/,
    ],
    [
      "nests too deep",
      { raw: `{"jsonrpc":"2.0","method":"session/update","params":${"[".repeat(50_000)}${"]".repeat(50_000)}}\n` },
      /^ann was stopped: it sent a message that is nested/,
    ],
  ] as const) {
    it(`that ${what} ends the run with one sentence; nothing is lost, and it starts again`, async () => {
      await using agents = await AgentHost.start();
      await agents.open();
      const result = await agents.run({ say: "So far. " }, step, { wait: "ever" });

      assert.equal(result.status.code, "error");
      assert.match(result.status.message ?? "", sentence);
      assert.match(String((await agents.thread()).at(-1)?.content), /^So far\. /);
      await agents.run({ say: "Back." });
      assert.equal((await agents.thread()).at(-1)?.content, "Back.");
    });
  }

  it("that cannot start, or needs a login, says what to do", async () => {
    await using agents = await AgentHost.start();
    const none = agents.participant("ann", "", { command: "no-such-program" });
    await agents.open("", { participants: [none] });
    const missing = await agents.run();
    assert.equal(
      missing.status.message,
      'ann cannot start: there is no program "no-such-program"; install it, or correct `command` in the team file.',
    );
    await agents.open("login", {});
    const login = await agents.run();
    assert.match(
      login.status.message ?? "",
      /^ann needs a login \("Log in with a browser"\): run .* once in a terminal and log in, or/,
    );
    const outside = agents.participant("ann", "", { cwd: ".." });
    await agents.open("", { participants: [outside] });
    assert.match((await agents.run()).status.message ?? "", /^ann cannot start: "\.\." is outside the workspace/);
  });

  for (const features of ["resume", "load", ""]) {
    const how = features === "" ? "is told the conversation again" : `goes on with session/${features}`;
    it(`${how} after the host was killed, which ends its program`, async () => {
      await using agents = await AgentHost.start();
      await agents.open(features);
      await agents.run({ say: "The number is 7." });
      await agents.host.kill();
      const [pid] = agents.log("pid") as number[];
      await hasEnded(pid);
      await agents.startHost();
      await agents.host.send(TeamOpen, { teamId: "t" });
      await agents.run({ say: "Still 7." });

      assert.equal((await agents.thread()).at(-1)?.content, "Still 7.");
      assert.equal(agents.log(features || "new").length, features === "" ? 2 : 1);
      const told = agents.prompts().at(-1) ?? "";
      assert.equal(told.includes("The number is 7.") && told.includes("ann (you)"), features === "");
    });
  }
});
