import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import type { ProgramQuestion } from "../../shared/contract/program.ts";
import {
  ProgramsForget,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamReset,
  TeamResolveTools,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { type RemoteAgentOptions, RemoteAgentServer, type RemoteStep } from "../fixtures/a2a-agent/agent-server.ts";
import { HostClient, type HostOptions, LONG_GRACES, USUAL_GRACES } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

/** A task that tells the agent what to do. */
const steps = (...list: readonly RemoteStep[]): string => `Do it. <<${JSON.stringify(list)}>>`;

/** A host, an agent elsewhere, and a team "t" that has it. */
class RemoteTeam implements AsyncDisposable {
  readonly #scratch = new Scratch();
  readonly #options: HostOptions;
  readonly agent: RemoteAgentServer;
  host!: HostClient;
  readonly asked: unknown[] = [];
  readonly programs: ProgramQuestion[] = [];
  readonly inputs: unknown[] = [];
  allows = true;
  input: string | null = "secr3t";

  private constructor(agent: RemoteAgentServer, options: HostOptions) {
    this.agent = agent;
    this.#options = options;
  }

  static async start(agent: RemoteAgentOptions = {}, options: HostOptions = {}): Promise<RemoteTeam> {
    const team = new RemoteTeam(await RemoteAgentServer.start(agent), options);
    mkdirSync(join(team.#scratch.path, "workspace"));
    await team.startHost();
    return team;
  }

  async startHost(): Promise<void> {
    this.host = await HostClient.start({
      storagePath: join(this.#scratch.path, "store"),
      folders: [pathToFileURL(join(this.#scratch.path, "workspace")).href],
      onEndpoint: (question) => {
        this.asked.push(question);
        return this.allows;
      },
      onProgram: (question) => {
        this.programs.push(question);
        return this.allows;
      },
      onInput: (question) => {
        this.inputs.push(question);
        return this.input;
      },
      ...LONG_GRACES,
      ...this.#options,
    });
  }

  participant(more: Partial<ParticipantDefinition> = {}): ParticipantDefinition {
    return { name: "ann", kind: "a2a", url: this.agent.url, ...more };
  }

  async open(more: Partial<ParticipantDefinition> = {}, team: Partial<TeamDefinition> = {}): Promise<void> {
    const definition: TeamDefinition = {
      name: "Remote",
      kind: "roundRobin",
      participants: [this.participant(more)],
      maxTurns: 1,
      ...team,
    };
    await this.host.send(TeamOpen, { teamId: "t", definition });
  }

  run(...list: readonly RemoteStep[]) {
    return this.host.send(TeamRun, { teamId: "t", task: steps(...list) });
  }

  async thread() {
    return (await this.host.send(TeamInspect, { teamId: "t" })).thread;
  }

  events(type: string) {
    return this.host.eventsOf("t").filter((event) => event.type === type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.agent[Symbol.asyncDispose]();
    this.#scratch[Symbol.dispose]();
  }
}

describe("an agent elsewhere as a participant", () => {
  const ways: readonly (readonly [way: string, options: RemoteAgentOptions])[] = [
    ["JSON-RPC, version 1.0", {}],
    ["JSON-RPC, version 0.3", { legacy: true }],
    ["HTTP+JSON", { httpJson: true }],
  ];
  for (const [way, options] of ways) {
    it(`streams its text, and what it says about its work, by ${way}`, async () => {
      await using team = await RemoteTeam.start(options);
      await team.open({ instructions: "Be brief." });
      const result = await team.run(
        { status: "I look around." },
        { say: "Three " },
        { say: "are there." },
        {
          parts: [
            { content: { $case: "data", value: { found: 3 } }, metadata: undefined, filename: "", mediaType: "" },
          ],
        },
      );
      assert.equal(result.status.code, "success", result.status.message);
      assert.equal(result.messages.at(-1)?.content, 'Three are there.\n\n```json\n{\n  "found": 3\n}\n```');
      const chunks = team.events("message/chunk").flatMap((event) => ("delta" in event ? [event.delta] : []));
      assert.equal(chunks.join(""), result.messages.at(-1)?.content);
      const thoughts = team.events("reasoning/thought").map((event) => "message" in event && event.message);
      assert.deepEqual(thoughts, ["I look around."]);
      assert.match(team.agent.prompts[0] ?? "", /^Be brief\.\n/);
    });
  }

  const bindings = [
    ["JSON-RPC", false],
    ["HTTP+JSON", true],
  ] as const;

  it("goes on with one conversation, and is told only what is new; after a reset it is told all again", async () => {
    await using team = await RemoteTeam.start();
    await team.open({ instructions: "Be brief." });
    await team.run({ say: "One." });
    await team.host.send(TeamRun, { teamId: "t", task: "And then?" });
    assert.equal(team.agent.prompts[1], "And then?");
    assert.equal(team.agent.contexts[0], team.agent.contexts[1]);
    await team.host.send(TeamReset, { teamId: "t" });
    await team.host.send(TeamRun, { teamId: "t", task: "Again" });
    assert.equal(team.agent.prompts[2], "Be brief.\nAgain");
    assert.notEqual(team.agent.contexts[2], team.agent.contexts[0]);
  });

  for (const [binding, httpJson] of bindings) {
    it(`answers without a task, or without streaming, by ${binding}`, async () => {
      await using team = await RemoteTeam.start({ httpJson });
      await team.open();
      assert.equal((await team.run({ message: "Hello" })).messages.at(-1)?.content, "Hello");
      await using slow = await RemoteTeam.start({ httpJson, streaming: false });
      await slow.open();
      const running = slow.run({ say: "Slow " }, { wait: true }, { say: "answer" });
      await slow.agent.waiting();
      slow.agent.release();
      assert.equal((await running).messages.at(-1)?.content, "Slow answer");
      assert.ok(slow.agent.methods.includes("GetTask"));
    });
  }

  it("asks the user by a call, whose answer its task goes on with, also after a restart of the host", async () => {
    await using team = await RemoteTeam.start();
    await team.open();
    const asked = await team.run(
      { say: "I can. " },
      { ask: "Red or blue?", after: [{ say: "Done.", artifact: "last" }] },
    );
    assert.equal(asked.stopReason, "TOOL_INTERRUPT");
    await team.host[Symbol.asyncDispose]();
    await team.startHost();
    await team.host.send(TeamOpen, { teamId: "t" });
    const [pending] = (await team.host.send(TeamInspect, { teamId: "t" })).pendingTools;
    assert.partialDeepStrictEqual(pending, { name: "askUser", input: { question: "Red or blue?" } });
    const { result } = await team.host.send(TeamResolveTools, {
      teamId: "t",
      respond: [{ ref: pending?.ref ?? "", output: "Red" }],
    });
    assert.equal(result?.status.code, "success", result?.status.message);
    assert.equal(team.agent.prompts.at(-1), "Red");
    assert.match(String(result?.messages.at(-1)?.content), /The answer was: Red\s+Done\./);
    assert.doesNotMatch(String(result?.messages.at(-1)?.content), /I can/);
  });

  for (const [binding, httpJson] of bindings) {
    it(`is canceled by an interrupt; what it has said is kept, and it goes on with the same conversation, by ${binding}`, async () => {
      await using team = await RemoteTeam.start({ httpJson });
      await team.open();
      const running = team.run({ say: "The first half" }, { wait: true }, { say: " and the rest" });
      await team.host.event("t", (event) => event.type === "message/chunk");
      await team.host.send(TeamInterrupt, { teamId: "t" });
      assert.equal((await running).status.code, "interrupted");
      assert.equal(team.agent.canceled.length, 1);
      assert.doesNotMatch(JSON.stringify(team.host.eventsOf("t")), /may go on/);
      assert.partialDeepStrictEqual((await team.thread()).at(-1), { content: "The first half", partial: true });
      await team.host.send(TeamRun, { teamId: "t", task: steps({ say: "New" }) });
      assert.match(team.agent.prompts.at(-1) ?? "", /You were interrupted/);
      assert.equal(team.agent.contexts.at(-1), team.agent.contexts[0]);
    });
  }

  it("that does not answer a cancel is left alone in time, and the user is told", async () => {
    await using team = await RemoteTeam.start({ ignoresCancel: true }, USUAL_GRACES);
    await team.open();
    const running = team.run({ say: "Half" }, { wait: true });
    await team.host.event("t", (event) => event.type === "message/chunk");
    await team.host.send(TeamInterrupt, { teamId: "t" });
    await running;
    assert.match(JSON.stringify(team.host.eventsOf("t")), /did not answer the interrupt within 1\.5 s: it may go on/);
  });

  for (const [binding, httpJson] of bindings) {
    it(`is asked for its task again when the connection breaks, and nothing is said twice, by ${binding}`, async () => {
      await using team = await RemoteTeam.start({ httpJson });
      await team.open();
      const running = team.run(
        { say: "One, " },
        { wait: true },
        { drop: true },
        { say: "two, " },
        { wait: true },
        { say: "three." },
      );
      await team.host.event("t", (event) => event.type === "message/chunk");
      await team.agent.waiting();
      team.agent.release();
      await team.agent.waiting();
      team.agent.release();
      const result = await running;
      assert.equal(result.messages.at(-1)?.content, "One, two, three.");
      assert.ok(team.agent.methods.some((method) => method === "SubscribeToTask" || method === "GetTask"));
    });
  }

  for (const [binding, httpJson] of bindings) {
    it(`goes on with its task after the host was killed, and says only the rest, by ${binding}`, async () => {
      await using team = await RemoteTeam.start({ httpJson });
      await team.open();
      team.run({ say: "One, " }, { wait: true }, { say: "two." }).catch(() => {});
      await team.host.event("t", (event) => event.type === "message/chunk");
      await team.agent.waiting();
      team.host.process.kill("SIGKILL");
      await team.host[Symbol.asyncDispose]();
      await team.startHost();
      await team.host.send(TeamOpen, { teamId: "t" });
      const continued = team.host.send(TeamRun, { teamId: "t" });
      await team.agent.asked("SubscribeToTask");
      team.agent.release();
      const result = await continued;
      assert.equal(result.status.code, "success", result.status.message);
      assert.equal(
        (await team.thread())
          .map(({ content }) => content)
          .slice(1)
          .join(""),
        "One, two.",
      );
      assert.equal(team.agent.prompts.length, 1);
    });
  }

  it("gives its key to the agent alone, in the header that the card names, and not with the card's own request", async () => {
    const key = (scheme: unknown) => (url: string) => ({ ...cardAt(`${url}/rpc`), securitySchemes: { key: scheme } });
    const apiKeySecurityScheme = { description: "", location: "header", name: "X-Agent-Key" };
    await using team = await RemoteTeam.start({ card: key({ apiKeySecurityScheme }) }, { keys: { agent: "s3cret" } });
    await team.open({ apiKey: { secret: "agent" } });
    assert.equal((await team.run({ say: "Hi" })).status.code, "success");
    const sent = team.agent.headers.map((headers) => headers["x-agent-key"]);
    assert.deepEqual(sent, [undefined, "s3cret"]);
    assert.deepEqual(team.host.secretsAsked, [{ secret: "agent", origin: team.agent.url, agent: "ann" }]);

    const card = key({ apiKeySecurityScheme: { ...apiKeySecurityScheme, name: "Host" } });
    await using hostile = await RemoteTeam.start({ card }, { keys: { agent: "s3cret" } });
    await hostile.open({ apiKey: { secret: "agent" } });
    await hostile.run({ say: "Hi" });
    assert.equal(hostile.agent.headers.at(-1)?.authorization, "Bearer s3cret");

    await using missing = await RemoteTeam.start();
    await missing.open({ apiKey: { secret: "agent" } });
    const { message } = (await missing.run({ say: "Hi" })).status;
    assert.match(message ?? "", /^ann needs a key, and "agent" is not stored or may not be sent to 127\.0\.0\.1:/);
  });

  it("gets the headers of the team file with its card and all requests, filled in, once the user allows them", async () => {
    await using team = await RemoteTeam.start(
      { intercept: refusesWithout("secr3t") },
      { environment: { TRIP: "4711" } },
    );
    const headers = { Authorization: `Bearer ${TOKEN}`, "X-Trip": TRIP };
    await team.open({ headers });
    team.allows = false;
    const { message } = (await team.run({ say: "Hi" })).status;
    assert.match(
      message ?? "",
      /^Nothing was sent to ann, as you have not allowed http:\/\/127\.0\.0\.1:\d+; continue /,
    );
    assert.deepEqual([team.agent.headers, team.inputs], [[], []]);
    team.allows = true;
    assert.equal((await team.host.send(TeamRun, { teamId: "t" })).messages.at(-1)?.content, "Hi");
    const start = { url: team.agent.url, headers: [`Authorization: Bearer ${TOKEN}`, `X-Trip: ${TRIP}`] };
    const question = { use: "agent", name: "ann", from: "gavel:Remote", start };
    assert.partialDeepStrictEqual(team.programs, [question, question]);
    assert.deepEqual(team.inputs, [{ server: "ann", use: "agent", from: "gavel:Remote", id: "token", password: true }]);
    assert.deepEqual(team.asked, []);
    assert.ok(team.agent.headers.length >= 2);
    for (const sent of team.agent.headers) assert.equal(sent["x-trip"], "4711");
    assert.doesNotMatch(JSON.stringify([team.host.logs, team.host.eventsOf("t")]), /secr3t|4711/);

    const digest = team.programs.at(-1)?.digest ?? "";
    await team.host.send(ProgramsForget, { digest });
    team.allows = false;
    const sent = team.agent.headers.length;
    assert.match((await team.run({ say: "Hi" })).status.message ?? "", /^Nothing was sent to ann, /);
    assert.equal(team.agent.headers.length, sent);
  });

  it("gets no header of another origin, and none after a redirect", async () => {
    await using other = await RemoteAgentServer.start();
    const headers = { "X-Team": "secr3t" };
    await using elsewhere = await RemoteTeam.start({ card: () => cardAt(`${other.url}/rpc`) });
    await elsewhere.open({ headers });
    assert.equal((await elsewhere.run({ say: "Hi" })).status.code, "success");
    assert.equal(elsewhere.agent.headers[0]?.["x-team"], "secr3t");
    assert.ok(other.headers.length > 0);
    for (const sent of other.headers) assert.equal(sent["x-team"], undefined);

    for (const from of ["/.well-known/agent-card.json", "/rpc"]) {
      const count = other.headers.length;
      await using moved = await RemoteTeam.start({
        intercept: (path, response) => {
          if (path === from) response.writeHead(307, { location: `${other.url}${from}` }).end();
          return path === from;
        },
      });
      await moved.open({ headers });
      assert.match((await moved.run({ say: "Hi" })).status.message ?? "", /^ann is not at .*, which leads to http/);
      assert.equal(other.headers.length, count);
    }
  });

  it("ends the run with one sentence for headers that are refused, missing, or cannot be sent", async () => {
    await using team = await RemoteTeam.start({ intercept: refusesWithout("secr3t") });
    await team.open();
    const without = await team.run({ say: "Hi" });
    assert.match(
      without.status.message ?? "",
      /^ann refused the request \(401 from 127\.0\.0\.1:\d+\), as its card needs a key, which only `headers` can carry: /,
    );
    const host = async (headers: Record<string, string>, input: string | null) => {
      team.input = input;
      await team.open({ headers });
      return (await team.run({ say: "Hi" })).status.message ?? "";
    };
    assert.match(
      await host({ Authorization: "Bearer no" }, null),
      /, as its `headers` are not accepted: correct them in /,
    );
    assert.match(await host({ Authorization: `Bearer ${TOKEN}` }, "no"), /, or take back what you allowed in Allowed /);
    const sent = team.agent.headers.length;
    assert.match(
      await host({ Authorization: `Bearer ${TOKEN}` }, null),
      /^Nothing was sent to ann, as no value was given for "token"; continue to be asked again\.$/,
    );
    assert.match(
      await host({ "X-Token": TOKEN }, "a\r\nHost: elsewhere"),
      /^Nothing was sent to ann, as its header X-Token has a line break or another character that none can have; /,
    );
    assert.equal(team.agent.headers.length, sent);
    await using both = await RemoteTeam.start({}, { keys: { agent: "k" } });
    await both.open({ headers: { authorization: "Bearer x" }, apiKey: { secret: "agent" } });
    assert.match(
      (await both.run({ say: "Hi" })).status.message ?? "",
      /^ann takes its key in the header authorization, which `headers` has as well; remove it there, or `apiKey`, /,
    );
  });

  it("asks before anything goes to another origin, and again about the one that the card names", async () => {
    await using team = await RemoteTeam.start({ card: () => cardAt("http://elsewhere.invalid/rpc") });
    team.allows = false;
    await team.open();
    const elsewhere = await team.run({ say: "Hi" });
    assert.match(
      elsewhere.status.message ?? "",
      /^Nothing was sent to ann, as you have not allowed http:\/\/elsewhere\.invalid, where its card at 127\.0\.0\.1:\d+ says/,
    );
    assert.deepEqual(team.asked, [{ origin: "http://elsewhere.invalid", model: "ann", agent: "ann" }]);
    const bob: ParticipantDefinition = { name: "bob", kind: "a2a", url: "https://agents.invalid/bob" };
    const definition: TeamDefinition = { name: "Other", kind: "roundRobin", participants: [bob] };
    await team.host.send(TeamOpen, { teamId: "u", definition });
    const other = await team.host.send(TeamRun, { teamId: "u", task: "Hi" });
    assert.match(
      other.status.message ?? "",
      /^Nothing was sent to bob, as you have not allowed https:\/\/agents\.invalid; /,
    );
    assert.equal(team.asked.length, 2);
  });

  for (const [end, sentence] of [
    ["failed", "ann failed: no luck; change the task, or continue to try again."],
    ["rejected", "ann rejected the task: no luck; change it, or ask another participant."],
    ["canceled", "ann canceled its task: no luck; continue to give it again."],
    ["auth", "ann needs you to sign in elsewhere: no luck; do so, and continue."],
  ] as const) {
    it(`ends the run with one sentence for a task that has come to: ${end}`, async () => {
      await using team = await RemoteTeam.start();
      await team.open();
      const { status } = await team.run({ say: "I try." }, { end, text: "no luck." });
      assert.deepEqual([status.code, status.message], ["error", sentence]);
      assert.partialDeepStrictEqual((await team.thread()).at(-1), { content: "I try.", partial: true });
    });
  }

  const only = (url: string, protocolVersion: string) => ({
    name: "a",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion }],
  });
  const cards: readonly (readonly [what: string, card: unknown, sentence: RegExp])[] = [
    ["is no JSON", "<html>", /^ann has no agent card at 127\.0\.0\.1:\d+: what is there is not JSON; correct `url`\.$/],
    ["is something else", "{}", /^ann has no agent card at 127\.0\.0\.1:\d+; correct `url` in the team file\.$/],
    ["is too large", `"${"x".repeat(2_000_000)}"`, /^The agent card of ann has more than 1 MB; /],
    ["is nested too deep", `{"name":"a","url":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, /not JSON; correct `url`\.$/],
    [
      "has a new version",
      only("http://127.0.0.1:9/", "2.0"),
      /^ann speaks version 2\.0 of Agent2Agent, and Gavel 1\.0 /,
    ],
    ["has no web address", only("file:///etc/passwd", "1.0"), /^ann can only be reached by JSONRPC, and Gavel knows /],
  ];
  for (const [what, card, sentence] of cards) {
    it(`ends the run with one sentence for a card that ${what}`, async () => {
      await using team = await RemoteTeam.start({ card: () => card });
      await team.open();
      const { status } = await team.run({ say: "Hi" });
      assert.match(status.message ?? "", sentence);
    });
  }

  const stream = { "content-type": "text/event-stream" };
  const answers: readonly (readonly [what: string, answer: Answer, sentence: RegExp])[] = [
    [
      "leads elsewhere",
      { status: 302, headers: { location: "http://elsewhere.invalid/" } },
      /^ann is not at 127\.0\.0\.1:\d+, which leads to http:\/\/elsewhere\.invalid\/; /,
    ],
    ["wants a key", { status: 401 }, /^ann refused the request \(401 from 127\.0\.0\.1:\d+\), as it needs a key: /],
    ["is not there", { status: 404, body: "nothing" }, /^ann cannot answer: 127\.0\.0\.1:\d+ answered 404; /],
    ["is out of order", { status: 502 }, /^ann cannot answer: 127\.0\.0\.1:\d+ answered 502; continue to try again\.$/],
    ["speaks something else", { status: 200, body: "<p>" }, /^ann sent what is not Agent2Agent /],
    ["ends at once", { status: 200, headers: stream }, /^ann ended its answer before it was complete; /],
    ["has endless lines", { status: 200, headers: stream, body: "x".repeat(9_000_000) }, /^ann .*(more than|maximum)/],
  ];
  for (const [what, { status: code, body = "", headers = {} }, sentence] of answers) {
    it(`ends the run with one sentence for a server that ${what}`, async () => {
      await using team = await RemoteTeam.start({
        intercept: (path, response) => {
          if (path === "/rpc") response.writeHead(code, headers).end(body);
          return path === "/rpc";
        },
      });
      await team.open();
      const { status } = await team.run({ say: "Hi" });
      assert.match(status.message ?? "", sentence);
    });
  }

  it("leaves the team usable when an agent is not there, floods, or does not answer at all", async () => {
    await using team = await RemoteTeam.start();
    await team.open({ url: "http://127.0.0.1:9" });
    const dead = await team.run({ say: "Hi" });
    assert.match(
      dead.status.message ?? "",
      /^ann cannot be reached at 127\.0\.0\.1:9 \(ECONNREFUSED\); check that it runs /,
    );

    await using flood = await RemoteTeam.start();
    await flood.open();
    const { status } = await flood.run({ repeat: { say: "x".repeat(50_000) }, times: 50 });
    assert.match(status.message ?? "", /^ann was stopped, as it sent more than 2,000,000 characters in one turn; /);

    await using silent = await RemoteTeam.start({ intercept: () => true });
    await silent.open();
    const running = silent.run({ say: "Hi" });
    await silent.agent.requested();
    await silent.host.send(TeamInterrupt, { teamId: "t" });
    assert.equal((await running).status.code, "interrupted");
  });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: files write placeholders like this.
const [TOKEN, TRIP] = ["${input:token}", "${env:TRIP}"];

/** An agent that answers nothing without this token. */
const refusesWithout =
  (token: string): NonNullable<RemoteAgentOptions["intercept"]> =>
  (_, response, { authorization }) => {
    const isRefused = authorization !== `Bearer ${token}`;
    if (isRefused) response.writeHead(401).end();
    return isRefused;
  };

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const cardAt = (url: string) => ({
  name: "a",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
});
