import assert from "node:assert/strict";
import { test } from "node:test";
import { cardMessage, commandBody } from "./call-cards.ts";
import { pageBrowser, seen } from "./chat-page.ts";
import { galleryStates } from "./gallery/gallery-states.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const hostile = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>
<svg onload="window.pwned=1"></svg> [run](javascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>)
![pixel](https://evil.example/pixel.png) <iframe src="https://evil.example"></iframe> <a href="https://evil.example" style="position:fixed">x</a>

[title](https://ok.example "x\\" onmouseover=\\"window.pwned=1")

| a |
|:-:|
| <b style="color:red" onclick="window.pwned=1">b</b> |

\`\`\`html" onmouseover="window.pwned=1
<script>window.pwned=1</script>
\`\`\`

\`\`\`ts
const a = "<img src=x onerror=window.pwned=1>";
\`\`\`
`;

test("hostile text of a participant, a tool, an error and a user is shown as text, and runs nothing", async () => {
  const chat = await browser.page();
  const requests: string[] = [];
  chat.page.on("request", (request) => {
    if (!request.url().startsWith(new URL("/", chat.page.url()).href)) requests.push(request.url());
  });
  const script = new TeamScript(hostile).task(hostile);
  const message = script.startMessage("author");
  script.chunk(message, hostile);
  await chat.open(script);
  script.chunk(message, hostile).endMessage(message, "author", hostile);
  script.durable(
    { type: "reasoning/thought", from: "author", correlation_id: ["x"], message: `t ${hostile}` },
    {
      type: "tool/requested",
      participant: "author",
      calls: [{ ref: hostile, name: hostile, input: { command: hostile, [hostile]: hostile } }],
    },
    {
      type: "tool/interrupted",
      ref: hostile,
      name: hostile,
      participant: "author",
      input: { command: hostile },
      interrupt: { question: hostile },
    },
    { type: "error", message: hostile, data: { code: hostile, fix: hostile } },
  );
  await chat.live(script);
  for (const header of await chat.page.locator(".collapsible-header").all()) await header.click();
  await chat.page.locator(".markdown .link").first().hover();
  assert.equal(await chat.page.evaluate(() => "pwned" in window), false);
  assert.deepEqual(await chat.violations(), []);
  assert.equal(
    await chat.page.locator("img, iframe, svg, script:not([nonce]), [onerror], [onclick], [onload]").count(),
    0,
  );
  assert.equal(await chat.page.locator("#app [href], .markdown [style]").count(), 0);
  assert.deepEqual(requests, []);
});

test("only the extension opens links", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript().say("author", "See [the notes](https://example.com/notes?a=1&b=2)."));
  const url = chat.page.url();
  const link = chat.page.getByRole("link", { name: "the notes" });
  await link.click();
  assert.deepEqual(await chat.untilPosted("openLink"), { type: "openLink", href: "https://example.com/notes?a=1&b=2" });
  await link.press("Enter");
  assert.equal((await chat.posted()).filter(({ type }) => type === "openLink").length, 2);
  assert.equal(chat.page.url(), url);
});

test("a link shows the address that it opens, to the pointer and to the keyboard", async () => {
  const chat = await browser.page();
  const text = [
    '[bank](https://bank.example@evil.example "https://bank.example")',
    "[apple](https://\u0430pple.com)",
    "[slash](https://bank.example\\\\@evil.example)",
    "![picture](https://evil.example/p.png)",
  ];
  await chat.open(new TeamScript().say("author", text.join(" ")));
  const link = (name: string) => chat.page.getByRole("link", { name });
  for (const [name, address] of [
    ["bank", "https://bank.example@evil.example/"],
    ["apple", "https://xn--pple-43d.com/"],
    ["picture", "https://evil.example/p.png"],
  ] as const) {
    assert.equal(await link(name).getAttribute("title"), address);
    await link(name).press("Shift");
    await link(name).focus();
    const shown = await link(name).evaluate((element) => getComputedStyle(element, "::after").content);
    assert.equal(shown, `${JSON.stringify(address)} / ""`);
  }
  assert.equal(await link("slash").getAttribute("title"), "https://bank.example%5C@evil.example/");
});

test("what is neither a web address nor a file is no link", async () => {
  const chat = await browser.page();
  await chat.open(
    new TeamScript().say("author", "[quit](command:workbench.action.quit) [file](vscode://file/cart.ts)"),
  );
  assert.equal(await chat.page.getByRole("link").count(), 0);
  assert.equal(await seen(chat.page.locator(".markdown")), "quit file");
});

test("a command shows its invisible characters before it is approved", async () => {
  const chat = await browser.page();
  const input = { command: "echo ok \u202e; rm -rf ~\u200b" };
  const script = new TeamScript().durable(
    { type: "tool/requested", participant: "tester", calls: [{ ref: "c", name: "runCommand", input }] },
    { type: "tool/interrupted", ref: "c", name: "runCommand", participant: "tester", input, approval: true },
  );
  await chat.open(script);
  await chat.post(cardMessage(script, "c", commandBody(input.command)));
  assert.match(await seen(chat.page.locator(".pending pre")), /⟨U\+202E⟩; rm -rf ~⟨U\+200B⟩/);
});

for (const { name, show } of galleryStates) {
  test(`the page's state "${name}" violates no content security policy`, async () => {
    const chat = await browser.page();
    await show(chat);
    assert.deepEqual(await chat.violations(), []);
  });
}
