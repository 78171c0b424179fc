import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "../../shared/json-record.ts";
import { resultOutput } from "./tool-result.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("structured content is compared with many texts without being written again for each", () => {
  let written = 0;
  const structuredContent = {
    get a() {
      written += 1;
      return 1;
    },
  };
  const content = Array.from({ length: 1_000 }, () => ({ type: "text" as const, text: "{}" }));
  const output = resultOutput({ content, structuredContent });
  assert.match(String(output), /\{"a":1\}$/);
  assert.ok(written <= 2, `${written} times`);
});

test("structured content that a text repeats is given once", () => {
  const content = [{ type: "text" as const, text: '{ "a": 1 }' }];
  assert.equal(resultOutput({ content, structuredContent: { a: 1 } }), '{ "a": 1 }');
});

test("structured content that is nested too deeply does not take the text away", () => {
  const structuredContent: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}{}${"}".repeat(50_000)}`);
  assert.ok(isRecord(structuredContent));
  assert.equal(resultOutput({ content: [{ type: "text", text: "one" }], structuredContent }), "one");
});

test("an image that no model would accept is a note: a request with it would fail again and again", () => {
  const image = (mimeType: string, data: string) =>
    resultOutput({ content: [{ type: "image" as const, mimeType, data }] });
  assert.deepEqual(image("image/png", PNG), {
    content: [{ type: "image", uri: `data:image/png;base64,${PNG}`, mimeType: "image/png" }],
  });
  // What is wrong with the type and with the base64 is corrected.
  for (const data of [PNG, `${PNG.slice(0, 40)}\r\n${PNG.slice(40)}`, PNG.replaceAll("/", "_").replaceAll("=", "")])
    assert.deepEqual(image("image/jpeg", data), image("image/png", PNG));
  for (const data of ["", "????", "PHN2Zz48L3N2Zz4="])
    assert.equal(image("image/png", data), "[Image (image/png), which cannot be shown]", data);
  const large = `${PNG.slice(0, 40)}${"A".repeat(6_000_000)}`;
  assert.equal(image("image/png", large), "[Image (image/png), which cannot be shown]");
});
