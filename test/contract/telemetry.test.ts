import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as z from "zod";
import { rawEndpoint } from "../../server/models/testing/raw-endpoint.ts";
import { CommandLine } from "./harness/command-line.ts";

const TEAM = {
  name: "Two",
  kind: "roundRobin",
  participants: [{ name: "ann", tools: ["runCommand"] }, { name: "bob" }],
  models: {
    default: {
      provider: "practice",
      pace: 0,
      lines: {
        ann: [
          { say: "I run it.", calls: [{ tool: "runCommand", input: { command: "echo secret-output" } }] },
          "It ran.",
        ],
        bob: ["Good."],
      },
    },
  },
  maxTurns: 2,
};

const Attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) });
const Exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              attributes: z.array(Attribute),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** Each span with those around it: `a > b > c`. */
function spanPaths(body: string): string[] {
  const spans = Exported.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap((scope) => scope.spans),
  );
  const pathOf = (id: string | undefined): string[] => {
    const span = spans.find(({ spanId }) => spanId === id);
    return span === undefined ? [] : [...pathOf(span.parentSpanId), span.name];
  };
  return spans.map(({ spanId }) => pathOf(spanId).join(" > ")).sort();
}

const ARGS = ["run", "t.team.json", "The task.", "--approve", "runCommand"];

describe("spans of a run", () => {
  it("go to the user's collector alone: a run, its turns, their model steps and tool calls, without what is said", async () => {
    await using collector = await rawEndpoint((response) => response.end("{}"));
    using gavel = new CommandLine({ "t.team.json": TEAM });
    assert.equal((await gavel.run(ARGS)).code, 0);
    assert.equal(collector.requests.length, 0);
    const { code, stderr } = await gavel.run([...ARGS, "--otel-endpoint", `http://${collector.host}`]);
    assert.equal(code, 0, stderr);
    const [request] = collector.requests;
    assert.equal(request?.url, "/v1/traces");
    const body = request?.body ?? "";
    const run = "invoke_workflow Two";
    assert.deepEqual(spanPaths(body), [
      run,
      `${run} > invoke_agent ann`,
      `${run} > invoke_agent ann > chat`,
      `${run} > invoke_agent ann > chat`,
      `${run} > invoke_agent ann > execute_tool runCommand`,
      `${run} > invoke_agent bob`,
      `${run} > invoke_agent bob > chat`,
    ]);
    assert.match(body, /"service\.name","value":\{"stringValue":"gavel"\}/);
    assert.doesNotMatch(body, /The task|I run it|secret-output|It ran|Good/);
  });

  it("have what is said only when it is asked for, and the environment names the collector too", async () => {
    await using collector = await rawEndpoint((response) => response.end("{}"));
    using gavel = new CommandLine({ "t.team.json": TEAM });
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${collector.host}`, OTEL_SERVICE_NAME: "ours" };
    assert.equal((await gavel.run([...ARGS, "--otel-content"], { variables })).code, 0);
    const body = collector.requests.map((request) => request.body).join("");
    assert.match(body, /"stringValue":"ours"/);
    assert.match(body, /secret-output/);
    assert.match(body, /It ran\./);
  });

  it("change nothing when the collector is not there or refuses", async () => {
    await using collector = await rawEndpoint((response) => response.writeHead(400).end());
    using gavel = new CommandLine({ "t.team.json": TEAM });
    const refused = await gavel.run([...ARGS, "--otel-endpoint", `http://${collector.host}`]);
    assert.deepEqual([refused.code, refused.stderr], [0, ""]);
    const wrong = await gavel.run([...ARGS, "--otel-endpoint", "collector"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--otel-endpoint collector is no address/);
    const malformed = await gavel.run([...ARGS, "--otel-endpoint", "http://[collector"]);
    assert.deepEqual([malformed.code, malformed.stdout], [2, ""]);
    assert.match(malformed.stderr, /^gavel: --otel-endpoint http:\/\/\[collector is no address; write it as/);
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://[collector" };
    const inVariable = await gavel.run(ARGS, { variables });
    assert.deepEqual([inVariable.code, inVariable.stdout], [2, ""]);
    assert.match(inVariable.stderr, /^gavel: OTEL_EXPORTER_OTLP_ENDPOINT is no address/);
  });

  it("keep no command from ending when the collector never ends its answer", async () => {
    await using collector = await rawEndpoint((response) => {
      response.writeHead(200).write(" ");
      setInterval(() => response.write(" "), 100).unref();
    });
    using gavel = new CommandLine({ "t.team.json": TEAM });
    const { code } = await gavel.run([...ARGS, "--otel-endpoint", `http://${collector.host}`]);
    assert.equal(code, 0);
    assert.equal(collector.requests.length, 1);
  });
});
