import assert from "node:assert/strict";
import { test } from "node:test";
import { type Collector, collectStream } from "./collector.ts";

/** Joins pieces, and keeps each for the test to see. */
function joiner(): Collector<string, string> & { readonly added: string[] } {
  const added: string[] = [];
  return { added, add: (piece) => void added.push(piece), result: () => added.join("") };
}

async function* pieces(...all: readonly string[]): AsyncIterable<string> {
  yield* all;
}

const interrupted = { code: "interrupted", reason: "external_interrupt" };
const withResults = { ...interrupted, message: "Execution interrupted with partial results" };

test("a stream that ends gives its whole output", async () => {
  const { signal } = new AbortController();

  assert.deepEqual(await collectStream(() => pieces("a", "b"), joiner(), signal), {
    status: { code: "success" },
    output: "ab",
  });
});

test("interrupted before it starts: the stream is not opened, status interrupted, output null", async () => {
  let opened = false;
  const open = () => {
    opened = true;
    return pieces("a");
  };

  const collected = await collectStream(open, joiner(), AbortSignal.abort());

  assert.deepEqual(collected, { status: interrupted, output: null });
  assert.equal(opened, false);
});

test("interrupted in mid-stream: the output is what was produced until then, and nothing later is added", async () => {
  const aborter = new AbortController();
  async function* stream() {
    yield "a";
    yield "b";
    aborter.abort();
    yield "c";
  }
  const collector = joiner();

  assert.deepEqual(await collectStream(stream, collector, aborter.signal), { status: withResults, output: "ab" });
  assert.deepEqual(collector.added, ["a", "b"]);
});

test("a stream that throws because of the interrupt is interrupted, not failed", async () => {
  const aborter = new AbortController();
  async function* stream() {
    yield "a";
    aborter.abort();
    throw new Error("aborted");
  }

  assert.deepEqual(await collectStream(stream, joiner(), aborter.signal), { status: withResults, output: "a" });
});

test("an interrupt closes the stream", async () => {
  const aborter = new AbortController();
  let closed = false;
  async function* stream() {
    try {
      yield "a";
      aborter.abort();
      yield "b";
    } finally {
      closed = true;
    }
  }

  await collectStream(stream, joiner(), aborter.signal);

  assert.equal(closed, true);
});

test("a stream that fails: its error is returned, and what was collected is kept", async () => {
  const failure = new Error("cut");
  async function* stream() {
    yield "a";
    throw failure;
  }

  const collected = await collectStream(stream, joiner(), new AbortController().signal);

  assert.deepEqual(collected, { status: { code: "error" }, output: "a", error: failure });
});

test("a collector whose result throws: the error is returned, and what was collected is kept", async () => {
  const failure = new Error("does not fit together");
  const collector = joiner();
  const failing = {
    add: collector.add,
    result: () => {
      throw failure;
    },
  };

  const collected = await collectStream(() => pieces("a", "b"), failing, new AbortController().signal);

  assert.deepEqual(collected, { status: { code: "error" }, output: null, error: failure });
  assert.deepEqual(collector.added, ["a", "b"]);
});

test("a collector whose partial result throws: interrupted, with the error", async () => {
  const aborter = new AbortController();
  const failure = new Error("does not fit together");
  async function* stream() {
    yield "a";
    aborter.abort();
  }
  const failing = {
    add: () => {},
    result: () => {
      throw failure;
    },
  };

  assert.deepEqual(await collectStream(stream, failing, aborter.signal), {
    status: interrupted,
    output: null,
    error: failure,
  });
});
