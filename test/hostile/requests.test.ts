import assert from "node:assert/strict";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { seededRandom } from "../../server/engine/testing/random.ts";
import { ERROR_CODES } from "../../shared/contract/errors.ts";
import { isRecord } from "../../shared/json-record.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { mutated } from "./mutate-json.ts";
import { RawHost, type RawMessage } from "./raw-host.ts";
import corpus from "./requests.json" with { type: "json" };

/** How many changed requests are sent. */
const COUNT = Number(process.env["HOSTILE_REQUESTS"] ?? 3_000);
/** Printed with a failure; the same seed sends the same requests. */
const SEED = Number(process.env["HOSTILE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const CODES = new Set<number>(
  Object.entries(ERROR_CODES).flatMap(([name, code]) => (name === "InternalError" ? [] : [code])),
);
const RAW =
  /\bundefined\b|Cannot read|is not a function|is not iterable|Maximum call stack|\[object|\n|TypeError|bug in Gavel/;

/** A result, or an error of the protocol with one readable sentence. */
function assertPlain({ result, error }: RawMessage): void {
  if (error === undefined) {
    assert.notEqual(result, undefined);
    return;
  }
  assert.ok(CODES.has(error.code), `${error.code}: ${error.message}`);
  assert.doesNotMatch(error.message, RAW);
  assert.match(error.message, /[.?!…]$/);
  assert.ok(error.message.length < 10_000, `${error.message.length} characters`);
}

it(`${COUNT} requests with changed params are answered plainly, and another team stays as it is (seed ${SEED})`, async () => {
  using scratch = new Scratch();
  await using host = new RawHost();
  const random = seededRandom(SEED);
  await host.request("initialize", { capabilities: {} });
  host.send({ jsonrpc: "2.0", method: "initialized", params: {} });
  const open = async (teamId: string): Promise<void> => {
    const { result, error } = await host.request("team/open", { teamId, definition: corpus.definition });
    assert.ok(result !== undefined, error?.message);
  };
  for (const teamId of ["kept", "fuzzed"]) {
    await open(teamId);
    const { result, error } = await host.request("team/run", { teamId, task: "Go." });
    assert.ok(result !== undefined, error?.message);
  }
  const kept = (await host.request("team/inspect", { teamId: "kept" })).result;
  const state = (await host.request("team/saveState", { teamId: "fuzzed" })).result;
  const requests = Object.entries(corpus.requests);

  for (let at = 0; at < COUNT; at++) {
    const [method = "", written] = requests[random(requests.length)] ?? [];
    const valid = filledIn(written, {
      DEFINITION: corpus.definition,
      STATE: state,
      FUZZED: "fuzzed",
      FORK: `fork${at % 3}`,
    });
    let params = mutated(valid, random, corpus);
    while (random(3) === 0) params = mutated(params, random, corpus);
    if (method === "team/saveStateFile") params = writtenIn(scratch.path, params);
    host.messages.length = 0;
    const answer = await host.request(method, params);
    try {
      assertPlain(answer);
      assert.deepEqual(host.messages.filter(isErrorLog), []);
    } catch (error) {
      throw new Error(`Request ${at}, ${method} ${JSON.stringify(params)?.slice(0, 3_000)}`, { cause: error });
    }
    // A changed state or a delete may have left nothing to work with.
    if (at % 20 === 0) await open("fuzzed");
    if (at % 100 === 0) assert.deepEqual((await host.request("team/inspect", { teamId: "kept" })).result, kept);
  }
  assert.equal(host.errors, "");
});

/** Params that name a file of the test's own in place of any other. */
function writtenIn(folder: string, params: unknown): unknown {
  if (!isRecord(params) || typeof params["uri"] !== "string" || !/^file:/i.test(params["uri"])) return params;
  return {
    ...params,
    uri: `${pathToFileURL(folder).href}/${encodeURIComponent(params["uri"].toWellFormed()).slice(0, 100)}`,
  };
}

/** A line in the log that reports a bug. */
const isErrorLog = ({ method, params }: RawMessage): boolean =>
  method === "window/logMessage" && (params as { readonly type?: number }).type === 1;

/** Params with values for the names in the corpus. */
function filledIn(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === "string") return Object.hasOwn(values, value) ? structuredClone(values[value]) : value;
  if (Array.isArray(value)) return value.map((item) => filledIn(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filledIn(inner, values)]));
}
