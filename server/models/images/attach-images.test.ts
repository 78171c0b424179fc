import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { ContentPart } from "../../../shared/contract/message.ts";
import { httpModel } from "../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest } from "../testing/collect.ts";
import { delta, finished, rawEndpoint, sendStream } from "../testing/raw-endpoint.ts";
import { withImages } from "./attach-images.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gavel-images-"));
});
after(() => rm(folder, { recursive: true }));

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
const image = (uri: string): ContentPart => ({ type: "image", uri });

/** What of a message with these parts is sent. */
async function attached(...content: readonly ContentPart[]): Promise<readonly ContentPart[]> {
  const { items } = await withImages({ ...sampleRequest, items: [{ role: "user", source: "user", content }] });
  const [item] = items;
  assert.ok(item?.role === "user" && typeof item.content !== "string");
  return item.content;
}

test("an image file is sent as the type of its content, whatever its name", async () => {
  const contents = {
    png: PNG,
    jpeg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]),
    gif: Buffer.from("GIF89a\u0001"),
    webp: Buffer.from("RIFF\n\n\n\nWEBPVP8 "),
  };
  for (const [type, bytes] of Object.entries(contents)) {
    await writeFile(join(folder, "über picture.txt"), bytes);
    assert.deepEqual(await attached({ type: "text", text: "Look:" }, image(uriOf("über picture.txt"))), [
      { type: "text", text: "Look:" },
      { type: "image", uri: `data:image/${type};base64,${bytes.toString("base64")}` },
    ]);
  }
});

test("an image that cannot be read is replaced by a sentence that says why, without naming its folder", async () => {
  await writeFile(join(folder, "secret.png"), "-----BEGIN PRIVATE KEY-----");
  await writeFile(join(folder, "empty.png"), "");
  await writeFile(join(folder, "huge.png"), PNG);
  await truncate(join(folder, "huge.png"), 20 * 1024 * 1024 + 1);
  await mkdir(join(folder, "folder.png"));
  const sentences = [
    [uriOf("none.png"), '[The image "none.png" is not attached: there is no such file.]'],
    [uriOf("secret.png"), '[The image "secret.png" is not attached: it is not a PNG, JPEG, GIF or WebP image.]'],
    [uriOf("empty.png"), '[The image "empty.png" is not attached: it is not a PNG, JPEG, GIF or WebP image.]'],
    [uriOf("huge.png"), '[The image "huge.png" is not attached: it is larger than 20 MB.]'],
    [uriOf("folder.png"), '[The image "folder.png" is not attached: it is not a regular file.]'],
    ["file://elsewhere/share/a%20b.png", '[The image "a b.png" is not attached: it is on another machine.]'],
    [
      "vscode-remote://ssh/a.png",
      '[The image "a.png" is not attached: only file, data, http and https addresses can be read.]',
    ],
  ] as const;
  for (const [uri, text] of sentences) assert.deepEqual(await attached(image(uri)), [{ type: "text", text }]);
});

test("addresses that an endpoint can load are sent unchanged, and no file is read", async () => {
  const parts = ["data:image/png;base64,AA==", "https://example.com/a.png", "http://localhost/a.png"].map(image);
  assert.deepEqual(await attached(...parts), parts);
  assert.equal(await withImages(sampleRequest), sampleRequest);
});

test("a file is read again for each request, and the request is still made when the file is gone", async () => {
  await using endpoint = await rawEndpoint((response) => sendStream(response, delta({ content: "ok" }), finished));
  const model = httpModel(definitionAt(endpoint.url), noKeys);
  const content = [image(uriOf("changing.png"))];
  const asking = { ...sampleRequest, items: [{ role: "user", source: "user", content }] } as const;
  await writeFile(join(folder, "changing.png"), PNG);
  await collect(model, asking);
  await rm(join(folder, "changing.png"));
  assert.equal((await collect(model, asking)).text, "ok");
  const sent = endpoint.requests.map(({ body }) => JSON.parse(body).messages.at(-1).content[0]);
  assert.deepEqual(sent, [
    { type: "image_url", image_url: { url: `data:image/png;base64,${PNG.toString("base64")}` } },
    { type: "text", text: '[The image "changing.png" is not attached: there is no such file.]' },
  ]);
});
