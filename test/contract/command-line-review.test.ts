import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AcpClient } from "./harness/acp-client.ts";
import { CommandLine, noTerminal } from "./harness/command-line.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";

const ENTER = "\r";
/** Removes what is typed. */
const CTRL_U = "\u0015";

const FILES = { "a.txt": "first\u202E line", "b.txt": "two\nlines\n", "c.txt": "kept secret" };

/** A model that reads a file in each of three calls at once, and then answers. */
async function reading() {
  const endpoint = await FakeEndpoint.start();
  const paths = [...Object.keys(FILES), "none.txt"];
  const calls = paths.map((path) => ({ name: "readFile", arguments: JSON.stringify({ path }) }));
  endpoint.calls("ann", calls).says("ann", "I have read them.");
  const definition = {
    name: "Reading",
    kind: "roundRobin",
    participants: [{ name: "ann", instructions: "I am ann.", tools: ["readFile"] }],
    models: { default: { provider: "openai", model: "m", baseUrl: endpoint.baseUrl } },
    maxTurns: 1,
  };
  const gavel = new CommandLine({ ...FILES, "t.team.json": definition });
  return {
    gavel,
    /** What the model was given by its tools, in the order of its calls. */
    results: () => endpoint.conversations.at(-1)?.filter((one) => one.startsWith("tool: ")),
    requests: () => endpoint.conversations.length,
    async [Symbol.asyncDispose]() {
      gavel[Symbol.dispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

const WITHHELD = "ERROR: This call has run, but the user has reviewed its result and withholds it";

describe("a result that the user reviews in the command line", () => {
  it("is sent by y, edited by e and withheld by n at a terminal, as a rule of --review says", {
    skip: noTerminal,
  }, async () => {
    await using team = await reading();
    const args = ["run", "t.team.json", "--review", "readFile", "--no-color", "Read."];
    const terminal = team.gavel.inTerminal(args, 100);
    const send = (): void => terminal.press("y");
    // The calls of a step end in any order.
    const decisions = new Map<RegExp, (at: number) => void | Promise<void>>([
      [
        /ann gets this result of readFile when you send it\n│ first⟨U\+202E⟩ line\n/,
        async (at) => {
          terminal.press("e");
          // What cannot be seen is edited as JSON.
          await terminal.until('› "first\\u202e line"', at);
          terminal.press(`${CTRL_U}"edited line"${ENTER}`);
        },
      ],
      [/ann gets this result of readFile when you send it\n│ two\n│ lines\n/, send],
      [/ann gets this error of readFile when you send it\n│ .*none\.txt/, send],
      [
        /│ kept secret\n/,
        async (at) => {
          terminal.press("n");
          await terminal.until("why not, or Enter", at);
          terminal.press(`Not for models${ENTER}`);
        },
      ],
    ]);
    for (let at = 0; decisions.size > 0; ) {
      const from = at;
      at = await terminal.until("when you send it", at);
      at = await terminal.until("y send · n withhold · e edit", at);
      const card = terminal.shown().slice(from, at);
      assert.equal(team.requests(), 1, "the model has nothing yet");
      const [shown, decide] = [...decisions].find(([text]) => text.test(card)) ?? assert.fail(card);
      decisions.delete(shown);
      await decide(at);
    }
    assert.equal(await terminal.exited(), 0, terminal.shown());
    const [edited, sent, withheld, error] = team.results() ?? [];
    assert.equal(edited, "tool: edited line");
    assert.equal(sent, "tool: two\nlines\n");
    assert.equal(withheld, `tool: ${WITHHELD}: Not for models`);
    assert.match(error ?? "", /none\.txt/);
    assert.match(terminal.shown(), /readFile a\.txt.*result edited/);
    assert.match(terminal.shown(), /readFile c\.txt.*result withheld/);
  });

  it("waits without a terminal with 4, and the sentence offers no approval, which could not send it", async () => {
    await using team = await reading();
    const run = ["run", "t.team.json"];
    const asked = await team.gavel.run([...run, "Read.", "--review", "readFile(c.txt)", "--approve", "readFile"]);
    assert.equal(asked.code, 4, asked.stderr);
    assert.match(asked.stderr, /The result of readFile waits for your review before ann gets it/);
    assert.match(asked.stderr, /at a terminal\.$/m);
    const again = await team.gavel.run([...run, "--continue", "--approve", "readFile"]);
    assert.equal(again.code, 4, again.stderr);
    assert.equal(team.requests(), 1);
  });

  it("is refused by a rule that is none, with 2, before anything runs", async () => {
    await using team = await reading();
    const { code, stderr } = await team.gavel.run(["run", "t.team.json", "Read.", "--review", "readFile("]);
    assert.equal(code, 2);
    assert.equal(stderr, "gavel: --review readFile( is no approval rule: write TOOL or TOOL(PATTERN).\n");
    assert.equal(team.requests(), 0);
  });
});

describe("a result that the user of an ACP client reviews", () => {
  it("is a permission request that shows it whole, and the model gets it when it is sent, else that it is withheld", async () => {
    await using team = await reading();
    await using client = await AcpClient.start(team.gavel, ["t.team.json", "--review", "readFile"]);
    const { sessionId } = await client.open();
    const contentOf = ({ toolCall }: (typeof client.questions)[number]): string =>
      toolCall.content
        ?.map((part) => (part.type === "content" && part.content.type === "text" ? part.content.text : ""))
        .join() ?? "";
    const answers = new Map([
      ["first⟨U+202E⟩ line", "allow"],
      ["kept secret", "bogus"],
      ["two\nlines\n", "reject"],
    ]);
    client.answer = (question) => answers.get(contentOf(question)) ?? "allow";
    assert.deepEqual(await client.prompt(sessionId, "Read."), { stopReason: "end_turn" });
    // The calls of a step end in any order.
    const asked = client.questions.map((question) => `${question.toolCall.title} ${contentOf(question)}`).sort();
    assert.match(asked.shift() ?? "", /^Send the error of readFile to ann\? .*none\.txt/);
    const title = "Send the result of readFile to ann?";
    assert.deepEqual(
      asked,
      [...answers.keys()].map((text) => `${title} ${text}`),
    );
    assert.deepEqual(
      client.questions[0]?.options.map(({ optionId, name, kind }) => `${optionId} ${name} ${kind}`),
      ["allow Send Result allow_once", "reject Withhold reject_once"],
    );
    const requested = client.updates.flatMap((update) =>
      update.sessionUpdate === "tool_call" ? [update.toolCallId] : [],
    );
    assert.deepEqual(client.questions.map(({ toolCall }) => toolCall.toolCallId).sort(), requested.sort());
    const [sent, withheld, neither] = team.results() ?? [];
    assert.equal(sent, `tool: ${FILES["a.txt"]}`);
    assert.equal(withheld, `tool: ${WITHHELD}.`);
    assert.equal(neither, `tool: ${WITHHELD}.`);
  });

  it("still waits after the client has cancelled the question, and is asked about again", async () => {
    await using team = await reading();
    await using client = await AcpClient.start(team.gavel, ["t.team.json", "--review", "readFile(c.txt)"]);
    const { sessionId } = await client.open();
    client.answer = () => undefined;
    assert.deepEqual(await client.prompt(sessionId, "Read."), { stopReason: "cancelled" });
    assert.equal(client.questions.length, 1);
    assert.equal(team.requests(), 1);
  });
});
