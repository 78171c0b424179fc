import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import type { DurableDraft } from "../../shared/contract/event.ts";
import { pageBrowser } from "./chat-page.ts";
import { LAST } from "./every-place.ts";
import { expandAll, inspect, shownLast, watchedPage } from "./inspect-page.ts";
import { TeamScript } from "./team-script.ts";

interface EventPayload {
  readonly about: string;
  readonly event: DurableDraft;
}

const { events }: { readonly events: readonly EventPayload[] } = JSON.parse(
  readFileSync(join(root, "test", "hostile", "page-payloads.json"), "utf8"),
);

const browser = pageBrowser();

for (const about of new Set(events.map((payload) => payload.about))) {
  test(`the page shows what follows ${about}`, async () => {
    const { chat, wrong, ownTags } = await watchedPage(browser);
    for (const { event } of events.filter((one) => one.about === about)) {
      const script = new TeamScript().task("x");
      await chat.post({ type: "host", state: "ready" }, script.opened());
      // The script's own state may not know the event, so what follows is written as the host would number it.
      const at = "2026-03-02T10:41:00Z";
      const message = { id: "last", type: "TextMessage" as const, source: "reviewer", content: LAST, createdAt: at };
      const seq = script.state.lastSeq;
      await chat.post(
        { type: "events", teamId: script.teamId, events: [{ ...event, at, seq: seq + 1 }] },
        { type: "events", teamId: script.teamId, events: [{ type: "message/added", message, at, seq: seq + 2 }] },
      );
      await chat.page.evaluate(expandAll);
      await chat.post();
      wrong.push(...(await inspect(chat, ownTags)));
      if (!(await shownLast(chat))) wrong.push("no longer shows messages");
      assert.deepEqual(wrong, [], JSON.stringify(event));
    }
  });
}
