import type { Part } from "@a2a-js/sdk";
import { fenceFor } from "../../shared/fence.ts";

/** The longest name or address that is shown, in characters. */
const MAX_NAME = 2_000;

/** What an agent sends, as text: its texts as they are, files by their addresses, and data as JSON. */
export function partsText(parts: readonly Part[]): string {
  let text = "";
  let wasText = false;
  for (const part of parts) {
    const one = partText(part);
    const isText = part.content?.$case === "text";
    // Texts are often cut anywhere; everything else is a paragraph of its own.
    if (text !== "" && one !== "" && !(isText && wasText)) text += "\n\n";
    text += one;
    wasText = isText;
  }
  return text;
}

function partText({ content, filename, mediaType }: Part): string {
  switch (content?.$case) {
    case "text":
      return content.value;
    case "url":
      return linkText(content.value, filename);
    case "raw":
      return `(A file that Gavel does not keep: ${[plain(filename), plain(mediaType), `${content.value.length.toLocaleString("en-US")} bytes`].filter((one) => one !== "").join(", ")})`;
    case "data":
      return dataText(content.value);
    case undefined:
      return "";
  }
}

/** Only addresses of the web are links: others could be commands of the editor. */
function linkText(url: string, filename: string): string {
  const name = plain(filename).replace(/[[\]\\]/g, "");
  if (!/^https?:\/\/[^\s<>]+$/i.test(url) || url.length > MAX_NAME)
    return `(A file at an address that is not shown: ${name})`;
  return name === "" ? `<${url}>` : `${name}: <${url}>`;
}

function dataText(value: unknown): string {
  let json: string;
  try {
    json = JSON.stringify(value, undefined, 2) ?? "null";
  } catch {
    return "(Data that cannot be shown)";
  }
  const fence = fenceFor(json);
  return `${fence}json\n${json}\n${fence}`;
}

const plain = (text: string): string =>
  text
    .replace(/\p{C}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME);
