import assert from "node:assert/strict";
import { it } from "node:test";
import { linkAddress } from "./address.ts";

it("an address names servers and a space, and never shows its password", () => {
  const address = linkAddress("nats://ann:se%40cret@one.example,two.example:4223?space=build");
  assert.deepEqual(address.servers, ["one.example:4222", "two.example:4223"]);
  assert.equal(address.password, "se@cret");
  assert.equal(address.name, `one.example:4222, two.example:4223 (space "build")`);
  assert.doesNotMatch(address.warning ?? "", /se@cret/);
});

it("what leaves the computer in plain text is warned of", () => {
  assert.match(linkAddress("nats://one.example").warning ?? "", /without TLS: .* Begin its address with tls:/);
  assert.match(linkAddress("nats://127.0.0.1,one.example").warning ?? "", /without TLS/);
  for (const text of ["nats://127.0.0.1", "nats://localhost:9", "nats://[::1]", "tls://one.example"])
    assert.equal(linkAddress(text).warning, undefined, text);
});

it("one that cannot be used is refused with a sentence that says what to do", () => {
  const bad = {
    "http://h": /not an address like nats:\/\/user:password@host:4222; correct it\.$/,
    "nats://": /not an address/,
    "nats://h,x y": /not an address/,
    "nats://h?space=A b": /The space "A b" of the link is not a name/,
    "nats://h?silence=0": /silence of the link .* from 1 to 600/,
    "nats://h?tlsInsecure=1": /parameter "tlsInsecure", which is not known; remove it/,
    "nats://h?ca=/ca.pem": /"ca" without TLS; begin it with tls:/,
  };
  for (const [text, message] of Object.entries(bad)) assert.throws(() => linkAddress(text), message, text);
});
