import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/root.ts";
import { DocumentsRead } from "../../shared/contract/client-requests.ts";
import type { ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import {
  ApprovalsAdd,
  EditsChanges,
  EditsList,
  EditsUndo,
  TeamDelete,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamPreviewTool,
  TeamReset,
  TeamResolveTools,
  TeamRun,
  TeamSendUserMessage,
} from "../../shared/contract/requests.ts";
import type { AgentStep } from "../fixtures/acp-agent/agent.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

const AGENT = join(root, "test", "fixtures", "acp-agent", "agent.ts");

/** A task that tells the agent what to do. */
const steps = (...list: readonly AgentStep[]): string => `Do it. <<${JSON.stringify(list)}>>`;

/** A host with a workspace, and a team "t" of agent programs. */
class AgentHost implements AsyncDisposable {
  readonly #scratch = new Scratch();
  readonly workspace = join(this.#scratch.path, "workspace");
  readonly #options: HostOptions;
  host!: HostClient;
  /** What the user was asked about programs. */
  readonly asked: unknown[] = [];
  allows = true;

  private constructor(options: HostOptions) {
    this.#options = options;
    mkdirSync(this.workspace, { recursive: true });
    mkdirSync(this.path("sessions"));
  }

  static async start(options: HostOptions = {}): Promise<AgentHost> {
    const agents = new AgentHost(options);
    await agents.startHost();
    return agents;
  }

  async startHost(): Promise<void> {
    this.host = await HostClient.start({
      storagePath: this.path("store"),
      folders: [pathToFileURL(this.workspace).href],
      onProgram: (question) => {
        this.asked.push(question);
        return this.allows;
      },
      ...this.#options,
    });
  }

  path(...parts: readonly string[]): string {
    return join(this.#scratch.path, ...parts);
  }

  file(name: string, content?: string): string {
    const path = join(this.workspace, name);
    if (content !== undefined) writeFileSync(path, content);
    return path;
  }

  participant(name: string, features: string, more: Partial<ParticipantDefinition> = {}): ParticipantDefinition {
    return {
      name,
      kind: "acp",
      command: process.execPath,
      args: ["--no-warnings", AGENT],
      env: { AGENT_LOG: this.path(`${name}.log`), AGENT_SESSIONS: this.path("sessions"), AGENT_FEATURES: features },
      ...more,
    };
  }

  async open(features = "", more: Partial<TeamDefinition> = {}): Promise<void> {
    const definition: TeamDefinition = {
      name: "Agents",
      kind: "roundRobin",
      participants: [this.participant("ann", features)],
      maxTurns: 1,
      ...more,
    };
    await this.host.send(TeamOpen, { teamId: "t", definition });
  }

  run(...list: readonly AgentStep[]) {
    return this.host.send(TeamRun, { teamId: "t", task: steps(...list) });
  }

  /** What the agent has noted so far under a key. */
  log(key: string, name = "ann"): unknown[] {
    if (!existsSync(this.path(`${name}.log`))) return [];
    const lines = readFileSync(this.path(`${name}.log`), "utf8")
      .trim()
      .split("\n");
    return lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .flatMap((entry) => (key in entry ? [entry[key]] : []));
  }

  prompts(name = "ann"): string[] {
    return this.log("prompt", name).map((blocks) =>
      (blocks as { text?: string; type: string }[]).map(({ text, type }) => text ?? `[${type}]`).join("\n"),
    );
  }

  async pending() {
    return (await this.host.send(TeamInspect, { teamId: "t" })).pendingTools;
  }

  async thread() {
    return (await this.host.send(TeamInspect, { teamId: "t" })).thread;
  }

  events(type: string) {
    return this.host.eventsOf("t").filter((event) => event.type === type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    this.#scratch[Symbol.dispose]();
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

describe("an agent program as a participant", () => {
  it("streams its text, thoughts, plans, calls and usage as ours", async () => {
    await using agents = await AgentHost.start();
    await agents.open();

    const result = await agents.run(
      { think: "Hm." },
      { plan: [{ content: "Look", priority: "high", status: "in_progress" }] },
      { say: "I look. " },
      {
        call: {
          toolCallId: "c1",
          title: "Look around",
          kind: "search",
          status: "in_progress",
          rawInput: { query: "x" },
        },
      },
      {
        update: {
          toolCallId: "c1",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: "3 found" } }],
        },
      },
      { say: "Three " },
      { say: "are there." },
      { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } },
      { cost: 0.25 },
    );

    assert.equal(result.status.code, "success");
    assert.equal(result.messages.at(-1)?.content, "Three are there.");
    assert.deepEqual(result.usage, { prompt: 10, completion: 5, total: 15, cost: 0.25 });
    const [requested] = agents.events("tool/requested");
    assert.partialDeepStrictEqual(requested, {
      content: "I look. ",
      calls: [{ name: "agent:search", input: { title: "Look around", details: { query: "x" } } }],
    });
    assert.partialDeepStrictEqual(agents.events("tool/executed")[0], { output: "3 found", isError: false });
    const thoughts = agents.events("reasoning/thought").map((event) => "message" in event && event.message);
    assert.deepEqual(thoughts, ["Hm.", "Plan:\n- [~] Look"]);
    assert.deepEqual(agents.prompts(), [
      steps(
        { think: "Hm." },
        { plan: [{ content: "Look", priority: "high", status: "in_progress" }] },
        { say: "I look. " },
        {
          call: {
            toolCallId: "c1",
            title: "Look around",
            kind: "search",
            status: "in_progress",
            rawInput: { query: "x" },
          },
        },
        {
          update: {
            toolCallId: "c1",
            status: "completed",
            content: [{ type: "content", content: { type: "text", text: "3 found" } }],
          },
        },
        { say: "Three " },
        { say: "are there." },
        { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } },
        { cost: 0.25 },
      ),
    ]);
  });

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

  it("has its permission requests as pending calls: a decision answers the agent, which waits for it", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const ask: AgentStep = {
      ask: { toolCallId: "c1", title: "Run the tests", kind: "execute", rawInput: { command: "npm test" } },
      on: {
        yes: [
          { update: { toolCallId: "c1", status: "in_progress" } },
          { update: { toolCallId: "c1", status: "completed", rawOutput: "2 passed" } },
          { say: "They pass." },
        ],
        no: [{ say: "Then not." }],
      },
    };

    const asked = await agents.run({ say: "First the tests." }, ask);
    assert.deepEqual([asked.stopReason, asked.status.code], ["TOOL_INTERRUPT", "interrupted"]);
    const [call] = await agents.pending();
    assert.partialDeepStrictEqual(call, {
      name: "agent:execute",
      participant: "ann",
      approval: true,
      input: { title: "Run the tests", command: "npm test", cwd: agents.workspace },
    });
    const { result } = await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.equal(result?.messages.at(-1)?.content, "They pass.");
    assert.partialDeepStrictEqual(agents.events("tool/executed")[0], { output: "2 passed", isError: false });

    await agents.run(ask);
    const [again] = await agents.pending();
    const denied = await agents.host.send(TeamResolveTools, {
      teamId: "t",
      deny: [{ ref: again?.ref ?? "", reason: "Use pnpm." }],
    });
    assert.deepEqual(agents.log("chosen"), ["yes", "no"]);
    assert.match(agents.prompts().at(-1) ?? "", /About "Run the tests": The user denied this call: Use pnpm\./);
    assert.equal(denied.result?.status.code, "success");
  });

  it("is answered by the user's rules, which see what it says that it does", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const { host } = agents;
    await host.send(ApprovalsAdd, {
      rule: { decision: "allow", tool: "agent:execute", command: "git status", scope: "workspace" },
    });
    await host.send(ApprovalsAdd, {
      rule: { decision: "deny", tool: "agent:*", path: "secret.txt", scope: "workspace" },
    });
    const run = (toolCallId: string, command: string, more = {}): AgentStep => ({
      ask: { toolCallId, title: command, kind: "execute", rawInput: { command, ...more } },
      on: { yes: [{ update: { toolCallId, status: "completed" } }] },
    });

    const result = await agents.run(
      run("c1", "git status"),
      { ask: { toolCallId: "c2", title: "Edit", kind: "edit", locations: [{ path: agents.file("secret.txt") }] } },
      { say: "Done." },
    );
    assert.deepEqual([result.status.code, agents.log("chosen")], ["success", ["yes", "no"]]);
    // What it adds could change what runs.
    await agents.run(run("c3", "git status", { env: { GIT_PAGER: "sh" } }));
    assert.equal((await agents.pending()).length, 1);
  });

  it("reads and writes files through our tools: rules, edits that can be undone, unsaved text", async () => {
    await using agents = await AgentHost.start();
    const path = agents.file("a.txt", "one\ntwo\nthree\n");
    agents.file(".env", "PASSWORD=x");
    agents.host.connection.onRequest(DocumentsRead.method, ({ uri }: { uri: string }) =>
      uri === pathToFileURL(path).href ? { uri, text: "one\nTWO\nthree\n", version: 2, dirty: true } : null,
    );
    await agents.open();

    const asked = await agents.run(
      { read: path, line: 2, limit: 1 },
      { read: agents.path("outside.txt") },
      { write: agents.file("b.txt"), content: "new\n" },
      { say: "Written." },
    );
    assert.equal(asked.stopReason, "TOOL_INTERRUPT");
    assert.deepEqual(agents.log("got"), [{ content: "TWO" }]);
    assert.match(String(agents.log("refused")[0]), /outside the workspace/);
    const [call] = await agents.pending();
    assert.partialDeepStrictEqual(call, { name: "writeFile", input: { path: "b.txt", content: "new\n" } });
    const preview = await agents.host.send(TeamPreviewTool, { teamId: "t", ref: call?.ref ?? "" });
    assert.partialDeepStrictEqual(preview, { path: "b.txt", before: null, after: "new\n" });
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.equal(readFileSync(agents.file("b.txt"), "utf8"), "new\n");
    assert.equal((await agents.thread()).at(-1)?.content, "Written.");
    const { turns } = await agents.host.send(EditsList, { teamId: "t" });
    assert.deepEqual(
      turns.map(({ participant, files }) => [participant, files.map(({ path: shown }) => shown)]),
      [["ann", ["b.txt"]]],
    );
    await agents.host.send(EditsUndo, { teamId: "t" });
    assert.equal(existsSync(agents.file("b.txt")), false);

    await agents.run({ read: agents.file(".env") });
    assert.partialDeepStrictEqual((await agents.pending())[0], { name: "readFile", input: { path: ".env" } });
  });

  it("writes within a call that was allowed with this change without being asked again, and only this change", async () => {
    await using agents = await AgentHost.start();
    const path = agents.file("a.txt", "one\ntwo\n");
    await agents.open();
    const edit = (toolCallId: string, content: string): AgentStep => ({
      ask: {
        toolCallId,
        title: "Edit a.txt",
        kind: "edit",
        content: [{ type: "diff", path, oldText: "two", newText: "2" }],
      },
      on: { yes: [{ write: path, content }, { update: { toolCallId, status: "completed" } }] },
    });

    await agents.run(edit("c1", "one\n2\n"), { say: "Edited." });
    const [call] = await agents.pending();
    const preview = await agents.host.send(TeamPreviewTool, { teamId: "t", ref: call?.ref ?? "" });
    assert.partialDeepStrictEqual(preview, { path: "a.txt", before: "one\ntwo\n", after: "one\n2\n" });
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.deepEqual([readFileSync(path, "utf8"), (await agents.pending()).length], ["one\n2\n", 0]);
    const { turns } = await agents.host.send(EditsList, { teamId: "t" });
    assert.deepEqual(
      turns.flatMap(({ files }) => files.map(({ refs }) => refs)),
      [[call?.ref]],
    );

    agents.file("a.txt", "one\ntwo\n");
    await agents.run(edit("c2", "all else\n"));
    const [second] = await agents.pending();
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: second?.ref ?? "" }] });
    assert.equal(readFileSync(path, "utf8"), "one\ntwo\n");
    assert.partialDeepStrictEqual((await agents.pending())[0], { name: "writeFile", input: { content: "all else\n" } });
  });

  it("that changes files by itself is noticed: the changes are listed with its call", async () => {
    await using agents = await AgentHost.start();
    agents.file("a.txt", "one\n");
    await agents.open();
    const call = { toolCallId: "c1", title: "sed -i", kind: "execute" } as const;

    await agents.run(
      { call: { ...call, status: "in_progress" } },
      { save: agents.file("a.txt"), content: "changed\n" },
      { update: { toolCallId: "c1", status: "completed" } },
      { say: "Done." },
    );
    const first = await agents.host.send(EditsChanges, { teamId: "t" });
    assert.partialDeepStrictEqual(first, { commands: [{ path: "a.txt", command: "sed -i", change: "changed" }] });
    await agents.run({ save: agents.file("b.txt"), content: "new\n" });
    assert.partialDeepStrictEqual(agents.events("tool/requested").at(-1), {
      calls: [{ name: "agent:edit", input: { title: "Changed files", paths: [agents.file("b.txt")] } }],
    });
  });

  it("is interrupted by a cancel: its partial is kept, and it is told where it was cut", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const run = agents.run({ say: "Half a " }, { say: "sentence" }, { wait: "cancel" });
    await agents.host.streamed("t", "Half a sentence".length);
    const receipt = await agents.host.send(TeamInterrupt, { teamId: "t" });
    await run;

    assert.deepEqual(
      receipt.partials.map(({ content, partial }) => [content, partial]),
      [["Half a sentence", true]],
    );
    assert.equal(agents.log("cancel").length, 1);
    assert.deepEqual(agents.events("error"), []);
    await agents.run({ say: "Whole." });
    assert.equal((await agents.thread()).at(-1)?.content, "Whole.");
    assert.match(agents.prompts().at(-1) ?? "", /You were interrupted[\s\S]*Half a sentence/);
    assert.equal(agents.log("new").length, 1, "the session goes on");
  });

  it("that never answers a cancel is ended after the grace, and said so; its next turn starts it again", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const run = agents.run({ spawn: "1000" }, { say: "Stuck" }, { wait: "ever" });
    await agents.host.streamed("t", 5);
    const receipt = await agents.host.send(TeamInterrupt, { teamId: "t" });
    await run;

    assert.equal(receipt.partials[0]?.content, "Stuck");
    assert.partialDeepStrictEqual(agents.events("error"), [
      {
        participant: "ann",
        message:
          "The program did not answer the interrupt within 1.5 s, so it was ended. It starts again at its next turn.",
      },
    ]);
    const [pid] = agents.log("pid") as number[];
    const [child] = agents.log("spawned") as number[];
    while (isAlive(pid ?? 0) || isAlive(child ?? 0)) await new Promise((resolve) => setImmediate(resolve));
    await agents.run({ say: "Back." });
    assert.equal((await agents.thread()).at(-1)?.content, "Back.");
    assert.match(agents.prompts().at(-1) ?? "", /ann \(you\):\n```\nStuck/);
  });

  it("whose permission request waits is cancelled by an interrupt", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await agents.run({ ask: { toolCallId: "c1", title: "Delete all", kind: "delete" } }, { say: "?" });
    await agents.host.send(TeamInterrupt, { teamId: "t" });
    await agents.run({ say: "Next." });

    assert.deepEqual(agents.log("chosen"), ["cancelled"]);
    assert.equal(agents.log("cancel").length, 1);
    assert.equal((await agents.thread()).at(-1)?.content, "Next.");
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
      while (isAlive(pid ?? 0)) await new Promise((resolve) => setImmediate(resolve));
      await agents.startHost();
      await agents.host.send(TeamOpen, { teamId: "t" });
      await agents.run({ say: "Still 7." });

      assert.equal((await agents.thread()).at(-1)?.content, "Still 7.");
      assert.equal(agents.log(features || "new").length, features === "" ? 2 : 1);
      const told = agents.prompts().at(-1) ?? "";
      assert.equal(told.includes("The number is 7.") && told.includes("ann (you)"), features === "");
    });
  }

  it("that waits for a decision when the host is killed is told of the decision, and may ask again", async () => {
    await using agents = await AgentHost.start();
    await agents.open("resume");
    const ask: AgentStep = {
      ask: { toolCallId: "c1", title: "Run it", kind: "execute", rawInput: { command: "make" } },
    };
    await agents.run(ask, { say: "Made." });
    await agents.host.kill();
    await agents.startHost();
    await agents.host.send(TeamOpen, { teamId: "t" });
    const [call] = await agents.pending();
    const { result } = await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });

    assert.equal(result?.status.code, "success");
    assert.match(
      agents.prompts().at(-1) ?? "",
      /you asked for agent:execute [\s\S]*make[\s\S]*you allowed it, and may ask again/,
    );
  });

  it("is told only what it has not seen, with the names of speakers; another conversation is told again", async () => {
    await using agents = await AgentHost.start();
    const [ann, bob] = [agents.participant("ann", ""), agents.participant("bob", "")];
    await agents.open("", { participants: [{ ...ann, instructions: "You are brief." }, bob], maxTurns: 3 });
    await agents.host.send(TeamRun, { teamId: "t", task: "Hello." });

    const [first, second] = agents.prompts("ann");
    assert.equal(first, "You are brief.\n\nHello.".replace("\n\n", "\n"));
    assert.match(second ?? "", /^What has been said since:\n\nbob:\n````?\n/);
    assert.ok(second?.includes("Hello.") && !second.includes("ann (you)"));
    assert.match(
      agents.prompts("bob")[0] ?? "",
      /You are bob, one of several participants[\s\S]*user \(the user\):\n```\nHello\.[\s\S]*ann:\n/,
    );
    await agents.host.send(TeamReset, { teamId: "t" });
    await agents.host.send(TeamRun, { teamId: "t", task: "Again." });
    assert.ok(agents.prompts("ann").includes("You are brief.\nAgain."));
    assert.equal(agents.log("new", "ann").length, 2);
    await agents.host.send(TeamDelete, { teamId: "t" });
    const [pid] = agents.log("pid") as number[];
    while (isAlive(pid ?? 0)) await new Promise((resolve) => setImmediate(resolve));
  });

  it("hands over by a last line, in a nested team too, and goes on with the same session", async () => {
    await using agents = await AgentHost.start();
    const [ann, bob] = [agents.participant("ann", "", { handoffs: ["bob"] }), agents.participant("bob", "")];
    const inner: TeamDefinition = { name: "Inner", kind: "swarm", participants: [ann, bob], maxTurns: 2 };
    await agents.open("", { participants: [{ name: "pair", kind: "team", team: inner }] });

    await agents.run({ say: "Yours.\nHANDOFF: bob" });
    assert.partialDeepStrictEqual(agents.events("handoff"), [{ path: ["pair"], from: "ann", to: "bob" }]);
    assert.match(agents.prompts("ann")[0] ?? "", /end your message with a line "HANDOFF: name"[\s\S]*- bob/);
    assert.equal(agents.prompts("bob").length, 1);
    await agents.run({ say: "Again." });
    assert.deepEqual([agents.log("new", "ann").length, agents.log("new", "bob").length], [1, 1]);
  });

  it("that asks for a second permission before it does what it was allowed is asked about both", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const ask = (toolCallId: string): AgentStep => ({ ask: { toolCallId, title: toolCallId, kind: "execute" } });
    await agents.run(
      ask("outer"),
      ask("inner"),
      { update: { toolCallId: "outer", status: "completed" } },
      { say: "Both." },
    );
    for (const title of ["outer", "inner"]) {
      const [call, ...others] = await agents.pending();
      assert.partialDeepStrictEqual(call?.input, { title });
      assert.equal(others.length, 0);
      await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    }
    assert.equal((await agents.thread()).at(-1)?.content, "Both.");
    assert.deepEqual(agents.log("chosen"), ["yes", "yes"]);
  });

  it("is not allowed what the user has edited, and is told of it", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await agents.run({ ask: { toolCallId: "c1", title: "Run", kind: "execute", rawInput: { command: "make" } } });
    const [call] = await agents.pending();
    const input = { ...(call?.input as object), command: "make test" };
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "", input }] });

    assert.deepEqual(agents.log("chosen"), ["no"]);
    assert.match(agents.prompts().at(-1) ?? "", /does not want that, but this instead:[\s\S]*make test/);
  });

  it("one call of it can be cut for the user; it goes on, and the turn ends", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    const run = agents.run(
      { call: { toolCallId: "c1", title: "Long", kind: "execute", status: "in_progress" } },
      { wait: "cancel" },
    );
    const started = await agents.host.event("t", ({ type }) => type === "tool/started");
    const ref = "ref" in started ? started.ref : "";
    const receipt = await agents.host.send(TeamInterrupt, { teamId: "t", scope: { ref } });
    assert.equal(receipt.status, "running");
    assert.match(JSON.stringify(agents.events("tool/executed")), /can only be stopped as a whole/);
    await agents.host.send(TeamInterrupt, { teamId: "t" });
    await run;
  });

  it("that waits gets a message of the user: what it asked is cancelled, and it answers", async () => {
    await using agents = await AgentHost.start();
    await agents.open();
    await agents.run({ ask: { toolCallId: "c1", title: "Run", kind: "execute" } });
    const answered = await agents.host.send(TeamSendUserMessage, {
      teamId: "t",
      to: "ann",
      messages: steps({ say: "Because." }),
      delivery: "now",
    });
    assert.equal(answered.messages.at(-1)?.content, "Because.");
    assert.deepEqual(agents.log("chosen"), ["cancelled"]);
  });

  it("is shown images where it takes them, and its tokens count for a budget", async () => {
    await using agents = await AgentHost.start();
    await agents.open("image", { maxTurns: 5, termination: { tokenUsage: { total: 10 } } });
    const uri = "data:image/png;base64,iVBORw0KGgo=";
    const text = steps({ say: "Seen." }, { usage: { inputTokens: 8, outputTokens: 4, totalTokens: 12 } });
    const result = await agents.host.send(TeamRun, {
      teamId: "t",
      task: [
        { type: "text", text },
        { type: "image", uri },
      ],
    });

    assert.match(result.stopReason ?? "", /[Tt]oken/);
    assert.partialDeepStrictEqual(agents.log("prompt")[0], [
      { type: "text" },
      { type: "image", mimeType: "image/png" },
    ]);
  });

  it("can be one that others serve: here a team of gavel acp, whose call is approved outside of it", async () => {
    await using agents = await AgentHost.start();
    const call = { tool: "writeFile", input: { path: "x.txt", content: "hi" } };
    const inner: TeamDefinition = {
      name: "Inner",
      kind: "roundRobin",
      participants: [{ name: "amy", tools: ["writeFile"] }],
      models: { default: { provider: "practice", pace: 0, lines: { amy: [{ calls: [call] }, "Written."] } } },
      maxTurns: 1,
    };
    agents.file("inner.team.json", JSON.stringify(inner));
    const args = [join(root, "dist", "cli.js"), "acp", "inner.team.json"];
    const storage = { XDG_DATA_HOME: agents.path("data"), XDG_CONFIG_HOME: agents.path("config") };
    await agents.open("", { participants: [agents.participant("ann", "", { args, env: storage })] });

    await agents.host.send(TeamRun, { teamId: "t", task: "Write it." });
    const [asked] = await agents.pending();
    assert.partialDeepStrictEqual(asked, { name: "agent:edit", input: { paths: [agents.file("x.txt")] } });
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: asked?.ref ?? "" }] });
    assert.equal((await agents.thread()).at(-1)?.content, "Written.");
    assert.equal(readFileSync(agents.file("x.txt"), "utf8"), "hi");
  });
});
