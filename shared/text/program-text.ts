import type { ProgramQuestion } from "../contract/program.ts";
import { visibleText } from "./visible-text.ts";

/** A program as part of a sentence: `MCP server "files"`. */
export const whatIs = ({ use, name }: ProgramQuestion): string =>
  `${use === "agent" ? "agent" : "MCP server"} "${visibleText(name).text}"`;

/** The command line or the address, as one line: words with spaces or quotes in quotes. */
export function programText({ start }: ProgramQuestion): string {
  if ("url" in start) return visibleText(start.url).text;
  return [start.command, ...start.args].map(word).join(" ");
}

/** So that the user sees where each argument begins and ends. */
function word(text: string): string {
  const { text: shown, written } = visibleText(text);
  return !written && /^[\p{L}\p{N}_./:@%+=,~^-]+$/u.test(text) ? text : `"${shown.replaceAll('"', '\\"')}"`;
}

function startedText(start: Extract<ProgramQuestion["start"], { command: string }>): string {
  return [
    [start.command, ...start.args].map(word).join(" "),
    `Folder: ${visibleText(start.folder).text}`,
    ...start.environment.map((variable) => `Variable: ${visibleText(variable).text}`),
  ].join("\n");
}

function connectedText(
  use: ProgramQuestion["use"],
  { url, headers, oauthClient }: Extract<ProgramQuestion["start"], { url: string }>,
): string {
  const address = [
    visibleText(url).text,
    ...headers.map((header) => `Header: ${visibleText(header).text}`),
    ...(oauthClient === undefined ? [] : [`OAuth client: ${visibleText(oauthClient).text}`]),
  ];
  const gets =
    use === "agent"
      ? ["It gets the conversation, with everything that participants read from your files.", ...openText(url)]
      : ["It gets the input of every call of its tools."];
  return [address.join("\n"), ...gets].join("\n\n");
}

/** An address on this machine needs no encryption. */
const openText = (url: string): readonly string[] =>
  /^(https:|http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/|$))/i.test(url)
    ? []
    : ["The connection is not encrypted."];

/** Asks whether it may be started or, elsewhere, be used. */
export const allowQuestion = (question: ProgramQuestion): string =>
  `${"url" in question.start ? "Connect" : "Start"} the ${whatIs(question)}?`;

/** What would run, where and with what, and what that means: paragraphs to decide on. */
export const programDetail = ({ use, start }: ProgramQuestion): readonly string[] =>
  "command" in start ? [startedText(start), limitsText(use)] : [connectedText(use, start)];

/** What the user should know of a program that runs outside the sandbox. */
const limitsText = (use: ProgramQuestion["use"]): string =>
  use === "agent"
    ? "The program can do whatever you can do on this computer. Gavel's rules bind only what it asks Gavel for."
    : "The program can do whatever you can do on this computer. Gavel asks before each call of its tools, not before what it does by itself.";
