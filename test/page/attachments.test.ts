import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import type { PageContent } from "../../client/common/page-messages.ts";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

interface Picture {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** A picture as a file in base64, made by the browser. */
function pictureOf(chat: ChatPageDriver, { type, width, height }: Omit<Picture, "name">): Promise<string> {
  return chat.page.evaluate(
    async ([kind, across, down]) => {
      const canvas = new OffscreenCanvas(across, down);
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.fillStyle = "#4080c0";
      context.fillRect(0, 0, across / 2, down);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: kind })).arrayBuffer());
      let text = "";
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    },
    [type, width, height] as const,
  );
}

/** Pastes files, each with its content in base64. */
async function paste(chat: ChatPageDriver, files: readonly (PageContent & { readonly type: string })[]): Promise<void> {
  await chat.composer.evaluate((box, all) => {
    const clipboardData = new DataTransfer();
    for (const { name, type, data } of all) {
      const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
      clipboardData.items.add(new File([bytes], name, { type }));
    }
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, files);
}

/** Answers the page's requests for the content of images, each with the picture of this name. */
async function serveImages(chat: ChatPageDriver, pictures: Readonly<Record<string, string>>): Promise<void> {
  await chat.page.evaluate((all) => {
    const { editorStub } = window;
    const asked = editorStub.posted.push.bind(editorStub.posted);
    editorStub.posted.push = (...messages) => {
      for (const message of messages) {
        if (message.type !== "readImage") continue;
        const data = all[message.uri.slice(message.uri.lastIndexOf("/") + 1)];
        const answer = data === undefined ? { problem: "It is gone. Attach another one." } : { data };
        window.postMessage({ type: "imageContent", uri: message.uri, ...answer }, "*");
      }
      return asked(...messages);
    };
  }, pictures);
}

const imageFile = (name: string) => ({
  key: `file:///project/${name}`,
  kind: "image" as const,
  name,
  uri: `file:///project/${name}`,
  tokens: 800,
});

/** The number of the last request to attach something, which its answer names. */
async function lastRequest(chat: ChatPageDriver): Promise<number> {
  const last = (await chat.posted()).findLast((message) => message.type === "attach");
  assert.ok(last?.type === "attach");
  return last.request;
}

/** What the page posted of this many files, by name. */
async function contents(chat: ChatPageDriver, count: number): Promise<readonly PageContent[]> {
  const found = await chat.page.waitForFunction((wanted) => {
    const all = window.editorStub.posted.flatMap((message) =>
      message.type === "attach" && message.content !== undefined ? [message.content] : [],
    );
    return all.length === wanted ? all : undefined;
  }, count);
  return ((await found.jsonValue()) ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
}

/** The type and the size of a picture, as the browser sees it. */
function decoded(chat: ChatPageDriver, { data }: PageContent) {
  return chat.page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const { width, height } = await createImageBitmap(new Blob([bytes]));
    return { head: [...bytes.subarray(0, 3)], width, height };
  }, data);
}

const PNG = [0x89, 0x50, 0x4e];
const JPEG = [0xff, 0xd8, 0xff];

const problems = (chat: ChatPageDriver) => chat.page.locator(".composer-problem");

test("a large image is sent scaled down in its own type; a small one is sent as it is", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const wide = { type: "image/png", width: 4000, height: 1000 };
  const tall = { type: "image/jpeg", width: 1024, height: 4096 };
  const small = { type: "image/png", width: 300, height: 200 };
  const original = await pictureOf(chat, small);
  await paste(chat, [
    { name: "a-wide.png", type: wide.type, data: await pictureOf(chat, wide) },
    { name: "b-tall.jpeg", type: tall.type, data: await pictureOf(chat, tall) },
    { name: "c-small.png", type: small.type, data: original },
  ]);
  const [first, second, third] = await contents(chat, 3);
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  assert.deepEqual(
    [first, second, third].map(({ name, size }) => [name, size]),
    [
      ["a-wide.png", { width: 2048, height: 512 }],
      ["b-tall.jpeg", { width: 512, height: 2048 }],
      ["c-small.png", { width: 300, height: 200 }],
    ],
  );
  assert.deepEqual(await decoded(chat, first), { head: PNG, width: 2048, height: 512 });
  assert.deepEqual(await decoded(chat, second), { head: JPEG, width: 512, height: 2048 });
  assert.equal(third.data, original);
});

test("an image with too many bytes becomes a JPEG, and another kind of image a PNG", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  // Noise cannot be compressed without loss.
  const noise = await chat.page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1300, 1300);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    const image = context.createImageData(1300, 1300);
    for (let at = 0; at < image.data.length; at += 65_536)
      crypto.getRandomValues(image.data.subarray(at, Math.min(at + 65_536, image.data.length)));
    for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
    context.putImageData(image, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  });
  // One blue pixel.
  const bitmap = Buffer.from(
    "424d3a0000000000000036000000280000000100000001000000010018000000000004000000130b0000130b00000000000000000000ff000000",
    "hex",
  ).toString("base64");
  await paste(chat, [
    { name: "noise.png", type: "image/png", data: noise },
    { name: "point.bmp", type: "image/bmp", data: bitmap },
  ]);
  const [photo, point] = await contents(chat, 2);
  assert.ok(photo !== undefined && point !== undefined);
  assert.deepEqual([photo.name, point.name], ["noise.jpg", "point.png"]);
  assert.deepEqual(await decoded(chat, photo), { head: JPEG, width: 1300, height: 1300 });
  assert.ok(photo.data.length < 5_000_000);
  assert.deepEqual(await decoded(chat, point), { head: PNG, width: 1, height: 1 });
});

test("an image of the workspace stays that file; a larger one is attached scaled down, and the chip says its size", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await serveImages(chat, {
    "small.png": await pictureOf(chat, { type: "image/png", width: 750, height: 100 }),
    "large.png": await pictureOf(chat, { type: "image/png", width: 2050, height: 1025 }),
  });
  const attachments = [imageFile("small.png"), imageFile("large.png")];
  await chat.post({ type: "attached", teamId: "team-1", attachments });
  const chip = chat.page.getByRole("button", {
    name: "small.png, 750 by 100 pixels, about 100 tokens; Delete removes it",
  });
  await chip.waitFor();
  assert.equal(await seen(chip), "small.png");
  const notes = chip.locator(".resource-note");
  assert.deepEqual(await notes.evaluateAll((all) => all.map((note) => note.getAttribute("data-note"))), [
    "750×100",
    "~100",
  ]);
  const [content] = await contents(chat, 1);
  assert.deepEqual([content?.name, content?.size], ["large.png", { width: 2048, height: 1024 }]);
  assert.equal(await chat.page.locator(".attachment button.resource-chip").count(), 1);
  const size = { width: 750, height: 100 };
  assert.deepEqual((await chat.lastDraft())?.draft.attachments, [{ ...imageFile("small.png"), size, tokens: 100 }]);
});

test("a damaged image is not attached, and says so in one sentence, pasted or of the workspace", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await paste(chat, [{ name: "shot.png", type: "image/png", data: "AQID" }]);
  await problems(chat).getByText('"shot.png" is damaged, or no image that can be read. Attach another one.').waitFor();
  await serveImages(chat, { "old.png": "AQID" });
  await chat.post({ type: "attached", teamId: "team-1", attachments: [imageFile("old.png")] });
  await problems(chat).getByText('"old.png" is damaged').waitFor();
  assert.equal(await problems(chat).count(), 2);
  assert.equal(await chat.page.locator(".attachment").count(), 0);
  await chat.composer.pressSequentially("x");
  assert.equal(await problems(chat).count(), 0);
});

test("files of the system are dropped with their content: texts, images, and a folder says what to do", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const over = () => chat.page.locator(".composer.is-over").count();
  await chat.page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["a,b"], "table.csv", { type: "text/csv" }));
    dataTransfer.items.add(new File(["<svg/>"], "drawing.svg", { type: "image/svg+xml" }));
    Object.assign(window, { dropped: dataTransfer });
    document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await chat.post();
  assert.equal(await over(), 1);
  const isTaken = await chat.page.evaluate(() => {
    const { dropped } = window as unknown as { readonly dropped: DataTransfer };
    const drop = new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
    return drop.defaultPrevented;
  });
  assert.ok(isTaken, "the browser does not open the file");
  const files = await contents(chat, 2);
  assert.deepEqual(
    files.map(({ name, data, size }) => [name, Buffer.from(data, "base64").toString(), size]),
    [
      ["drawing.svg", "<svg/>", undefined],
      ["table.csv", "a,b", undefined],
    ],
  );
  assert.equal(await over(), 0);
});

test("text that is dragged or pasted is not a file: the text box takes it", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const isTaken = await chat.composer.evaluate((box) => {
    const data = new DataTransfer();
    data.setData("text/plain", "some words");
    const drag = new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true });
    const pasted = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    box.dispatchEvent(drag);
    box.dispatchEvent(pasted);
    return [drag.defaultPrevented, pasted.defaultPrevented];
  });
  assert.deepEqual(isTaken, [false, false]);
  assert.equal(await chat.page.locator(".composer.is-over").count(), 0);
});

for (const width of [170, 250, 430, 900]) {
  test(`every problem has a line of its own at ${width} px, the first two of many until the user asks`, async () => {
    const chat = await browser.page({ width, height: 700 });
    await chat.open(new TeamScript());
    const folder =
      '"docs" and "src" are folders. Attach files, or name them in the message: participants can list them.';
    const binary = '"a.bin" is neither a text file nor an image.';
    await chat.post(
      { type: "attached", teamId: "team-1", attachments: [], problems: [folder] },
      { type: "attached", teamId: "team-1", attachments: [], problems: [binary, folder] },
    );
    assert.deepEqual(
      (await problems(chat).allInnerTexts()).map((text) => text.trim()),
      [folder, binary],
    );
    const { width: inside = 0 } = (await chat.page.locator(".composer").boundingBox()) ?? {};
    for (const problem of await problems(chat).all())
      assert.ok(((await problem.boundingBox())?.width ?? 0) > inside - 40, "it has the whole width");
    const more = ["Third.", "Fourth."];
    await chat.post({ type: "attached", teamId: "team-1", attachments: [], problems: more });
    assert.equal(await problems(chat).count(), 2);
    await chat.page.getByRole("button", { name: "Show 2 More" }).focus();
    await chat.page.keyboard.press("Enter");
    assert.deepEqual(
      (await problems(chat).allInnerTexts()).slice(2).map((text) => text.trim()),
      more,
    );
    assert.ok(await chat.composer.evaluate((box) => box === document.activeElement), "the focus stays in the composer");
    await chat.page.screenshot({ path: `test-results/screens/composer-problems-${width}.png` });
  });
}

/** A picture of one colour as a PNG file in base64: a few hundred kilobytes, of any size. */
function plainPng(width: number, height: number): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([start, ...chunks]).toString("base64");
}

test("a small file with billions of bytes of pixels is not decoded, and says its size; the next image is attached", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const name = "bomb.png";
  await paste(chat, [
    { name, type: "image/png", data: plainPng(30_000, 30_000) },
    { name: "next.png", type: "image/png", data: plainPng(30, 30) },
  ]);
  await problems(chat)
    .getByText(
      '"bomb.png" has 30,000 × 30,000 pixels, and an image can have at most 100 million. Attach a smaller one.',
    )
    .waitFor();
  assert.deepEqual(
    (await contents(chat, 1)).map((content) => [content.name, content.size]),
    [["next.png", { width: 30, height: 30 }]],
  );
});

test("an image with the name of another type gets that of its content, which providers compare", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const data = await pictureOf(chat, { type: "image/jpeg", width: 40, height: 30 });
  await paste(chat, [{ name: "photo.png", type: "image/png", data }]);
  assert.deepEqual(await contents(chat, 1), [{ name: "photo.jpg", data, size: { width: 40, height: 30 } }]);
});

test("a message that is sent while its image is scaled down waits for it, and then goes by itself", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.fill("What is on it?");
  const data = await pictureOf(chat, { type: "image/png", width: 4000, height: 1000 });
  await paste(chat, [{ name: "wide.png", type: "image/png", data }]);
  await chat.composer.press("Enter");
  await chat.page.getByText("Sends once wide.png is attached").waitFor();
  await contents(chat, 1);
  assert.equal(await chat.composer.inputValue(), "What is on it?");
  const attachment = { ...imageFile("wide.png"), size: { width: 2048, height: 512 } };
  const request = await lastRequest(chat);
  await chat.post({ type: "attached", teamId: "team-1", request, attachments: [attachment] });
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "What is on it?", attachments: [attachment] });
  assert.equal(await chat.composer.inputValue(), "");
});

test("a message that waits for its context is not sent after a change, Escape, a problem or a refusal", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  const holds = async (): Promise<void> => {
    await chat.composer.fill("Why? ");
    await chat.composer.pressSequentially("#te");
    await chat.page.keyboard.press("Enter");
    await chat.page.keyboard.press("Enter");
    await chat.page.getByText("Sends once the terminal output is attached").waitFor();
  };
  const isReleased = () => chat.page.getByText("Sends once").waitFor({ state: "detached" });
  const terminal = { key: "terminal:1", kind: "terminal" as const, name: "npm test", uri: "1", tokens: 9 };
  const answer = async (problems: readonly string[] = [], attachments = [terminal]) => {
    const request = await lastRequest(chat);
    await chat.post({ type: "attached", teamId: "team-1", request, attachments, problems });
  };

  await holds();
  await chat.page.keyboard.type("And how?");
  await isReleased();
  await answer();

  await holds();
  await chat.page.keyboard.press("Escape");
  await isReleased();
  await answer();

  await holds();
  await chat.page.getByRole("button", { name: "Don't Send" }).click();
  await isReleased();
  assert.ok(await chat.composer.evaluate((box) => box === document.activeElement));
  await answer();

  await holds();
  await answer(["No terminal output is known."], []);
  await isReleased();

  // The user was asked about a file with secrets, and does not attach it.
  await holds();
  await answer([], []);
  await isReleased();

  await holds();
  await chat.page.getByRole("button", { name: "Do not attach the terminal output" }).click();
  await isReleased();
  assert.equal(await chat.composer.inputValue(), "Why? #terminal ");
  await answer();
  assert.deepEqual(
    (await chat.posted()).filter(({ type }) => type === "run"),
    [],
  );
});

test("many images keep the order in which they were chosen, one is read at a time, and their number is shown", async () => {
  const chat = await browser.page({ width: 250 });
  await chat.open(new TeamScript());
  const names = Array.from({ length: 12 }, (_, index) => `${index % 3 === 0 ? "large" : "small"}-${index}.png`);
  const large = await pictureOf(chat, { type: "image/png", width: 4000, height: 100 });
  const small = await pictureOf(chat, { type: "image/png", width: 40, height: 40 });
  const reads = async () => (await chat.posted()).filter(({ type }) => type === "readImage").length;
  await chat.post({ type: "attached", teamId: "team-1", attachments: names.map(imageFile) });
  await chat.page.getByText("Attaching 12 files…").waitFor();
  assert.equal(await reads(), 1);
  await chat.page.screenshot({ path: "test-results/screens/many-images.png" });

  await serveImages(chat, Object.fromEntries(names.map((name) => [name, name.startsWith("large") ? large : small])));
  await chat.post({ type: "imageContent", uri: "file:///project/large-0.png", data: large });
  // Every large one is attached again, scaled down: the extension answers the last of them first.
  const contentsOfLarge = await contents(chat, 4);
  assert.deepEqual(
    contentsOfLarge.map(({ name }) => name),
    names.filter((name) => name.startsWith("large")),
  );
  await chat.composer.fill("Compare them");
  await chat.composer.press("Enter");
  await chat.page.getByText("Sends once 4 files are attached").waitFor();
  const requests = (await chat.posted()).filter((message) => message.type === "attach").toReversed();
  for (const message of requests) {
    assert.ok(message.type === "attach" && message.content !== undefined);
    const { name, size = { width: 1, height: 1 } } = message.content;
    const attachment = { ...imageFile(name), key: `pasted:${name}`, size };
    await chat.post({ type: "attached", teamId: "team-1", request: message.request, attachments: [attachment] });
  }
  const sent = await chat.untilPosted("run");
  assert.deepEqual(
    sent.attachments?.map(({ name }) => name),
    names,
  );
});

test("what is attached slowly goes to the team that it was attached for, not to the one that is shown by then", async () => {
  const chat = await browser.page();
  const other = new TeamScript("Release notes", {}, "team-2");
  await chat.open(new TeamScript());
  const data = await pictureOf(chat, { type: "image/png", width: 4000, height: 1000 });
  await chat.page.evaluate(
    ([text, message]) => {
      const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], "wide.png", { type: "image/png" }));
      const box = document.querySelector(".composer-text");
      box?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      dispatchEvent(new MessageEvent("message", { data: message }));
    },
    [data, other.opened()] as const,
  );
  await chat.page.getByRole("heading", { name: "Release notes" }).waitFor();
  await contents(chat, 1);
  const { posted, about } = await chat.page.evaluate(() => window.editorStub);
  assert.equal(about[posted.findIndex(({ type }) => type === "attach")], "team-1");

  const file = { key: "file:///p/a.ts", kind: "file" as const, name: "a.ts", uri: "file:///p/a.ts", tokens: 5 };
  await chat.post({ type: "attached", teamId: "team-1", attachments: [file], problems: ["b.bin is no text."] });
  const restored = await chat.untilPosted("restoreDraft");
  assert.deepEqual(restored, {
    type: "restoreDraft",
    teamId: "team-1",
    draft: { text: "", attachments: [file] },
  });
  await problems(chat).getByText("b.bin is no text.").waitFor();
  assert.equal(await chat.page.locator(".attachment").count(), 0);
});
