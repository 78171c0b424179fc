import assert from "node:assert/strict";
import { describe, it } from "node:test";
import corpus from "./connection.json" with { type: "json" };
import { framed, RawHost } from "./raw-host.ts";

describe("what is not a message is answered with one plain error, and the host goes on", () => {
  it("messages", async () => {
    await using host = new RawHost();
    for (const { name, message, id, code, says } of corpus.messages) {
      host.messages.length = 0;
      host.send(message);
      await host.request("team/list", {});
      const [given, ...others] = host.messages;

      assert.equal(others.length, says === undefined ? 0 : 1, name);
      if (says === undefined) continue;
      assert.equal(given?.id, id, name);
      assert.equal(given?.error?.code, code, name);
      assert.equal(given?.error?.message, says, name);
    }
    assert.equal(host.errors, "");
  });

  it("bodies", async () => {
    await using host = new RawHost();
    for (const { name, hex, says } of corpus.bodies) {
      host.messages.length = 0;
      host.write(framed(Buffer.from(hex, "hex")));
      await host.request("team/list", {});

      assert.deepEqual(host.messages[0]?.error, { code: -32700, message: says }, name);
      assert.equal(host.messages[0]?.id, null, name);
    }
    assert.equal(host.errors, "");
  });

  it("messages in many pieces, and several in one", async () => {
    await using host = new RawHost();
    const bytes = framed('{"jsonrpc":"2.0","id":1,"method":"team/list","params":{}}');
    for (const byte of bytes) host.write(Buffer.of(byte));
    await host.answer(1);
    host.write(Buffer.concat(["2", "3", "4"].map((id) => framed(`{"jsonrpc":"2.0","id":${id},"method":"team/list"}`))));
    for (const id of [2, 3, 4]) assert.equal((await host.answer(id)).error?.message, "Send initialize first.");
  });
});

describe("initialize", () => {
  it("is refused with one plain error, and can be sent again", async () => {
    await using host = new RawHost();
    for (const { name, params, leaveOut, says } of corpus.initialize) {
      const { error } = await host.request("initialize", leaveOut === true ? undefined : params);

      assert.equal(error?.code, -32602, name);
      assert.equal(error?.data?.code, "InvalidParams", name);
      assert.ok(error?.message.startsWith(`Invalid params for initialize: ${says}`), `${name}: ${error?.message}`);
    }
    assert.ok((await host.request("initialize", { capabilities: {} })).result !== undefined);
    assert.deepEqual((await host.request("team/list", {})).result, { teams: [] });
    assert.equal(host.errors, "");
  });
});

describe("when it cannot be known where the next message starts, the host says so and ends", () => {
  for (const { name, bytes, times = 1, says } of corpus.broken) {
    it(name, async () => {
      await using host = new RawHost();
      host.write(bytes.repeat(times));
      const { error } = await host.answer(null);

      assert.deepEqual(error, { code: -32700, message: says });
      assert.equal(await host.end(), 1);
      assert.equal(host.errors, `${says} The host ends, because it cannot find the next message.\n`);
    });
  }

  for (const { name, bytes } of corpus.cut) {
    it(`the input ends ${name}`, async () => {
      await using host = new RawHost();
      host.write(bytes);

      assert.equal(await host.end(), 1);
      assert.equal(host.errors, "The input ended within a message.\n");
      assert.deepEqual(host.messages, []);
    });
  }
});
