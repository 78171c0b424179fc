import assert from "node:assert/strict";
import { test } from "node:test";
import { outputParts, outputText, withoutImages } from "./tool-output.ts";

const PNG = "data:image/png;base64,iVBORw0KGgo=";
const text = { type: "text", text: "A chart" };
const image = { type: "image", uri: PNG };

test("an output with an image has parts", () => {
  assert.deepEqual(outputParts({ content: [text, image] }), [text, image]);
});

test("an output names no image outside it, and no picture that can run something", () => {
  for (const uri of ["file:///etc/logo.png", "https://example.com/a.png", "data:image/svg+xml;base64,PHN2Zz4="]) {
    assert.equal(outputParts({ content: [{ type: "image", uri }] }), undefined, uri);
    assert.equal(outputParts({ content: [image, { type: "image", uri }] }), undefined, uri);
  }
});

test("JSON that only looks similar stays JSON", () => {
  for (const output of [{ content: [text] }, { content: [image], more: 1 }, { content: "x" }, [image], null, 1]) {
    assert.equal(outputParts(output), undefined);
    assert.equal(outputText(output), JSON.stringify(output));
  }
});

test("to read, an image is a note", () => {
  assert.equal(outputText({ content: [text, image] }), "A chart\n[Image: image/png]");
  assert.equal(outputText("plain"), "plain");
});

test("for a model without vision a sentence takes the image's place", () => {
  assert.equal(
    withoutImages({ content: [text, image] }),
    "A chart\n[Image: image/png]\n[This model does not read images.]",
  );
  assert.deepEqual(withoutImages({ a: 1 }), { a: 1 });
});
