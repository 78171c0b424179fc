/** A file's text encoding. The "marked" ones start with a byte order mark. */
export type Encoding = "utf-8" | "marked utf-8" | "marked utf-16le" | "marked utf-16be";

/** A text and its file's encoding. The text has no byte order mark. */
export interface EncodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

const MARK = "\ufeff";

/** Decodes a file's bytes. @throws Error that names the file when it is binary or neither UTF-8 nor UTF-16. */
export function decodeText(bytes: Buffer, shown: string): EncodedText {
  const encoding = encodingOf(bytes);
  const text = textIn(bytes, encoding);
  if (text === undefined && !bytes.includes(0)) {
    throw new Error(`"${shown}" is neither UTF-8 nor UTF-16; convert it to UTF-8 before editing it.`);
  }
  if (text === undefined || text.includes("\0")) {
    throw new Error(`"${shown}" is a binary file; only text can be edited.`);
  }
  return { text, encoding };
}

/** Encodes a text. A byte order mark in the text is dropped; the encoding determines whether there is one. */
export function encodeText({ text, encoding }: EncodedText): Buffer {
  const plain = text.startsWith(MARK) ? text.slice(MARK.length) : text;
  switch (encoding) {
    case "utf-8":
      return Buffer.from(plain, "utf8");
    case "marked utf-8":
      return Buffer.from(MARK + plain, "utf8");
    case "marked utf-16le":
      return Buffer.from(MARK + plain, "utf16le");
    case "marked utf-16be":
      return Buffer.from(MARK + plain, "utf16le").swap16();
  }
}

/** The encoding of a new file: UTF-8, with a byte order mark when the text starts with one. */
export function encodingForNew(text: string): Encoding {
  return text.startsWith(MARK) ? "marked utf-8" : "utf-8";
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "marked utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "marked utf-16be";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "marked utf-8" : "utf-8";
}

/** Undefined for invalid bytes: a file that could not be written back unchanged is not edited. */
function textIn(bytes: Buffer, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding.replace("marked ", ""), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
