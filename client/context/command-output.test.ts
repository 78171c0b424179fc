import assert from "node:assert/strict";
import { test } from "node:test";
import { CommandOutput } from "./command-output.ts";

/** A terminal's data, as VS Code gives it. */
class TerminalStream {
  readonly data: AsyncIterable<string>;
  readonly #writer: WritableStreamDefaultWriter<string>;

  constructor() {
    const { readable, writable } = new TransformStream<string, string>();
    this.data = readable;
    this.#writer = writable.getWriter();
  }

  print(data: string): void {
    void this.#writer.write(data);
  }

  close(): void {
    void this.#writer.close();
  }
}

const START = "\x1b]633;C\x07";

test("a text that is asked for while the last data and the end arrive has both", async () => {
  const stream = new TerminalStream();
  const output = new CommandOutput(stream.data);
  stream.print(START);
  const asked = output.text();
  stream.print("one\r\ntwo\r\n");
  output.end(1);
  stream.close();
  assert.equal(await asked, "one\ntwo\n[exit code 1]");
});

test("of a command that runs, there is what it has printed so far", async () => {
  const stream = new TerminalStream();
  const output = new CommandOutput(stream.data);
  assert.equal(await output.text(), "");
  stream.print(`${START}listening`);
  assert.equal(await output.text(), "listening");
});

test("a command that printed nothing has an empty text; one of which nothing was passed on has none", async () => {
  const silent = new TerminalStream();
  const quiet = new CommandOutput(silent.data);
  silent.print(START);
  quiet.end(0);
  silent.close();
  assert.equal(await quiet.text(), "\n[exit code 0]");

  const nothing = new TerminalStream();
  const lost = new CommandOutput(nothing.data);
  lost.end(0);
  nothing.close();
  assert.equal(await lost.text(), undefined);
});

test("it is said that the beginning is missing", async () => {
  const stream = new TerminalStream();
  const output = new CommandOutput(stream.data);
  stream.print("the rest\r\n");
  output.end(0);
  stream.close();
  assert.equal(await output.text(), "[VS Code did not pass on the beginning of the output.]\nthe rest\n[exit code 0]");
});

test("where VS Code passes on no start of commands, nothing is said to be missing", async () => {
  const stream = new TerminalStream();
  const output = new CommandOutput(stream.data, false);
  stream.print("all of it\r\n");
  output.end(0);
  stream.close();
  assert.equal(await output.text(), "all of it\n[exit code 0]");
});

test("the text of a stream that fails is what had come", async () => {
  async function* failing(): AsyncGenerator<string> {
    yield `${START}half`;
    throw new Error("The terminal is gone.");
  }
  const output = new CommandOutput(failing());
  output.end(undefined);
  assert.equal(await output.text(), "half");
});
