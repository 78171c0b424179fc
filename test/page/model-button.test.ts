import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { galleryStates } from "./gallery/gallery-states.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const models = {
  fast: { provider: "openai", model: "gpt-5-mini" },
  deep: { provider: "openai", model: "gpt-5", baseUrl: "https://models.example.com/v1" },
} as const;

const participants = [
  { name: "author", model: "fast" },
  { name: "reviewer", model: "fast" },
];

const button = (chat: ChatPageDriver) => chat.page.locator(".model-button");

test("the composer shows the team's model, and its button opens the list of models", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Code review", { models, participants });
  await chat.open(script);
  assert.equal(await button(chat).innerText(), "gpt-5-mini");
  assert.equal(await button(chat).getAttribute("aria-label"), "Select Model: now gpt-5-mini");
  await button(chat).focus();
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("selectModel"), { type: "selectModel" });
});

test("it follows what is chosen, which the thread shows too", async () => {
  const chat = await browser.page();
  const script = new TeamScript("Code review", { models, participants });
  await chat.open(script);
  script.durable({ type: "model/chosen", participant: "author", model: "deep", by: "u" });
  await chat.live(script);
  assert.equal(await button(chat).innerText(), "Models");
  assert.equal(await button(chat).getAttribute("title"), "Select Models: now gpt-5 and gpt-5-mini");
  await chat.page.getByText("author uses deep").waitFor();

  script.durable({ type: "model/chosen", model: { provider: "vscode", vendor: "acme", model: "acme-small" }, by: "u" });
  await chat.live(script);
  assert.equal(await button(chat).innerText(), "acme-small");
  await chat.page.getByText("The team uses acme-small").waitFor();

  script.durable({ type: "model/chosen", model: null, by: "u" });
  await chat.live(script);
  assert.equal(await button(chat).innerText(), "gpt-5-mini");
  await chat.page.getByText("The team file’s models are used").waitFor();
});

test("a team that names no model shows the one that is set for all teams, once there is one", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  assert.equal(await button(chat).innerText(), "Select Model");
  await chat.post({ type: "settings", whileRunning: "steer", presetModel: "Acme Large", offeredModels: [] });
  assert.equal(await button(chat).innerText(), "Acme Large");
});

test("a team of agents alone has no button, unless a model chooses who speaks", async () => {
  const agents = [
    { name: "claude", kind: "acp", command: "claude" },
    { name: "booking", kind: "a2a", url: "https://agents.example.com" },
  ] as const;
  const chat = await browser.page();
  await chat.open(new TeamScript("Agents", { participants: [...agents] }));
  await chat.page.locator(".add-context").waitFor();
  assert.equal(await button(chat).count(), 0);
  const selecting = await browser.page();
  await selecting.open(new TeamScript("Agents", { kind: "selector", participants: [...agents] }));
  assert.equal(await button(selecting).innerText(), "Select Model");
});

test("a model of VS Code is shown by its name once VS Code lists it, also in what was chosen before", async () => {
  const chat = await browser.page();
  const acme = { vendor: "acme", family: "small", id: "acme-small" };
  const script = new TeamScript("Code review", {
    models: { default: { provider: "vscode", vendor: "acme", model: "small" } },
    participants: [{ name: "author" }],
  });
  script.durable({
    type: "model/chosen",
    participant: "author",
    model: { provider: "vscode", model: acme.id },
    by: "u",
  });
  script.say("author", "Text one");
  await chat.open(script);
  assert.equal(await button(chat).innerText(), "acme-small");
  const row = chat.page.locator("article", { hasText: "author uses" });
  await row.getByText("author uses acme-small").waitFor();

  const offer = (name: string): Promise<void> =>
    chat.post({ type: "settings", whileRunning: "steer", offeredModels: [{ ...acme, name }] });
  await offer("Acme Small");
  await row.getByText("author uses Acme Small").waitFor();
  assert.match((await row.getAttribute("aria-label")) ?? "", /^author uses Acme Small, /);
  assert.equal(await button(chat).innerText(), "Acme Small");
  assert.equal(await button(chat).getAttribute("title"), "Select Model: now Acme Small");
  const message = chat.rows.filter({ hasText: "Text one" });
  assert.equal(await message.getAttribute("aria-description"), "Model: Acme Small");
  await chat.page.keyboard.press("ControlOrMeta+f");
  await chat.page.getByRole("textbox", { name: "Find" }).fill("acme small");
  await chat.page.locator(".find-count", { hasText: "1 of 1" }).waitFor();
  await chat.page.keyboard.press("Escape");

  // Another extension names its model.
  await offer("<b onclick=alert(1)>\u202eegraL\n</b>");
  await row.getByText("author uses <b onclick=alert(1)>⟨U+202E⟩egraL </b>").waitFor();
  assert.equal(await button(chat).innerText(), "<b onclick=alert(1)>⟨U+202E⟩egraL </b>");
});

test("a long name is cut, not the page, at every width", async () => {
  for (const width of [170, 250, 430, 900]) {
    const chat = await browser.page({ width });
    const name = "a-provider/with-a-very-long-name-of-a-model-and-its-quantization:70b-q4";
    await chat.open(new TeamScript("Code review", { models: { default: { provider: "openai", model: name } } }));
    const sizes = await chat.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.equal(sizes[0], sizes[1]);
    const box = await button(chat).boundingBox();
    const send = await chat.page.locator(".send").first().boundingBox();
    assert.ok(box !== null && send !== null && box.width >= 40 && box.x + box.width <= width);
  }
});

test("a chip tells VS Code's context menu whose it is", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript("Code review", { models, participants }));
  const context = await chat.page.locator(".participant").first().getAttribute("data-vscode-context");
  assert.deepEqual(JSON.parse(context ?? ""), {
    webviewSection: "gavelParticipant",
    to: "author",
    preventDefaultContextMenuItems: true,
  });
});

test("beside a hint of several lines some letters of its name can be read, at any width", async () => {
  for (const width of [170, 250, 340, 430]) {
    const chat = await browser.page({ width });
    await galleryStates.find(({ name }) => name === "streaming")?.show(chat);
    const name = await chat.page.locator(".model-name").boundingBox();
    assert.ok(name !== null && name.width >= 48, `${name?.width} pixels of a page with ${width}`);
  }
});
