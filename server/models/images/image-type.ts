/** The image types that models accept. */
const TYPES: readonly (readonly [type: string, matches: (head: Buffer) => boolean])[] = [
  ["image/png", (head) => head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ["image/jpeg", (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/gif", (head) => /^GIF8[79]a/.test(head.toString("latin1"))],
  ["image/webp", (head) => /^RIFF.{4}WEBP/s.test(head.toString("latin1"))],
];

/** How many bytes at the start of a file are needed to determine its type. */
export const HEAD_BYTES = 12;

/** The MIME type of the image that starts with these bytes, or undefined when models do not accept it. */
export function imageType(head: Buffer): string | undefined {
  return TYPES.find(([, matches]) => matches(head))?.[0];
}
