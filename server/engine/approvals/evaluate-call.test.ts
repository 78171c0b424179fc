import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApprovalRule } from "../../../shared/contract/approval.ts";
import { type ApprovalRuleFunction, type CallToApprove, evaluateCall } from "./evaluate-call.ts";

let ids = 0;
const rule = (fields: Partial<ApprovalRule>): ApprovalRule => ({
  id: `r${++ids}`,
  decision: "allow",
  tool: "deploy",
  scope: "always",
  ...fields,
});

function call(
  fields: Partial<Omit<CallToApprove, "tool">> & { readonly tool?: string; readonly asks?: boolean } = {},
): CallToApprove {
  const { tool = "deploy", asks = true, ...rest } = fields;
  const declaration = {
    name: tool,
    description: "",
    inputSchema: {},
    approval: asks ? ("ask" as const) : ("never" as const),
  };
  return { participant: "ann", teamId: "t", input: {}, ...rest, tool: declaration };
}

const decide = (given: CallToApprove, ...rules: readonly (ApprovalRule | ApprovalRuleFunction)[]) =>
  evaluateCall(given, rules, { shell: "posix" });
const decision = (given: CallToApprove, ...rules: readonly (ApprovalRule | ApprovalRuleFunction)[]) =>
  decide(given, ...rules).decision;

describe("which decision applies", () => {
  it("without rules, what the tool declares", () => {
    assert.equal(decision(call()), "ask");
    assert.equal(decision(call({ asks: false })), "allow");
    assert.match(decide(call()).reason, /deploy needs the user's approval/);
  });

  it("a deny rule, also for a tool that needs no approval", () => {
    assert.equal(decision(call({ asks: false }), rule({ decision: "deny" })), "deny");
  });

  it("deny beats ask, and ask beats allow, in any order", () => {
    const [allow, ask, deny] = (["allow", "ask", "deny"] as const).map((one) => rule({ decision: one }));
    assert.ok(allow && ask && deny);
    assert.equal(decision(call(), allow, deny, ask), "deny");
    assert.equal(decision(call(), deny, allow), "deny");
    assert.equal(decision(call(), allow, ask), "ask");
    assert.equal(decision(call({ asks: false }), ask), "ask");
    assert.equal(decision(call(), allow), "allow");
  });

  it("an exact decision beats every standing one, and among exact ones deny does", () => {
    const input = { to: "production", force: [1, { x: null }] };
    const same = { force: [1, { x: null }], to: "production" };
    const exact = rule({ input: same });
    assert.equal(decision(call({ input }), rule({ decision: "deny" }), exact), "allow");
    assert.equal(decision(call({ input }), rule({}), rule({ decision: "deny", input: same })), "deny");
    assert.equal(decision(call({ input }), exact, rule({ decision: "deny", input: same })), "deny");
    assert.equal(decision(call({ input: { ...input, more: 1 } }), exact), "ask");
    assert.equal(decision(call({ input: { to: "production" } }), exact), "ask");
  });

  it("an exact input for a pattern of tools is a standing decision", () => {
    assert.equal(decision(call(), rule({ tool: "*", input: {} }), rule({ decision: "deny" })), "deny");
    assert.equal(decision(call(), rule({ tool: "*", input: {} })), "allow");
  });

  it("a rule that throws or is malformed denies, even beside an exact allow rule, and gives the reason", () => {
    const broken = () => {
      throw new Error("no database");
    };
    const verdict = decide(call(), rule({ input: {} }), broken);
    assert.equal(verdict.decision, "deny");
    assert.match(verdict.reason, /"broken" cannot be applied, so this call is denied: no database/);
    for (const fields of [
      { command: "git 'x" },
      { command: "a; b" },
      { command: "$X" },
      { path: "src/{a" },
      { path: "[" },
      { host: "https://x" },
    ])
      assert.match(
        decide(call(), rule(fields)).reason,
        /cannot be applied, so this call is denied/,
        JSON.stringify(fields),
      );
  });

  it("a broken rule for another tool changes nothing", () => {
    assert.equal(decision(call(), rule({}), rule({ tool: "other", command: "'" })), "allow");
  });

  it("a rule function counts as a standing rule, and an invalid return value denies", () => {
    const production: ApprovalRuleFunction = ({ input }) =>
      (input as { to?: string }).to === "production" ? "deny" : undefined;
    assert.equal(decision(call({ input: { to: "production" } }), production, rule({})), "deny");
    assert.equal(decision(call({ input: { to: "staging" } }), production, rule({})), "allow");
    assert.equal(
      decision(call(), () => "allow"),
      "allow",
    );
    const promised = (async () => "allow") as unknown as ApprovalRuleFunction;
    assert.equal(decision(call(), promised), "deny");
  });
});

describe("what a rule covers", () => {
  it("a tool by name, by pattern, and all tools", () => {
    for (const tool of ["deploy", "dep*", "*"]) assert.equal(decision(call(), rule({ tool })), "allow", tool);
    for (const tool of ["deploys", "dep", "Deploy", "x*"]) assert.equal(decision(call(), rule({ tool })), "ask", tool);
  });

  it("a participant, and a team", () => {
    assert.equal(decision(call(), rule({ participant: "ann", team: "t" })), "allow");
    assert.equal(decision(call(), rule({ participant: "bob" })), "ask");
    assert.equal(decision(call(), rule({ team: "u" })), "ask");
  });

  it("a command tool by its name, with any command", () => {
    const given = call({ tool: "runCommand", input: { command: "eval $X" } });
    assert.equal(decision(given, rule({ tool: "runCommand" })), "allow");
  });

  it("an outcome has the rules that decided, and says that rules did", () => {
    const ids = (outcome: ReturnType<typeof decide>) => outcome.rules.map(({ id }) => id);
    const exact = decide(call(), rule({ id: "exact", input: {} }), rule({ id: "standing" }));
    assert.deepEqual([exact.decision, exact.byRule, ids(exact)], ["allow", true, ["exact"]]);
    const several = decide(
      call({ input: { paths: ["a", "b"] } }),
      rule({ id: "a", path: "a" }),
      rule({ id: "b", path: "b" }),
    );
    assert.deepEqual([several.decision, several.byRule, ids(several)], ["allow", true, ["a", "b"]]);
    assert.match(several.reason, /The rule "deploy on the path a, always" and "deploy on the path b, always" allows/);
    const malformed = decide(call(), rule({ id: "bad", path: "[" }));
    assert.deepEqual([malformed.decision, malformed.byRule, ids(malformed)], ["deny", true, ["bad"]]);
    assert.match(malformed.reason, /^The rule "deploy on the path \[, always" cannot be applied/);
    const declared = decide(call({ asks: false }));
    assert.deepEqual([declared.decision, declared.byRule, ids(declared)], ["allow", false, []]);
    assert.equal(declared.reason, "The tool deploy needs no approval.");
    const asked = decide(call(), rule({ decision: "ask" }));
    assert.equal(asked.reason, 'The rule "deploy, always" requires the user\'s approval for this call.');
  });

  it("a rule function is named in the reason, and is not one of the rules", () => {
    const noProduction: ApprovalRuleFunction = () => "deny";
    const named = decide(call(), noProduction);
    assert.deepEqual([named.decision, named.byRule, named.rules], ["deny", true, []]);
    assert.equal(named.reason, 'The rule "noProduction" denies this call.');
    assert.equal(decide(call(), () => "allow").reason, 'The rule "a rule in code" allows this call.');
    const failing = decide(call(), () => {
      throw new Error("x");
    });
    assert.deepEqual(failing.rules, []);
  });

  it("a rule without an input is no exact decision on a call without one", () => {
    const denied = rule({ tool: "*", decision: "deny" });
    assert.equal(decision(call({ input: undefined }), rule({}), denied), "deny");
  });

  it("a reason names the rule that decided", () => {
    const verdict = decide(call(), rule({ id: "r-7", decision: "deny", participant: "ann" }));
    assert.deepEqual(
      verdict.rules.map(({ id }) => id),
      ["r-7"],
    );
    assert.equal(verdict.reason, 'The rule "deploy, by ann, always" denies this call.');
  });
});

describe("paths in an input", () => {
  const edit = (input: unknown) => call({ tool: "editFile", input });
  const allowed = (path: string, input: unknown) => decision(edit(input), rule({ tool: "editFile", path }));

  it("a relative glob allows only paths inside the workspace", () => {
    for (const path of ["src/a.ts", "./src/x/../a.ts", "src"]) assert.equal(allowed("src/**", { path }), "allow", path);
    for (const path of ["../src/a.ts", "src/../a.ts", "/src/a.ts", "~/src/a", "C:\\src\\a", "src/../../src/a", "SRC/a"])
      assert.equal(allowed("src/**", { path }), "ask", path);
    for (const path of ["../a", "/etc/passwd", "~/x", "~/../x", "~ann/../x"])
      assert.equal(allowed("**", { path }), "ask", path);
    assert.equal(allowed("/tmp/**", { path: "/tmp/x" }), "allow");
    assert.equal(allowed("/tmp/**", { path: "/tmp/../etc/x" }), "ask");
  });

  it("every path in the input needs an allow rule, and one deny rule is enough", () => {
    const both = { edits: [{ path: "src/a" }, { filePath: "lib/b" }] };
    assert.equal(allowed("src/**", both), "ask");
    const rules = [rule({ tool: "editFile", path: "src/**" }), rule({ tool: "editFile", path: "lib/*" })];
    assert.equal(decision(edit(both), ...rules), "allow");
    assert.equal(decision(edit(both), ...rules, rule({ tool: "*", decision: "deny", path: "lib/**" })), "deny");
    assert.equal(allowed("src/**", { text: "src/a" }), "ask");
  });

  it("a deny rule finds a path in any notation", () => {
    const secret = rule({ tool: "*", decision: "deny", path: "secrets/**" });
    for (const path of [
      "secrets/a",
      "./secrets",
      "x/../secrets/a",
      "/w/secrets/a",
      "Secrets/a",
      "secrets\\a",
      "file:///w/secrets/a",
    ])
      assert.equal(decision(edit({ path }), secret), "deny", path);
    assert.equal(decision(edit({ path: "secretsx/a" }), secret), "ask");
  });
});

describe("hosts in an input", () => {
  const fetchOf = (...urls: readonly string[]) => call({ tool: "fetch", input: { urls } });
  const good = rule({ tool: "fetch", host: "*.good.example" });

  it("every URL needs an allow rule", () => {
    assert.equal(decision(fetchOf("https://a.good.example/x"), good), "allow");
    assert.equal(decision(fetchOf("https://a.GOOD.example.:8080/x"), good), "allow");
    assert.equal(decision(fetchOf("https://a.good.example:8080/x"), good), "allow");
    assert.equal(decision(fetchOf("https://a.good.example", "https://evil.example"), good), "ask");
  });

  it("no rule allows an ambiguous URL", () => {
    for (const url of [
      "https://a.good.example@evil.example",
      "https://a.good.example\\@evil.example",
      "https://evil.example\\.good.example",
      "https://evil.example/.good.example",
      "https://evil.example#.good.example",
      "https://evil.example?.good.example",
      "https://evil.exampl\u0435.good.example",
      "https://good.example",
      "a.good.example",
    ])
      assert.equal(decision(fetchOf(url), good), "ask", url);
  });

  it("a port in the rule matches only that port", () => {
    const local = rule({ tool: "fetch", host: "localhost:8080" });
    assert.equal(decision(fetchOf("http://localhost:8080/"), local), "allow");
    assert.equal(decision(fetchOf("http://localhost:22/"), local), "ask");
  });
});
