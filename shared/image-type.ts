/** The image types that models accept, by how their files begin. */
const TYPES: readonly (readonly [type: string, matches: (head: string) => boolean])[] = [
  ["image/png", (head) => head.startsWith("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (head) => head.startsWith("\xff\xd8\xff")],
  ["image/gif", (head) => /^GIF8[79]a/.test(head)],
  ["image/webp", (head) => /^RIFF.{4}WEBP/s.test(head)],
];

/** How many bytes at the start of a file are needed to determine its type. */
export const HEAD_BYTES = 12;

/** The MIME type of the image that starts with these bytes, or undefined when models do not accept it. */
export function imageType(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  return TYPES.find(([, matches]) => matches(text))?.[0];
}
