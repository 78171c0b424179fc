import type { IncomingHttpHeaders } from "node:http";
import type { LookupFunction } from "node:net";
import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { assertNotLocal, hostAndPort, publicLookup } from "./local-names.ts";

/** How web pages are reached. */
export interface WebAccess {
  /**
   * Sends a GET request as the user's network settings say; redirects are not followed. `lookup` resolves the name of a
   * server for a direct connection. @throws Error whose message says why there is no answer.
   */
  readonly get: (url: URL, request: WebRequest) => Promise<WebAnswer>;
  /** Hosts that may be read although their addresses are local; names may have stars and a port. */
  readonly localHosts: () => readonly string[];
}

interface WebRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly lookup: LookupFunction;
}

interface WebAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A page as it came. */
export interface RawPage {
  /** Where it was found, after redirects. */
  readonly url: URL;
  /** In lower case, without parameters; empty if the server gave none. */
  readonly type: string;
  /** The character set that the server names. */
  readonly charset: string | undefined;
  readonly bytes: Buffer;
}

/** The largest page, in bytes, also when it is decompressed. */
const MAX_PAGE = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;

const HEADERS = {
  "user-agent": "Gavel (VS Code extension)",
  accept: "text/markdown, text/html;q=0.9, application/json;q=0.9, text/*;q=0.8, image/*;q=0.5, */*;q=0.1",
  "accept-encoding": "gzip, deflate, br",
};

/**
 * Reads the page at an address, and follows redirects within its site. A redirect that leaves the site is not followed, but
 * returned: whether its address may be read is a decision of its own.
 * @throws Error in a sentence.
 */
export async function readPage(
  address: URL,
  access: WebAccess,
  signal: AbortSignal,
): Promise<RawPage | { readonly elsewhere: URL }> {
  const allowed = access.localHosts();
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    assertNotLocal(url, allowed);
    const answer = await access.get(url, { headers: HEADERS, signal, lookup: publicLookup(url, allowed) });
    const { status, headers, body } = answer;
    const next = status >= 300 && status < 400 ? URL.parse(headers.location ?? "", url.href) : null;
    if (next === null) {
      if (status < 200 || status >= 300) {
        await close(body);
        throw new Error(`${url.href} cannot be read: the server answered with status ${status}.`);
      }
      return { url, ...typeOf(headers), bytes: await bytesOf(answer, url) };
    }
    await close(body);
    if (!/^https?:$/.test(next.protocol))
      throw new Error(`${url.href} redirects to an address that is not of the web.`);
    next.username = "";
    next.password = "";
    next.hash = "";
    if (!isSameSite(url, next)) return { elsewhere: next };
    url = next;
  }
  throw new Error(`${address.href} cannot be read: it redirects more than ${MAX_REDIRECTS} times.`);
}

/** The same origin, or the same host by https in place of http. */
function isSameSite(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname;
  return isUpgrade && hostAndPort(from).endsWith(":80") && hostAndPort(to).endsWith(":443");
}

/** A reader that stops before the end closes the connection. */
async function close(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

function typeOf(headers: IncomingHttpHeaders): Pick<RawPage, "type" | "charset"> {
  const given = headers["content-type"] ?? "";
  const [type = ""] = given.split(";");
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})/i.exec(given) ?? [];
  return { type: type.trim().toLowerCase(), charset };
}

async function bytesOf({ headers, body }: WebAnswer, url: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of decompressed(body, headers["content-encoding"], url)) {
    size += chunk.length;
    if (size > MAX_PAGE) throw new Error(`${url.href} is larger than ${MAX_PAGE / 1024 / 1024} MB, and is not read.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decompressed(body: AsyncIterable<Uint8Array>, encoding = "identity", url: URL): AsyncIterable<Uint8Array> {
  if (encoding.toLowerCase() === "identity") return body;
  const unpacker = unpackerFor(encoding.toLowerCase());
  if (unpacker === undefined) throw new Error(`${url.href} is compressed in a way that cannot be read.`);
  // What goes wrong on either side ends the reading of the result.
  pipeline(Readable.from(body), unpacker, () => {});
  return unpacker;
}

function unpackerFor(encoding: string): Transform | undefined {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
