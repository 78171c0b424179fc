import { type CancellationToken, env, Uri, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { McpElicit, McpInput, McpSignIn } from "../../shared/contract/client-requests.ts";
import type { ElicitAnswer } from "../../shared/contract/mcp-question.ts";
import type { ParamsOf } from "../../shared/contract/message-type.ts";
import { LEGEND, visibleText } from "../../shared/text/visible-text.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import { askForm } from "./elicit-form.ts";
import type { ServerInputs } from "./server-inputs.ts";

const ANSWER = "Answer…";
const CONFIRM = "Confirm";
const OPEN = "Open Address";
const DECLINE = "Decline";

/** Answers what MCP servers ask the user. Values that the user enters for a placeholder are added to `secrets`. */
export function registerServerQuestions(client: LanguageClient, inputs: ServerInputs, secrets: Set<string>): void {
  client.onRequest(McpInput.method, async (params: unknown, token: CancellationToken) => {
    const question = McpInput.params.parse(params);
    const value = await inputs.answer(question, token);
    if (value !== null && value !== "" && question.password === true) secrets.add(value);
    return { value };
  });
  client.onRequest(McpSignIn.method, async (params: unknown) => {
    const { url, value } = McpSignIn.params.parse(params);
    return { value: await inputs.signIn(url, value) };
  });
  client.onRequest(McpElicit.method, async (params: unknown, token: CancellationToken) =>
    answerTo(McpElicit.params.parse(params), token),
  );
}

/**
 * What a server writes is shown in full, as plain text, before anything is asked or opened, and below what Gavel says: it
 * could imitate that.
 */
async function answerTo(
  { server, question }: ParamsOf<typeof McpElicit>,
  token: CancellationToken,
): Promise<ElicitAnswer> {
  if (!workspace.isTrusted || token.isCancellationRequested) return { action: "cancel" };
  const name = visibleText(server).text;
  if (question.mode === "url") {
    const { text, written } = visibleText(question.url);
    const { host } = new URL(question.url);
    const said = `The server says: ${withoutGaps(question.message)}`;
    const detail = [text, `It is a page of ${host}, which opens in your browser.`, said, ...(written ? [LEGEND] : [])];
    const answer = await askModal(
      `Open this address for the MCP server "${name}"?`,
      detail.join("\n\n"),
      OPEN,
      DECLINE,
    );
    if (answer !== OPEN) return { action: answer === DECLINE ? "decline" : "cancel" };
    return { action: (await env.openExternal(Uri.parse(question.url, true))) ? "accept" : "cancel" };
  }
  const accept = question.fields.length === 0 ? CONFIRM : ANSWER;
  const detail = `What you answer is sent to the server. Enter no password.\n\nThe server says: ${withoutGaps(question.message)}`;
  const answer = await askModal(`The MCP server "${name}" asks you`, detail, accept, DECLINE);
  if (answer === DECLINE) return { action: "decline" };
  if (answer === undefined || token.isCancellationRequested) return { action: "cancel" };
  const content = await askForm(`MCP Server ${server}`, question.fields, token);
  return content === undefined ? { action: "cancel" } : { action: "accept", content };
}

/** Without lines that would put what the server says, or the buttons, out of view. */
const withoutGaps = (message: string): string => message.trim().replace(/\s*\n\s*/g, "\n");
