import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import type { DurableDraft } from "../../shared/contract/event.ts";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { LAST, messagesWith, textEverywhere, welcomeWith } from "./every-place.ts";
import { TeamScript } from "./team-script.ts";

interface TextPayload {
  readonly about: string;
  readonly text: string;
  /** Follows the text this many times. */
  readonly repeat?: { readonly text: string; readonly times: number };
  readonly after?: string;
  /** How many times all of this is written; once if left out. */
  readonly again?: number;
}

interface EventPayload {
  readonly about: string;
  readonly event: DurableDraft;
}

const { texts, events } = JSON.parse(readFileSync(join(root, "test", "hostile", "page-payloads.json"), "utf8")) as {
  readonly texts: readonly TextPayload[];
  readonly events: readonly EventPayload[];
};

/** What Markdown may become, besides the elements that the page makes itself. */
const MARKDOWN =
  "a blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul";
const ATTRIBUTES = "class title role tabindex type start data-href aria-label aria-hidden";

const browser = pageBrowser();

/** A page that is tall enough to show every row, with what it does beyond showing. */
async function watchedPage() {
  const chat = await browser.page({ height: 12_000 });
  const own = new URL("/", chat.page.url()).href;
  const wrong: string[] = [];
  chat.page.on("request", (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith("data:image/"))
      wrong.push(`requests ${request.url()}`);
  });
  chat.page.on("pageerror", (error) => wrong.push(`throws ${error.message}`));
  chat.page.on("popup", () => wrong.push("opens a window"));
  chat.page.on("dialog", (dialog) => {
    wrong.push("opens a dialog");
    void dialog.dismiss();
  });
  return { chat, wrong, ownTags: await tagsOf(chat) };
}

/** The elements that the page makes of harmless text. */
async function tagsOf(chat: ChatPageDriver): Promise<readonly string[]> {
  await chat.post(welcomeWith("x"));
  const tags = () => chat.page.evaluate(() => [...document.querySelectorAll("*")].map(({ localName }) => localName));
  const welcome = await tags();
  await show(chat, "x");
  return [...new Set([...welcome, ...(await tags()), ...MARKDOWN.split(" "), "img"])];
}

async function show(chat: ChatPageDriver, text: string): Promise<void> {
  const script = textEverywhere(text);
  await chat.post({ type: "host", state: "ready" }, script.opened(), ...messagesWith(text, script.teamId));
  await chat.page.evaluate(expandAll);
  await chat.post();
}

/** What is wrong with the page as it is now: sentences. Clicks every link. */
async function inspect(chat: ChatPageDriver, ownTags: readonly string[]): Promise<string[]> {
  const elements = await chat.page.evaluate(wrongElements, { tags: ownTags, attributes: ATTRIBUTES.split(" ") });
  return [...elements, ...(await chat.page.evaluate(whatHappened)), ...(await chat.page.evaluate(whatLinksDo))];
}

/** The elements and attributes that only a text can have made. Runs in the page. */
function wrongElements({ tags, attributes }: { tags: readonly string[]; attributes: readonly string[] }): string[] {
  const isWrong = (element: Element, name: string, value: string): boolean => {
    if (element.closest(".markdown > *") !== null && !attributes.includes(name)) return true;
    if (name === "src") return !value.startsWith("data:image/");
    if (name === "data-href") return !/^https?:\/\//.test(value) || element.getAttribute("title") !== value;
    return name.startsWith("on") || ["href", "action", "srcdoc", "formaction"].includes(name);
  };
  return [...document.querySelectorAll("#app *")].flatMap((element) => [
    ...(tags.includes(element.localName) ? [] : [`an element ${element.localName}`]),
    ...[...element.attributes]
      .filter(({ name, value }) => isWrong(element, name, value))
      .map(({ name, value }) => `${element.localName} has ${name}="${value}"`),
  ]);
}

/** Runs in the page. */
function whatHappened(): string[] {
  return [
    ...("pwned" in window ? ["a script of the text ran"] : []),
    ...window.editorStub.violations.splice(0).map((text) => `the policy blocked ${text}`),
    ...(document.querySelectorAll("body > *").length === 2 ? [] : ["there is something beside the app"]),
  ];
}

/** Clicks every link. Runs in the page. */
function whatLinksDo(): string[] {
  const before = location.href;
  const { posted } = window.editorStub;
  const from = posted.length;
  for (const link of document.querySelectorAll<HTMLElement>(".markdown a")) link.click();
  const wrong = posted.slice(from).filter((message) => message.type !== "openLink" || !/^https?:/.test(message.href));
  return [
    ...wrong.map((message) => `a link posted ${JSON.stringify(message)}`),
    ...(location.href === before ? [] : [`a link went to ${location.href}`]),
  ];
}

/** Opens every section that is closed. Runs in the page. */
function expandAll(): void {
  const closed = document.querySelectorAll<HTMLElement>('.collapsible-header[aria-expanded="false"]');
  for (const header of closed) header.click();
}

const textOf = ({ text, repeat, after = "", again = 1 }: TextPayload): string =>
  `${text}${repeat === undefined ? "" : repeat.text.repeat(repeat.times)}${after}`.repeat(again);

const shownLast = (chat: ChatPageDriver): Promise<boolean> =>
  chat.page.evaluate((last) => document.querySelector("#app")?.textContent?.includes(last) === true, LAST);

for (const about of new Set(texts.map((payload) => payload.about))) {
  test(`text is shown and nothing else: ${about}`, async () => {
    const { chat, wrong, ownTags } = await watchedPage();
    for (const payload of texts.filter((one) => one.about === about)) {
      const text = textOf(payload);
      await chat.post(welcomeWith(text));
      wrong.push(...(await inspect(chat, ownTags)));
      await show(chat, text);
      wrong.push(...(await inspect(chat, ownTags)));
      if (!(await shownLast(chat))) wrong.push("no longer shows messages");
      assert.deepEqual(wrong, [], text.slice(0, 300));
    }
  });
}

for (const about of new Set(events.map((payload) => payload.about))) {
  test(`the page shows what follows ${about}`, async () => {
    const { chat, wrong, ownTags } = await watchedPage();
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
