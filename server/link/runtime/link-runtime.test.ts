import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { modelError } from "../../../shared/contract/errors.ts";
import {
  AbandonedError,
  type Address,
  GavelError,
  systemTimers,
  type Timers,
  type Topic,
  UndeliveredError,
} from "../../engine/index.ts";
import { type Fate, FaultyLink } from "../testing/faulty-link.ts";
import { LinkRuntime, LostError } from "./link-runtime.ts";

/** Time goes a hundred times as fast, so that silences of seconds can be waited for. */
const fast: Timers = {
  now: () => systemTimers.now() * 100,
  after: (ms, call) => systemTimers.after(ms / 100, call),
};

const fail = (error: unknown): void => assert.fail(String(error));

/** A minute: no loaded machine is taken for a lost one. */
const LONG = 6_000_000;

function pair(context: TestContext, { link = new FaultyLink(), silence = LONG } = {}) {
  const options = { space: "test", timers: fast, silence };
  const [owner, worker] = [new LinkRuntime(link, options, fail), new LinkRuntime(link, options, fail)];
  context.after(() => {
    owner.close();
    worker.close();
  });
  return { link, owner, worker };
}

const at = <M, R>(runtime: LinkRuntime, id: string): Address<M, R> => ({ id, node: runtime.node });

/** A generator of numbers from 0 to 1 that a seed decides. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it("a message is answered from another node, and what is published meanwhile comes before the answer", async (context) => {
  const { owner, worker } = pair(context);
  const seen: unknown[] = [];
  owner.register({ id: "team" }, (event) => void seen.push(event));
  owner.subscribe({ id: "events" }, { id: "team" });
  worker.register<string, string>({ id: "ann" }, (message) => {
    const events: Topic<string> = { id: "events", node: owner.node };
    for (const word of ["one", "two", "three"]) worker.publish(events, word);
    return `${message}, answered`;
  });
  const answer = await owner.send(at<string, string>(worker, "ann"), "hello");
  seen.push(answer);
  assert.deepEqual(seen, ["one", "two", "three", "hello, answered"]);
});

it("a handler may answer nothing, and a message may be nothing", async (context) => {
  const { owner, worker } = pair(context);
  worker.register({ id: "ann" }, () => {});
  assert.equal(await owner.send(at(worker, "ann"), undefined), undefined);
});

it("errors keep what they are, and no agent is a sentence", async (context) => {
  const { owner, worker } = pair(context);
  worker.register({ id: "ann" }, () => {
    throw modelError("The model is overloaded.", { retryable: true });
  });
  await assert.rejects(owner.send(at(worker, "ann"), 1), (error: unknown) => {
    assert.ok(error instanceof GavelError);
    assert.deepEqual(error.data, { code: "ModelError", retryable: true });
    return error.message === "The model is overloaded.";
  });
  await assert.rejects(owner.send(at(worker, "bob"), 1), /No agent is registered at bob/);
});

it("an abort reaches the handler at once; one that does not stop is abandoned, one that has not started never starts", async (context) => {
  const { owner, worker } = pair(context);
  const started = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  let count = 0;
  worker.register({ id: "ann" }, async (_, { soft, signal }) => {
    count++;
    started.resolve();
    await new Promise((resolve) => soft.addEventListener("abort", resolve));
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    heard.resolve();
    await new Promise(() => {});
  });
  const [soft, hard] = [new AbortController(), new AbortController()];
  const running = owner.send(at(worker, "ann"), 1, { signal: hard.signal, soft: soft.signal, graceMs: 2_000 });
  const waits = new AbortController();
  const waiting = owner.send(at(worker, "ann"), 2, { signal: waits.signal });
  await started.promise;
  waits.abort();
  await assert.rejects(waiting, UndeliveredError);
  soft.abort();
  hard.abort();
  await heard.promise;
  await assert.rejects(running, AbandonedError);
  assert.equal(count, 1);
});

it("when a node is lost, what was sent to it fails, and what is handled for it is aborted", async (context) => {
  const { link, owner, worker } = pair(context, { silence: 20_000 });
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  worker.register({ id: "ann" }, async (_, { signal }) => {
    signal.addEventListener("abort", () => aborted.resolve());
    started.resolve();
    await aborted.promise;
  });
  const answer = owner.send(at(worker, "ann"), 1);
  await started.promise;
  link.isUp = false;
  await assert.rejects(answer, LostError);
  await aborted.promise;
  link.isUp = true;
  worker.register({ id: "bob" }, () => "there again");
  assert.equal(await owner.send(at(worker, "bob"), 1), "there again");
});

it("a short interruption of the link loses nothing", async (context) => {
  const { link, owner, worker } = pair(context);
  const started = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  worker.register({ id: "ann" }, async () => {
    started.resolve();
    await goOn.promise;
    return "done";
  });
  const answer = owner.send(at(worker, "ann"), 1);
  await started.promise;
  link.isUp = false;
  // The answer is lost, and sent again.
  goOn.resolve();
  await new Promise(setImmediate);
  link.isUp = true;
  assert.equal(await answer, "done");
});

it("whatever is lost or doubled, events come in order, each once, and large ones whole", async (context) => {
  const seed = Number(process.env["GAVEL_LINK_SEED"] ?? 1 + Math.floor(Math.random() * 1e9));
  context.diagnostic(`GAVEL_LINK_SEED=${seed}`);
  const draw = random(seed);
  const fate = (): Fate => {
    const drawn = draw();
    return drawn < 0.2 ? "lose" : drawn < 0.3 ? "twice" : "carry";
  };
  const { link, owner, worker } = pair(context, { link: new FaultyLink(fate) });
  const seen: { readonly n: number; readonly length: number }[] = [];
  owner.register<{ n: number; text: string }, void>(
    { id: "team" },
    ({ n, text }) => void seen.push({ n, length: text.length }),
  );
  owner.subscribe({ id: "events" }, { id: "team" });
  const lengths = Array.from({ length: 400 }, () => Math.floor(draw() < 0.02 ? draw() * 2_000_000 : draw() * 100));
  worker.register({ id: "ann" }, async () => {
    for (const [n, length] of lengths.entries()) {
      worker.publish({ id: "events", node: owner.node }, { n, text: "x".repeat(length) });
      if (n % 7 === 0) await new Promise(setImmediate);
    }
    return "done";
  });
  assert.equal(await owner.send(at(worker, "ann"), 1), "done", `seed ${seed}`);
  assert.deepEqual(
    seen,
    lengths.map((length, n) => ({ n, length })),
    `seed ${seed}`,
  );
  assert.ok(link.lost > 10);
});
