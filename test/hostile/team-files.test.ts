import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkDefinition, toProblems } from "../../server/host/definition/check-definition.ts";
import { parseTeamFile } from "../../server/host/team-file/parse-team-file.ts";
import type { Problem } from "../../shared/contract/problem.ts";
import corpus from "./team-files.json" with { type: "json" };

// A check that takes more than time in proportion to the size would keep this file busy until the limit of test files.

const context = { tools: ["readFile", "runCommand"], hasDefaultModel: true, user: "user" };

const team = {
  name: "team",
  kind: "roundRobin",
  participants: [{ name: "ann", capabilities: [{ kind: "interrupt" }] }],
};

/** At most so many problems are reported, each in one line of readable length. */
function assertReadable(problems: readonly Problem[]): void {
  assert.ok(problems.length > 0 && problems.length <= 101, `${problems.length} problems`);
  for (const { message } of problems) {
    assert.ok(message.length < 4_000, `${message.length} characters: ${message.slice(0, 100)}`);
    assert.doesNotMatch(message, /undefined|Maximum call|\p{Cc}|not a function|Cannot read/u);
  }
}

const textOf = ({ path, message }: Problem): string => (path === "" ? message : `${path}: ${message}`);

describe("a team file is refused in plain words, with", () => {
  for (const { name, start = "", repeat, times, end = "", says } of corpus.files) {
    it(name, () => {
      const text = start + Array.from({ length: times }, (_, at) => repeat.replaceAll("$", String(at))).join("") + end;
      const content = parseTeamFile(text, context);

      assert.ok(!content.ok);
      assertReadable(content.problems);
      assert.ok(
        content.problems.some((problem) => textOf(problem).includes(says)),
        textOf(content.problems[0] ?? { path: "", message: "" }),
      );
    });
  }
});

describe("a definition is refused in plain words, with", () => {
  for (const { name, path, times, item, says } of corpus.definitions) {
    for (const unknownKeys of ["mistake", "drop"] as const) {
      it(`${name} (${unknownKeys} unknown keys)`, () => {
        const items = Array.from({ length: times }, (_, at) => numbered(item, at));
        const kind = path.startsWith("graph") ? "graph" : team.kind;
        const checked = checkDefinition(withValue({ ...structuredClone(team), kind }, path.split("."), items), {
          ...context,
          unknownKeys,
        });

        assert.ok(!checked.ok);
        const problems = toProblems(checked.problems);
        assertReadable(problems);
        assert.ok(
          problems.some((problem) => textOf(problem).includes(says)),
          textOf(problems[0] ?? { path: "", message: "" }),
        );
      });
    }
  }

  for (const levels of [11, 50, 5_000]) {
    it(`teams nested ${levels} deep`, () => {
      let nested: unknown = team;
      for (let level = 0; level < levels; level++) {
        nested = { ...team, participants: [{ name: "inner", kind: "team", team: nested }] };
      }
      const checked = checkDefinition(nested, { ...context, unknownKeys: "drop" });

      assert.ok(!checked.ok);
      assertReadable(toProblems(checked.problems));
      assert.match(
        checked.problems[0]?.message ?? "",
        /^is (a team within more than 10 others|nested more than 100 levels deep)/,
      );
    });
  }

  it("thousands of unknown keys of a client", () => {
    const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`participnts${at}`, at]));
    const checked = checkDefinition({ ...team, ...keys }, { ...context, unknownKeys: "drop" });

    assert.ok(!checked.ok);
    assertReadable(toProblems(checked.problems));
  });
});

describe("a team of the largest size that the limits allow", () => {
  it("is checked", () => {
    const participants = Array.from({ length: 200 }, (_, at) => ({ name: `participant-${at}` }));
    const edges = Array.from({ length: 2_000 }, (_, at) => ({
      from: `participant-${at % 200}`,
      to: `participant-${(at * 7 + Math.floor(at / 200)) % 200}`,
      when: `word ${at}`,
    }));
    const graph = { edges, entry: participants.map(({ name }) => name) };
    const checked = checkDefinition(
      { ...team, kind: "graph", participants, graph, maxTurns: 5 },
      { ...context, unknownKeys: "mistake" },
    );

    assert.deepEqual(checked.ok ? [] : checked.problems, []);
  });
});

/** An item of the corpus with its number for `$`. */
function numbered(item: unknown, at: number): unknown {
  if (item === "LONG") return "x".repeat(100_000);
  return JSON.parse(JSON.stringify(item).replaceAll("$", String(at)));
}

/** A copy of plain JSON with the value at a path; missing maps and lists are added. */
function withValue(root: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (/^\d+$/.test(key)) {
    const list = Array.isArray(root) ? [...(root as readonly unknown[])] : [];
    list[Number(key)] = withValue(list[Number(key)], rest, value);
    return list;
  }
  const map = typeof root === "object" && root !== null ? root : {};
  return { ...map, [key]: withValue((map as Readonly<Record<string, unknown>>)[key], rest, value) };
}
