import { TextDecoder } from "node:util";
import { imageType } from "../../../shared/image-type.ts";
import { readHtml } from "./html-thread.ts";
import type { RawPage } from "./read-page.ts";

/** What a page has to read: a text with its kind for the reader, or an image as a data URI. */
export type PageContent =
  | { readonly kind: "text"; readonly text: string; readonly form: "Markdown" | "JSON" | "text" }
  | { readonly kind: "image"; readonly uri: string; readonly mimeType: string };

const HTML: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);
const TEXT =
  /^text\/|^application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript|ecmascript|typescript|x-ndjson|x-sh|graphql)$/;

/** The largest image, in bytes: as a data URI, what every provider accepts. */
const MAX_IMAGE = 3.5 * 1024 * 1024;

/** @throws Error in a sentence for what is neither text nor an image; what `signal` was aborted with. */
export async function pageContent(page: RawPage, signal: AbortSignal): Promise<PageContent> {
  const { url, bytes, type } = page;
  const mimeType = imageType(bytes);
  if (mimeType !== undefined) {
    if (bytes.length > MAX_IMAGE) throw new Error(`The image ${url.href} is larger than 3.5 MB, and is not read.`);
    return { kind: "image", uri: `data:${mimeType};base64,${bytes.toString("base64")}`, mimeType };
  }
  // Without a type, what has a NUL is no text.
  const isText = TEXT.test(type) || (type === "" && !bytes.subarray(0, 8192).includes(0));
  if (!isText && !HTML.has(type)) {
    const what = type === "" ? "is not text" : `is of the type ${type.slice(0, 100)}`;
    throw new Error(`${url.href} ${what}, which webFetch does not read; download it with a command.`);
  }
  const text = decoded(page);
  if (HTML.has(type))
    return { kind: "text", text: await readHtml({ html: text, address: url.href }, signal), form: "Markdown" };
  return { kind: "text", text, form: /json$/.test(type) ? "JSON" : "text" };
}

/** The text, in the character set that the server names, or the page itself; else in UTF-8. */
function decoded({ bytes, charset, type }: RawPage): string {
  const own = HTML.has(type)
    ? /<meta[^>]{0,200}charset=["']?([\w.:-]{1,40})/i.exec(bytes.toString("latin1", 0, 2048))
    : null;
  for (const label of [charset, own?.[1]]) {
    if (label === undefined) continue;
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      // No character set that is known.
    }
  }
  return new TextDecoder().decode(bytes);
}
