import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTeamFile } from "./parse-team-file.ts";

const around = {
  tools: ["readFile", "listFiles", "searchText", "runCommand"],
  hasDefaultModel: false,
  user: "user",
};

/** Every problem as `line:column path: message`. */
function problems(text: string, options = around): string[] {
  const content = parseTeamFile(text, options);
  if (content.ok) return [];
  return content.problems.map(({ path, message, line, column }) => `${line}:${column} ${path}: ${message}`);
}

const team = (rest: string): string =>
  `name: Talk\nkind: roundRobin\nmodels: { default: { provider: practice } }\n${rest}`;

describe("a team file", () => {
  it("is read as YAML and as JSON", () => {
    assert.deepEqual(problems(team("participants:\n  - name: ann\n")), []);
    assert.deepEqual(
      problems(
        '{\n\t"name": "Talk",\n\t"kind": "roundRobin",\n\t"models": {"default": {"provider": "practice"}},\n\t"participants": [{"name": "ann"}]\n}',
      ),
      [],
    );
  });

  it("is refused with all its problems at once, each with its line, its column and the likely word", () => {
    const text = `name: Review
kind: roundrobin
participants:
  - name: author
    model: fst
    instruction: Write.
    tools: [readfile, 7]
  - name: author
    maxToolIterations: 0
    context: { kind: bufered }
models:
  fast: { provider: practise }
  slow: { provider: openai, baseUrl: localhost, temperature: 3 }
termination:
  any:
    - maxMessage: 3
    - textMention: { text: DONE, sources: [autor] }
`;
    assert.deepEqual(problems(text), [
      '2:7 kind: "roundrobin" is not valid here; did you mean "roundRobin"?',
      '5:12 participants[0].model: unknown model "fst"; did you mean "fast"?',
      '6:5 participants[0].instruction: unknown key "instruction"; did you mean "instructions"?',
      '7:13 participants[0].tools[0]: unknown tool "readfile"; did you mean "readFile"?',
      "7:23 participants[0].tools[1]: should be text or a map of keys, but is 7",
      "8:5 participants[1]: author has no model; name one of fast, slow, add models.default, or set gavel.model in the settings",
      '8:11 participants[1].name: "author" is already the name of participants[0]; choose another',
      "9:24 participants[1].maxToolIterations: should be at least 1",
      '10:22 participants[1].context.kind: "bufered" is not valid here; did you mean "buffered"?',
      '12:21 models.fast.provider: "practise" is not valid here; did you mean "practice"?',
      "13:9 models.slow.model: is missing; it should be text",
      "13:38 models.slow.baseUrl: should be an http or https URL",
      "13:62 models.slow.temperature: should be at most 2",
      '16:7 termination.any[0].maxMessage: unknown key "maxMessage"; did you mean "maxMessages"?',
      '17:44 termination.any[1].textMention.sources[0]: no participant is called "autor"; did you mean "author"?',
    ]);
  });

  it("is refused with the position of a syntax error, and of a duplicate key", () => {
    assert.match(problems("name: [Talk\nkind: roundRobin\n")[0] ?? "", /^\d+:\d+ : /);
    assert.deepEqual(problems(`${team("participants: [{ name: ann }]")}\nname: Other\n`), [
      "5:1 : this key occurs twice; keep one of them",
    ]);
  });

  it("that is empty, a list or a YAML bomb is refused without harm", () => {
    assert.deepEqual(problems(""), ["1:1 : is empty; add a team definition"]);
    assert.deepEqual(problems("- a\n- b\n"), ["1:1 : should be a map of keys, but is a list"]);
    const bomb = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? "a0: &a0 [x, x, x, x, x, x, x, x, x]"
        : `a${at}: &a${at} [${Array(9)
            .fill(`*a${at - 1}`)
            .join(", ")}]`,
    ).join("\n");
    assert.match(problems(bomb)[0] ?? "", /repeats values with more than 100 aliases/);
    assert.equal(problems(`name: ${"[".repeat(20_000)}`).length > 0, true);
  });

  it("is refused when a key is a map or a list, which would be written out as text", () => {
    assert.deepEqual(problems(`name: a\nx:\n  ${"? ".repeat(360)}b\n`), [
      "3:5 : a key is a map or a list; write a word",
    ]);
    assert.deepEqual(problems("name: a\n? [b]\n: c\n"), ["2:3 : a key is a map or a list; write a word"]);
  });

  it("has short messages without the parser's own advice, whatever is wrong in it", async () => {
    assert.deepEqual(problems("name: a\n---\nname: b\n"), [
      "2:1 : has more than one document; remove the line --- and what follows it",
    ]);
    assert.ok(problems(`${"!".repeat(1000)}\n`).every((problem) => problem.length < 400));
    const warnings: Error[] = [];
    const warned = (warning: Error): number => warnings.push(warning);
    process.on("warning", warned);
    problems("? { a: [b] }\n: x\nc: !unknown d\n");
    await new Promise(setImmediate);
    process.off("warning", warned);
    assert.deepEqual(warnings, []);
  });

  it("needs no model if the setting gavel.model is set", () => {
    const text = "name: Talk\nkind: roundRobin\nparticipants: [{ name: ann }]\n";
    assert.match(problems(text)[0] ?? "", /^3:16 participants\[0\]: ann has no model; add models\.default/);
    assert.deepEqual(problems(text, { ...around, hasDefaultModel: true }), []);
  });
});

describe("an AutoGen component as a team file", () => {
  const component = (provider: string, type: string, config: object) => ({ provider, component_type: type, config });
  const client = component("autogen_ext.models.openai.OpenAIChatCompletionClient", "model", {
    model: "gpt-4o-mini",
    api_key: "sk-t0psecret",
  });
  const team = (...names: readonly string[]): string =>
    JSON.stringify(
      component("autogen_agentchat.teams.RoundRobinGroupChat", "team", {
        name: "Talk",
        participants: names.map((name) =>
          component("autogen_agentchat.agents.AssistantAgent", "agent", { name, model_client: client }),
        ),
      }),
      null,
      2,
    );

  it("is converted, and what could not be converted is listed", () => {
    const content = parseTeamFile(team("ann", "bob"), around);
    assert.ok(content.ok);
    assert.deepEqual(
      content.definition.participants.map(({ name, model }) => [name, model]),
      [
        ["ann", "gpt-4o-mini"],
        ["bob", "gpt-4o-mini"],
      ],
    );
    assert.equal(content.leftOut.length, 2);
    assert.match(
      content.leftOut[0] ?? "",
      /^config\.participants\[0\]\.config\.model_client\.config\.api_key is left out/,
    );
    assert.doesNotMatch(JSON.stringify(content), /t0psecret/);
  });

  it("has its problems reported at their positions, and those of the converted team as such", () => {
    const text = team("ann", "b b");
    const line = text.split("\n").findIndex((each) => each.includes('"b b"')) + 1;
    assert.deepEqual(problems(text), [
      `${line}:19 config.participants[1].config.name: should be 1 to 64 letters, digits, _ or -, and start with a letter`,
    ]);
    assert.deepEqual(problems(team("ann", "ann")), [
      '1:1 participants[1].name: "ann" is already the name of participants[0]; choose another (in the team converted from AutoGen)',
    ]);
  });
});
