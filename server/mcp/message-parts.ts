import type { ContentBlock, ReadResourceResult } from "@modelcontextprotocol/client";
import type { ContentPart } from "../../shared/contract/message.ts";
import { contentPart, partOf } from "./tool-result.ts";

type Content = ReadResourceResult["contents"][number];

/** What a prompt has in a message: a resource in it is data, which a model sees in a fence. */
export const promptPart = (block: ContentBlock): ContentPart =>
  block.type === "resource" ? resourcePart(block.resource, block.resource.uri) : partOf(block);

/** The contents of a resource that the user attaches. */
export const resourceParts = (contents: readonly Content[], uri: string): readonly ContentPart[] =>
  contents.map((content) => resourcePart(content, content.uri === "" ? uri : content.uri));

function resourcePart(content: Content, uri: string): ContentPart {
  const part = contentPart(content);
  if (part.type === "image") return part;
  const at = uri.slice(0, 1_000);
  return { type: "text", text: part.text, resource: { kind: "resource", name: at === "" ? "resource" : at, uri: at } };
}
