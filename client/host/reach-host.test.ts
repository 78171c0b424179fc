import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { reachHost, type WaysToHost } from "./reach-host.ts";

const joined = () => ({
  protocolVersion: 1,
  gavelVersion: "1.0.0",
  keepsRunning: false,
  isBusy: false,
  stream: new PassThrough(),
});

/** What a window does to reach a host, in order. Each list has the outcomes of one way, the last one again and again. */
function waysWith(outcomes: {
  readonly running: readonly boolean[];
  readonly usable?: readonly boolean[];
  readonly shared?: readonly boolean[];
  readonly serves?: boolean;
}) {
  const done: string[] = [];
  const next = (what: string, list: readonly boolean[] = [true]): boolean => {
    const before = done.filter((one) => one === what).length;
    done.push(what);
    return list[Math.min(before, list.length - 1)] === true;
  };
  const connection = (name: string, isShared: boolean) => ({
    name,
    isShared,
    stop: async () => void done.push("stop"),
  });
  const ways: WaysToHost<ReturnType<typeof connection>> = {
    join: async () => (next("join", outcomes.running) ? joined() : undefined),
    use: async () => {
      if (!next("use", outcomes.usable)) throw new Error("It has ended.");
      return connection("joined", false);
    },
    start: async () => connection("own", next("start", outcomes.shared)),
    pause: async () => undefined,
    serve: outcomes.serves === true ? async () => next("serve") : undefined,
  };
  return { ways, done };
}

test("a window joins the host that runs, and starts none", async () => {
  const { ways, done } = waysWith({ running: [true] });
  assert.equal((await reachHost(ways)).name, "joined");
  assert.deepEqual(done, ["join", "use"]);
});

test("a window starts its own host where none runs", async () => {
  const { ways, done } = waysWith({ running: [false] });
  assert.equal((await reachHost(ways)).name, "own");
  assert.deepEqual(done, ["join", "start"]);
});

test("a window stops its own host and joins the one that another window has started meanwhile", async () => {
  const { ways, done } = waysWith({ running: [false, true], shared: [false] });
  assert.equal((await reachHost(ways)).name, "joined");
  assert.deepEqual(done, ["join", "start", "stop", "join", "use"]);
});

test("a window uses its own host alone where no socket can be made", async () => {
  const { ways, done } = waysWith({ running: [false], shared: [false] });
  assert.equal((await reachHost(ways)).name, "own");
  assert.deepEqual(done, ["join", "start", "stop", "join", "start"]);
});

test("a host that ends while it is joined is replaced", async () => {
  const { ways, done } = waysWith({ running: [true, false], usable: [false] });
  assert.equal((await reachHost(ways)).name, "own");
  assert.deepEqual(done, ["join", "use", "join", "start"]);
});

test("a host that ends every time it is joined is given up", async () => {
  const { ways, done } = waysWith({ running: [true], usable: [false] });
  await assert.rejects(reachHost(ways), { message: "It has ended." });
  assert.equal(done.length, 10);
});

test("a window that wants a host that keeps running starts one and joins it", async () => {
  const { ways, done } = waysWith({ running: [false, true], serves: true });
  assert.equal((await reachHost(ways)).name, "joined");
  assert.deepEqual(done, ["join", "serve", "join", "use"]);
});

test("a host that keeps running and cannot be found after its start is given up", async () => {
  const { ways, done } = waysWith({ running: [false], serves: true });
  await assert.rejects(reachHost(ways), { message: "The agent host ended right after its start." });
  assert.equal(done.filter((one) => one === "serve").length, 5);
});
