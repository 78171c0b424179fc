import type { ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { LAST, messagesWith, textEverywhere, welcomeWith } from "./every-place.ts";

/** What Markdown may become, besides the elements that the page makes itself. */
const MARKDOWN =
  "a blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul";
const ATTRIBUTES =
  "class title role tabindex type start data-href data-file data-language data-info data-action aria-label aria-hidden aria-pressed";

/** A page that is tall enough to show every row, with what it does beyond showing. */
export async function watchedPage(browser: ReturnType<typeof pageBrowser>) {
  const chat = await browser.page({ height: 5000 });
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

/** Shows the text in every place of a team, with all sections open. */
export async function show(chat: ChatPageDriver, text: string): Promise<void> {
  const script = textEverywhere(text);
  await chat.post({ type: "host", state: "ready" }, script.opened(), ...messagesWith(text, script.teamId));
  // The first team loads the part of the page that shows rows.
  await chat.rows.last().waitFor({ state: "attached" });
  await chat.page.evaluate(expandAll);
  await chat.post();
}

/** What is wrong with the page as it is now: sentences. Clicks every link. */
export async function inspect(chat: ChatPageDriver, ownTags: readonly string[]): Promise<string[]> {
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
  const wrong = posted.slice(from).filter((message) => {
    // `a.js:8` is a line, not a scheme.
    if (message.type === "openPath") return /^(?!file:)[a-z][a-z0-9+.-]+:(?!\d)/i.test(message.path);
    return message.type !== "findFiles" && (message.type !== "openLink" || !/^https?:/.test(message.href));
  });
  return [
    ...wrong.map((message) => `a link posted ${JSON.stringify(message)}`),
    ...(location.href === before ? [] : [`a link went to ${location.href}`]),
  ];
}

/** Opens every section that is closed. Runs in the page. */
export function expandAll(): void {
  const closed = document.querySelectorAll<HTMLElement>('.collapsible-header[aria-expanded="false"]');
  for (const header of closed) header.click();
}

/** Whether the page shows the message that comes after the payload. */
export const shownLast = (chat: ChatPageDriver): Promise<boolean> =>
  chat.page.evaluate((last) => document.querySelector("#app")?.textContent?.includes(last) === true, LAST);
