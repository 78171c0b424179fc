import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToPage } from "../common/page-messages.ts";
import { Drafts } from "../messages/drafts.ts";
import { memoryMemento } from "../testing/memory-memento.ts";
import { attachTo } from "./attach-to.ts";

const file = (name: string) => ({ key: name, kind: "file" as const, name, uri: `file:///p/${name}`, tokens: 5 });
const image = { ...file("shot.png"), kind: "image" as const };

function pageThat(visible: boolean) {
  const posted: ToPage[] = [];
  const chat = {
    visible,
    post: (message: ToPage) => void posted.push(message),
    focus: async () => undefined,
    showImage: () => undefined,
  };
  return { chat, posted, drafts: new Drafts(memoryMemento()) };
}

test("a page that is seen attaches by itself, for the team that it was asked for", async () => {
  const { posted, ...page } = pageThat(true);
  await attachTo("team-1", { attachments: [file("a.ts"), image] }, page, 1000);
  assert.deepEqual(posted, [{ type: "attached", teamId: "team-1", request: 1000, attachments: [file("a.ts"), image] }]);
});

test("what was attached slowly is in the draft of its team when the page is hidden or closed by then", async () => {
  const { posted, ...page } = pageThat(false);
  await page.drafts.set("team-1", { text: "Read it", attachments: [] });
  await attachTo("team-1", { attachments: [file("a.ts"), image], problems: ["No."] }, page, 1000);
  assert.deepEqual(posted, []);
  assert.deepEqual(page.drafts.of("team-1"), { text: "Read it", attachments: [file("a.ts"), image] });
});
