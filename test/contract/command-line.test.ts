import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { RemoteAgentServer } from "../fixtures/a2a-agent/agent-server.ts";
import { HostClient } from "../host-client.ts";
import { CommandLine } from "./harness/command-line.ts";
import { registered } from "./harness/editor-store.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";

/** A round of two, without a key. */
const team = (lines: Readonly<Record<string, readonly unknown[]>>, more: object = {}) => ({
  name: "Two",
  kind: "roundRobin",
  participants: [{ name: "ann", tools: ["runCommand"] }, { name: "bob" }],
  models: { default: { provider: "practice", pace: 0, lines } },
  maxTurns: 2,
  ...more,
});

const PLAIN = team({ ann: ["One, two."], bob: ["Three."] });
const SLOW = team({ ann: [Array.from({ length: 3000 }, (_, at) => `word${at}`).join(" ")] });
const slow = { ...SLOW, models: { default: { ...SLOW.models.default, pace: 20 } } };

const ASKING = team({
  ann: [{ say: "I run it.", calls: [{ tool: "runCommand", input: { command: "echo done > made.txt" } }] }, "It ran."],
  bob: ["Good."],
});

describe("gavel run", () => {
  it("runs a team without a terminal: each message in lines of its own, and 0 when it has finished", async () => {
    using gavel = new CommandLine({ "two.team.json": PLAIN });
    const { code, stdout, stderr } = await gavel.run(["run", "two.team.json", "Count."]);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^Two · thread [\w-]+\n\nyou\n {2}Count\.\n\nann\n {2}One, two\.\n\nbob\n {2}Three\.\n\nFinished/,
    );
    assert.equal(stderr, "");
  });

  it("prints each event in a line of JSON, without an invisible character", async () => {
    using gavel = new CommandLine({ "two.team.json": team({ ann: ["\u001b[31m\u202Eabc\u009b"], bob: ["Three."] }) });
    const { code, stdout } = await gavel.run(["run", "two.team.json", "--json", "-"], { input: "Count.\n" });
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Cf}/u);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    assert.equal(lines[0]?.["type"], "thread");
    const said = lines.flatMap(({ type, message }) => (type === "message/added" ? [contentOf(message)] : []));
    assert.deepEqual(said, ["Count.", "\u001b[31m\u202Eabc\u009b", "Three."]);
    assert.equal(lines.at(-1)?.["type"], "run/ended");
  });

  it("waits for a decision on a call with 4, keeps everything, and goes on with a rule of the command line", async () => {
    using gavel = new CommandLine({ "two.team.json": ASKING });
    const asked = await gavel.run(["run", "two.team.json", "Do it."]);
    assert.equal(asked.code, 4);
    assert.match(asked.stderr, /ann waits for your decision on runCommand/);
    assert.equal(existsSync(join(gavel.folder, "made.txt")), false);
    const other = ["run", "two.team.json", "--continue", "--approve", "runCommand(ls *)"];
    assert.equal((await gavel.run(other)).code, 4);
    const { code, stdout } = await gavel.run([
      "run",
      "two.team.json",
      "--continue",
      "--approve",
      '{"tool":"runCommand","input":{"command":"echo done > made.txt"}}',
    ]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /✓ runCommand/);
    assert.equal(readFileSync(join(gavel.folder, "made.txt"), "utf8"), "done\n");
  });

  it("says in one sentence what is wrong with how it is called, with 2", async () => {
    using gavel = new CommandLine({ "two.team.json": PLAIN });
    const calls: readonly (readonly [readonly string[], RegExp])[] = [
      [["bogus"], /^gavel: There is no command bogus; "gavel help" lists the commands\.\n$/],
      [["run", "nope.team.yaml", "x"], /^gavel: The team file nope\.team\.yaml does not exist\.\n$/],
      [["run", "two.team.json", "two", "tasks"], /^gavel: The task has to be one argument; put it in quotes\.\n$/],
      [["run", "two.team.json", "x", "--model", "nothing"], /^gavel: There is no model nothing: /],
      [["run", "two.team.json", "x", "--approve", "{"], /^gavel: --approve is no JSON: /],
      [
        ["run", "two.team.json", "x", "--deny", "writeFile(.github/**"],
        /^gavel: --deny writeFile\(\.github\/\*\* is no approval rule/,
      ],
      [["run", "two.team.json", "x", "--allow-origin", "evil"], /^gavel: --allow-origin evil is no origin/],
      [["run", "two.team.json", "x", "--folder", "/nowhere"], /^gavel: The folder \/nowhere does not exist/],
      [["show", "nothing"], /^gavel: There is no thread nothing here; "gavel list" lists them\.\n$/],
      [["list", "--bogus"], /^gavel: Unknown option '--bogus'; see "gavel help list"\.\n$/],
    ];
    for (const [args, sentence] of calls) {
      const { code, stderr } = await gavel.run(args);
      assert.match(stderr, sentence);
      assert.equal(code, 2, args.join(" "));
    }
    // Nothing of it has made a thread, but for a model that only the opened team can tell.
    assert.equal(JSON.parse((await gavel.run(["list", "--json"])).stdout).length, 1);
  });

  it("sends nothing to an endpoint that is not allowed, and a key only to one that is", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "Hello from the endpoint.");
    const model = { provider: "openai", model: "gpt-5", baseUrl: endpoint.baseUrl, apiKey: { secret: "my-key" } };
    const participants = [{ name: "ann", instructions: "I am ann." }];
    const definition = { name: "One", kind: "roundRobin", participants, models: { default: model }, maxTurns: 1 };
    using gavel = new CommandLine({ "one.team.json": definition });
    const variables = { GAVEL_KEY_MY_KEY: "sk-the-secret" };
    const refused = await gavel.run(["run", "one.team.json", "Hi."], { variables });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /allow it with --allow-origin http:\/\//);
    assert.equal(endpoint.mock.getRequests().length, 0);
    const { origin } = new URL(endpoint.baseUrl);
    const allowed = await gavel.run(["run", "one.team.json", "Hi.", "--allow-origin", origin], { variables });
    assert.equal(allowed.code, 0, allowed.stderr);
    assert.match(allowed.stdout, /Hello from the endpoint\./);
    assert.equal(endpoint.mock.getRequests().length, 1);
    const printed = [refused, allowed].flatMap(({ stdout, stderr }) => [stdout, stderr]).join("");
    assert.doesNotMatch(printed, /sk-the-secret/);
  });
});

const contentOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "content" in message ? message.content : undefined;

describe("a run that is told to end", () => {
  for (const [signal, expected] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const) {
    it(`interrupts the team on ${signal}, stores what was said, ends its host, and exits with ${expected}`, {
      skip: process.platform === "win32" && "Windows has no such signals",
    }, async () => {
      using gavel = new CommandLine({ "slow.team.json": slow });
      const child = gavel.start(["run", "slow.team.json", "--json", "Go."]);
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
      let output = "";
      await new Promise<void>((resolve) => {
        child.stdout?.setEncoding("utf8").on("data", (part: string) => {
          output += part;
          if (output.includes("word3")) resolve();
        });
      });
      child.kill(signal);
      assert.equal(await ended, expected);
      assert.match(output, /"partial":true/);
      const { code, stdout } = await gavel.run(["list", "--json"]);
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout)[0].status, "paused");
    });
  }

  it("ends while it waits for the task on its standard input", {
    skip: process.platform !== "linux" && "needs /proc, which tells when it listens to the signal",
  }, async () => {
    using gavel = new CommandLine({ "two.team.json": PLAIN });
    const child = gavel.start(["run", "two.team.json", "-"]);
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (!catchesHangUp(child.pid)) await pause(10);
    child.kill("SIGHUP");
    assert.equal(await ended, 129);
    assert.equal(JSON.parse((await gavel.run(["list", "--json"])).stdout).length, 0);
  });

  it("ends when no one reads its output any more, and keeps the thread", async () => {
    using gavel = new CommandLine({ "slow.team.json": slow });
    const child = gavel.start(["run", "slow.team.json", "--json", "Go."]);
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    child.stdout?.once("data", () => child.stdout?.destroy());
    assert.equal(await ended, 141);
    const { stdout } = await gavel.run(["list", "--json"]);
    assert.equal(JSON.parse(stdout)[0].status, "paused");
  });
});

/** The first bit of the signals that a process catches is SIGHUP. */
function catchesHangUp(pid: number | undefined): boolean {
  const [, mask = "0"] = /^SigCgt:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (BigInt(`0x${mask}`) & 1n) === 1n;
}

describe("the threads of a folder", () => {
  it("are listed, shown and exported as the editor does", async () => {
    using gavel = new CommandLine({ "two.team.json": PLAIN });
    assert.match((await gavel.run(["list"])).stderr, /There are no threads in this folder yet/);
    await gavel.run(["run", "two.team.json", "Count."]);
    const [thread] = JSON.parse((await gavel.run(["list", "--json"])).stdout);
    assert.match((await gavel.run(["list"])).stdout, new RegExp(`^${thread.teamId} {2}Two\\n {2}idle · 3 messages · `));
    const shown = await gavel.run(["show", thread.teamId.slice(0, 8)]);
    assert.match(shown.stdout, /^you\n {2}Count\.\n\nann\n {2}One, two\.\n/);
    const exported = await gavel.run(["export", thread.teamId]);
    assert.match(exported.stdout, /^# `Two`\n\nParticipants: `ann`, `bob`\n\n## `user`, /);
    const file = join(gavel.folder, "thread.md");
    assert.equal((await gavel.run(["export", thread.teamId, "-o", file])).code, 0);
    assert.equal(readFileSync(file, "utf8"), exported.stdout);
    assert.equal((await gavel.run(["export", thread.teamId, "-o", file])).code, 2);
  });

  it("are those of the editor that had the folder open, unless it is told to use its own", async () => {
    using gavel = new CommandLine({ "two.team.json": PLAIN });
    const storagePath = join(gavel.home, "editor");
    const globalStoragePath = join(gavel.home, "editor-global");
    const teamId = await storedByEditor(gavel, storagePath);
    await registered(gavel, { storagePath, globalStoragePath });
    assert.match((await gavel.run(["list"])).stdout, new RegExp(`^${teamId} `));
    assert.match((await gavel.run(["list", "--own-store"])).stderr, /no threads/);
    assert.equal((await gavel.run(["run", "--thread", teamId, "More."])).code, 0);
  });

  it("say that an editor runs one, with 5", async () => {
    using gavel = new CommandLine({ "slow.team.json": slow });
    const storagePath = join(gavel.home, "editor");
    await using editor = await HostClient.start({ storagePath });
    const uri = pathToFileURL(join(gavel.folder, "slow.team.json")).href;
    const { teamId } = await editor.send(TeamOpen, { uri });
    const run = editor.send(TeamRun, { teamId, task: "Go." });
    await editor.streamed(teamId, 10);
    await registered(gavel, { storagePath, globalStoragePath: storagePath });
    const { code, stderr } = await gavel.run(["run", "--thread", teamId, "More."]);
    assert.match(stderr, /The thread is running in VS Code or in another Gavel; interrupt it there/);
    assert.equal(code, 5);
    run.catch(() => undefined);
  });

  it("are found in no store that a hostile file of the registry names, and a newer one is said", async () => {
    using gavel = new CommandLine({ "two.team.json": PLAIN });
    const storagePath = join(gavel.home, "editor");
    await storedByEditor(gavel, storagePath);
    const file = await registered(gavel, { storagePath, globalStoragePath: storagePath });
    const entry = JSON.parse(readFileSync(file, "utf8"));
    const other = join(gavel.home, "documents");
    mkdirSync(other, { mode: 0o755 });
    for (const content of [
      "{",
      "null",
      '{"version":1}',
      JSON.stringify({ ...entry, folder: "/elsewhere" }),
      JSON.stringify({ ...entry, storagePath: "relative" }),
      JSON.stringify({ ...entry, storagePath: "/nowhere\0" }),
      ...(process.platform === "win32" ? [] : [JSON.stringify({ ...entry, storagePath: other })]),
      "x".repeat(100_000),
      `${"[".repeat(10_000)}`,
    ]) {
      writeFileSync(file, content);
      const { code, stderr } = await gavel.run(["list"]);
      assert.equal(code, 0, `${content.slice(0, 80)}: ${stderr}`);
      assert.match(stderr, /no threads/);
    }
    assert.deepEqual([readdirSync(other), statSync(other).mode & 0o777], [[], 0o755]);
    writeFileSync(file, JSON.stringify({ ...entry, version: 2 }));
    const { code, stderr } = await gavel.run(["list"]);
    assert.match(stderr, /VS Code has a newer version of Gavel than this command line; update it, or use --own-store/);
    assert.equal(code, 2);
  });
});

/** A thread that a client with that storage has made. */
async function storedByEditor(gavel: CommandLine, storagePath: string): Promise<string> {
  await using editor = await HostClient.start({ storagePath });
  const uri = pathToFileURL(join(gavel.folder, "two.team.json")).href;
  const { teamId } = await editor.send(TeamOpen, { uri });
  await editor.send(TeamRun, { teamId, task: "Count." });
  return teamId;
}

describe("gavel check", () => {
  it("prints the place of each problem and exits with 1, or with 0 if there is none", async () => {
    using gavel = new CommandLine({ "two.team.json": PLAIN, "bad.team.yaml": "name: x\nkind: swamr\n" });
    const bad = await gavel.run(["check", "two.team.json", "bad.team.yaml"]);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /^bad\.team\.yaml:2:7: error: kind: "swamr" is not valid here; did you mean "swarm"\?$/m);
    const good = await gavel.run(["check", "two.team.json"]);
    assert.deepEqual([good.code, good.stdout], [0, "✓ The team file has no problems.\n"]);
  });

  it("says of each agent whether it can be used, and asks for no card that is not allowed", async () => {
    await using agent = await RemoteAgentServer.start();
    const away = `http://0.0.0.0:${new URL(agent.url).port}`;
    const teamOf = (...participants: readonly unknown[]) => ({
      name: "T",
      kind: "roundRobin",
      participants,
      maxTurns: 1,
    });
    using gavel = new CommandLine({
      "away.team.json": teamOf({ name: "ann", kind: "a2a", url: away }),
      "here.team.json": teamOf(
        { name: "ann", kind: "a2a", url: agent.url },
        { name: "coder", kind: "acp", command: "no-such-program-of-gavel" },
      ),
    });
    const refused = await gavel.run(["check", "away.team.json"]);
    const note = `away.team.json: agent ann: note: not checked, as nothing may be sent to it; allow it with --allow-origin ${away}`;
    assert.deepEqual([refused.code, refused.stdout], [0, `${note}\n✓ The team file has no problems.\n`]);
    assert.deepEqual(agent.headers, []);
    const allowed = await gavel.run(["check", "away.team.json", "--allow-origin", away]);
    assert.match(
      allowed.stdout,
      /^✓ away\.team\.json: agent ann: Its card can be read, and says that the agent is at http/,
    );
    assert.equal(allowed.code, 0);
    const wrong = await gavel.run(["check", "here.team.json"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /^✓ here\.team\.json: agent ann: Its card can be read\.$/m);
    assert.match(
      wrong.stdout,
      /^here\.team\.json: agent coder: error: coder cannot start: there is no program "no-such-program-of-gavel"; install it/m,
    );
  });

  it("writes out what a file's name would have the terminal do", async () => {
    const name = "\u001b]0;x\u0007\u202e.team.yaml";
    using gavel = new CommandLine({ [name]: "name: x\nkind: swamr\n" });
    const { code, stdout } = await gavel.run(["check", name]);
    assert.equal(code, 1);
    assert.match(stdout, /^⟨U\+001B⟩\]0;x⟨U\+0007⟩⟨U\+202E⟩\.team\.yaml:2:7: error: /m);
    assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Cf}/u);
  });
});
