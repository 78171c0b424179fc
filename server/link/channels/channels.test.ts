import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { test } from "node:test";
import { type Fate, FaultyLink } from "../testing/faulty-link.ts";
import type { Channel } from "./channel.ts";
import { Channels } from "./channels.ts";
import { secureAccepted, secureOpened } from "./secret-stream.ts";

const BYTES = randomBytes(3_000_000);

/** Two processes on a link: the channels of one, and what was opened to the other. */
function twoOn(link: FaultyLink): {
  readonly own: Channels;
  readonly other: Channels;
  readonly opened: Promise<Channel>;
} {
  const { promise: opened, resolve } = Promise.withResolvers<Channel>();
  return {
    own: new Channels(link, { space: "test" }, () => {}),
    other: new Channels(link, { space: "test" }, resolve),
    opened,
  };
}

test("a channel carries bytes both ways, over a link that loses and repeats messages", async (t) => {
  let n = 0;
  const fates: readonly Fate[] = ["carry", "carry", "lose", "carry", "twice"];
  const { own, other, opened } = twoOn(new FaultyLink(() => fates[n++ % fates.length] ?? "carry"));
  t.after(() => own.close());
  t.after(() => other.close());
  const channel = own.open(other.node);
  channel.end(BYTES);
  const accepted = await opened;
  accepted.write("a word back");
  assert.equal(Buffer.compare(await buffer(accepted), BYTES), 0);
});

test("what is not read waits at its writer", async (t) => {
  const { own, other, opened } = twoOn(new FaultyLink());
  t.after(() => own.close());
  t.after(() => other.close());
  const channel = own.open(other.node);
  let isWritten = false;
  channel.write(BYTES, () => {
    isWritten = true;
  });
  const accepted = await opened;
  await new Promise((resolve) => accepted.once("readable", resolve));
  for (let turn = 0; turn < 1_000; turn++) await new Promise(setImmediate);
  assert.equal(isWritten, false);
  assert.ok(accepted.readableLength <= 1024 * 1024);
  channel.end();
  assert.equal((await buffer(accepted)).length, BYTES.length);
  assert.equal(isWritten, true);
});

test("the end of one end is that of the other", async (t) => {
  const { own, other, opened } = twoOn(new FaultyLink());
  t.after(() => own.close());
  t.after(() => other.close());
  const channel = own.open(other.node);
  const accepted = await opened;
  channel.destroy();
  await finished(accepted.resume()).catch(() => {});
  assert.equal(accepted.destroyed, true);
});

test("only two ends with the same key hear each other", async (t) => {
  const [key, otherKey] = [randomBytes(32), randomBytes(32)];
  for (const [theirs, hears] of [
    [key, true],
    [otherKey, false],
  ] as const) {
    const { own, other, opened } = twoOn(new FaultyLink());
    t.after(() => own.close());
    t.after(() => other.close());
    const [client, server] = await Promise.all([
      secureOpened(own.open(other.node), key),
      opened.then((channel) => secureAccepted(channel, theirs)),
    ]);
    assert.equal(client !== undefined && server !== undefined, hears);
    if (client === undefined || server === undefined) continue;
    client.end("a secret");
    assert.equal(String(await buffer(server)), "a secret");
  }
});
