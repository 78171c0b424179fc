import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { pageBrowser } from "./chat-page.ts";
import { welcomeWith } from "./every-place.ts";
import { inspect, show, shownLast, watchedPage } from "./inspect-page.ts";

interface TextPayload {
  readonly about: string;
  readonly text: string;
  /** Follows the text this many times. */
  readonly repeat?: { readonly text: string; readonly times: number };
  readonly after?: string;
  /** How many times all of this is written; once if left out. */
  readonly again?: number;
}

const { texts }: { readonly texts: readonly TextPayload[] } = JSON.parse(
  readFileSync(join(root, "test", "hostile", "page-payloads.json"), "utf8"),
);

const textOf = ({ text, repeat, after = "", again = 1 }: TextPayload): string =>
  `${text}${repeat === undefined ? "" : repeat.text.repeat(repeat.times)}${after}`.repeat(again);

/** How many payloads a test has, so that it ends in time on a busy machine too. */
const AT_ONCE = 12;

/** Tests that the page shows these payloads and nothing else, those that `isMeant` selects by what they are about. */
export function testPayloads(isMeant: (about: string) => boolean): void {
  const browser = pageBrowser();
  for (const [first, { about }] of texts.entries()) {
    const ofKind = texts.slice(0, first).filter((payload) => payload.about === about).length;
    if (ofKind % AT_ONCE !== 0 || !isMeant(about)) continue;
    const payloads = texts.filter((payload) => payload.about === about).slice(ofKind, ofKind + AT_ONCE);
    test(`text is shown and nothing else: ${about}, ${ofKind + 1} to ${ofKind + payloads.length}`, async () => {
      const { chat, wrong, ownTags } = await watchedPage(browser);
      for (const payload of payloads) {
        const text = textOf(payload);
        await chat.post(welcomeWith(text));
        wrong.push(...(await inspect(chat, ownTags)));
        await show(chat, text);
        wrong.push(...(await inspect(chat, ownTags)));
        // What was expanded stays in view; the last message may be below it.
        await chat.goToEnd();
        if (!(await shownLast(chat))) wrong.push("no longer shows messages");
        assert.deepEqual(wrong, [], text.slice(0, 300));
      }
    });
  }
}

/** Texts that take long to show; the others are markup, addresses and characters. */
export const isLarge = (about: string): boolean => /^(deep|long|code|many|a text that is too long)/.test(about);
