import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ToPage } from "../../client/common/page-messages.ts";
import { PageBrowser } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = await PageBrowser.open();
after(() => browser.close());

const offers: Extract<ToPage, { type: "offers" }> = {
  type: "offers",
  servers: [
    {
      server: "one",
      name: "Issue Tracker",
      state: "running",
      prompts: [
        { name: "triage", title: "Triage an issue", arguments: [{ name: "issue", required: true }] },
        { name: "weekly report", description: "$(trash) <b>Sums up</b> the week", arguments: [] },
      ],
      resources: [{ uri: "issues://open", name: "open issues", description: "What is open", mimeType: "text/plain" }],
      templates: [{ template: "issues://{id}", name: "an issue", arguments: [{ name: "id", required: true }] }],
    },
  ],
};

test("/ offers the prompts of MCP servers after the commands; one that is chosen or typed is asked for", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.pressSequentially("/");
  assert.deepEqual(await chat.untilPosted("listOffers"), { type: "listOffers" });
  await chat.post(offers);
  await chat.composer.pressSequentially("mcp");
  const options = chat.page.getByRole("listbox", { name: "Commands" }).getByRole("option");
  await options.nth(2).waitFor();
  assert.deepEqual(await options.locator(".completion-label").allInnerTexts(), ["/mcp", "/triage", "/weekly-report"]);
  assert.deepEqual((await options.locator(".completion-detail").allInnerTexts()).slice(1), [
    "Triage an issue · Issue Tracker",
    "$(trash) <b>Sums up</b> the week · Issue Tracker",
  ]);
  await chat.page.keyboard.press("ArrowDown");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("usePrompt"), { type: "usePrompt", server: "one", prompt: "triage" });
  assert.equal(await chat.composer.inputValue(), "");
  // The extension gives the prompt back as a draft, which the user can change before it is sent.
  await chat.post({ type: "unsent", teamId: "team-1", draft: { text: "Triage issue 12.", attachments: [] } });
  assert.equal(await chat.composer.inputValue(), "Triage issue 12.");
  await chat.composer.fill("/MCP.issue-tracker.weekly-report ");
  await chat.page.keyboard.press("Escape");
  await chat.page.keyboard.press("Enter");
  const used = (await chat.posted()).filter((message) => message.type === "usePrompt");
  assert.deepEqual(
    used.map(({ prompt }) => prompt),
    ["triage", "weekly report"],
  );
  assert.deepEqual(await chat.violations(), []);
});

test("# offers the resources of MCP servers; one is attached as a chip that Delete removes, and is sent", async () => {
  const chat = await browser.page();
  await chat.open(new TeamScript());
  await chat.composer.pressSequentially("See #issue");
  await chat.untilPosted("listOffers");
  await chat.post(offers);
  const options = chat.page.getByRole("listbox", { name: "Context" }).getByRole("option");
  await options.nth(1).waitFor();
  assert.deepEqual(await options.allInnerTexts(), [
    "open issues\nWhat is open · Issue Tracker",
    "an issue…\nissues://{id} · Issue Tracker",
  ]);
  await chat.page.keyboard.press("Tab");
  assert.equal(await chat.composer.inputValue(), "See #open-issues ");
  const { request, ...asked } = await chat.untilPosted("attach");
  assert.deepEqual(asked, { type: "attach", resource: { server: "one", uri: "issues://open" } });
  const attachment = {
    key: "resource:one#issues://open",
    kind: "resource" as const,
    name: "open issues",
    uri: "issues://open",
    server: "one",
    tokens: 40,
  };
  await chat.post({ type: "attached", teamId: "team-1", request, attachments: [attachment] });
  const chip = chat.page.getByRole("button", { name: "open issues, about 40 tokens; Delete removes it" });
  await chip.click();
  assert.deepEqual(await chat.untilPosted("openResource"), {
    type: "openResource",
    kind: "resource",
    uri: "issues://open",
    server: "one",
  });
  assert.deepEqual(await chat.violations(), []);
  await chat.composer.focus();
  await chat.page.keyboard.press("End");
  await chat.page.keyboard.type("now");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("run"), {
    type: "run",
    text: "See #open-issues now",
    attachments: [attachment],
  });
});
