import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SensitiveFiles } from "../sensitive/sensitive-files.ts";
import { evaluateCall } from "./evaluate-call.ts";

const files = new SensitiveFiles({ roots: () => ["/w"] });

/** The decision on a command under a rule for the whole tool, and how many paths were resolved and expanded. */
function judged(line: string, expand: (pattern: string) => readonly string[] | undefined = () => []) {
  const resolved: string[] = [];
  const realPath = (path: string): string => {
    resolved.push(path);
    return path;
  };
  const call = {
    tool: { name: "runCommand", description: "", inputSchema: {}, approval: "ask" as const },
    participant: "ann",
    teamId: "t",
    input: { command: line },
    effects: { command: { line, folder: "/w" }, paths: [], hosts: [] },
  };
  const rules = [{ id: "r", tool: "runCommand", decision: "allow", scope: "always" } as const];
  const places = { roots: [{ label: "w", path: "/w" }], realPath };
  const { decision, reason } = evaluateCall(call, rules, { shell: "posix", files, places, expand });
  return { decision, reason, resolved: resolved.length };
}

describe("a command with many words", () => {
  it("asks when they are too many to resolve, and resolves no more than that", () => {
    const words = Array.from({ length: 490 }, (_, at) => `f${at}`);
    const { decision, reason, resolved } = judged(`touch ${words.join(" ")}`);
    assert.equal(decision, "ask");
    assert.match(reason, /names too many files to check each of them/);
    assert.ok(resolved <= 310, `${resolved} paths were resolved`);
  });

  it("does not ask when the words are the same few", () => {
    for (const line of [`touch ${"a b c ".repeat(160)}`, "touch a b c; ".repeat(160)]) {
      const { decision, resolved } = judged(line);
      assert.equal(decision, "allow");
      assert.ok(resolved <= 20, `${resolved} paths were resolved`);
    }
  });
});

describe("a command that cannot be parsed", () => {
  it("asks for the sensitive files that its text names", () => {
    const long = "x".repeat(20_000);
    assert.match(judged(`cat .env; echo ${long}`).reason, /^\.env may hold secrets/);
    assert.equal(judged(`cat a.txt; echo ${long}`).decision, "allow");
  });
});

describe("wildcards", () => {
  it("ask for what they match now, and when there is too much to look at", () => {
    assert.equal(judged("cat *", () => ["/w/a.ts"]).decision, "allow");
    assert.equal(judged("cat *", () => ["/w/a.ts", "/w/.env"]).decision, "ask");
    assert.match(judged("cat */*", () => undefined).reason, /names too many files/);
  });

  it("are looked up only where the shell would expand them", () => {
    const looked: string[] = [];
    const expand = (pattern: string) => {
      looked.push(pattern);
      return [];
    };
    judged(`cat '*' "a*" $X/b .e$X $PWD/c*`, expand);
    assert.deepEqual(looked, ["/w/.e*", "/w/c*"]);
  });
});
