import type { ClientModelContent, ClientModelMessage } from "../../../shared/contract/client-models.ts";
import type { ContextItem, ModelRequest } from "../../engine/model.ts";
import { callIds } from "../request/call-ids.ts";
import { legalName } from "../request/legal-names.ts";
import {
  argumentsObject,
  CONTINUE_PROMPT,
  endsWithPartial,
  resultImages,
  resultText,
  speakerPrefix,
  withPrefix,
} from "../request/message-text.ts";

/**
 * The messages for a model of the client. VS Code's models know no system message and no name of a speaker, so the
 * instructions are the first message of the user, and every other speaker is named in the text. Messages of one role in a
 * row become one, which every model accepts.
 */
export function clientMessages({ instructions, items, output }: ModelRequest): ClientModelMessage[] {
  const idOf = callIds(items);
  const messages: { readonly role: ClientModelMessage["role"]; readonly content: ClientModelContent[] }[] = [];
  const add = (role: ClientModelMessage["role"], content: readonly ClientModelContent[]): void => {
    if (content.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content: [...content] });
  };
  if (instructions !== "") add("user", [text(instructions)]);
  for (const item of items) add(item.role === "assistant" ? "assistant" : "user", contentOf(item, idOf));
  if (output !== undefined) {
    add("user", [
      text(
        `Answer with JSON alone, without a code block, that matches this JSON Schema:\n${JSON.stringify(output.schema)}`,
      ),
    ]);
  }
  if (endsWithPartial(items)) add("user", [text(CONTINUE_PROMPT)]);
  return messages;
}

const text = (value: string): ClientModelContent => ({ type: "text", text: value });

function contentOf(item: ContextItem, idOf: (ref: string) => string): ClientModelContent[] {
  switch (item.role) {
    case "user": {
      const prefix = speakerPrefix(item.source);
      if (typeof item.content === "string") return [text(`${prefix}${item.content}`)];
      return withPrefix(prefix, item.content).map((part) =>
        part.type === "text" ? text(part.text) : { type: "image", uri: part.uri },
      );
    }
    case "assistant":
      return [
        ...(item.content === "" ? [] : [text(item.content)]),
        ...item.calls.map(
          ({ ref, name, input }): ClientModelContent => ({
            type: "call",
            id: idOf(ref),
            name: legalName(name),
            input: argumentsObject(input),
          }),
        ),
      ];
    case "tool":
      return [
        { type: "result", id: idOf(item.ref), text: resultText(item), isError: item.isError },
        ...resultImages(item).map(({ uri }): ClientModelContent => ({ type: "image", uri })),
      ];
    default:
      return item satisfies never;
  }
}
