import type { Part } from "@a2a-js/sdk";
import type { PromptBlock } from "../agents/index.ts";

export const textPart = (text: string): Part => ({ ...NO_NAME, content: { $case: "text", value: text } });

/** What an agent is told, as the parts of a message. */
export const partsOf = (blocks: readonly PromptBlock[]): Part[] => blocks.map(partOf);

function partOf(block: PromptBlock): Part {
  switch (block.type) {
    case "text":
      return textPart(block.text);
    case "image": {
      const value = Buffer.from(block.data, "base64");
      return { ...NO_NAME, mediaType: block.mimeType, content: { $case: "raw", value } };
    }
    case "resource_link":
      // A file of this machine is not sent anywhere, and its address says nothing to others.
      return /^https?:/i.test(block.uri)
        ? { ...NO_NAME, filename: block.name, content: { $case: "url", value: block.uri } }
        : textPart(`[The file ${block.name} is left out.]`);
  }
}

const NO_NAME = { metadata: undefined, filename: "", mediaType: "" };
