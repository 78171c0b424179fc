/** A part of a picture that replaces what was there before. */
export interface Frame {
  /** A still WebP picture. */
  readonly webp: Uint8Array;
  /** Where its upper left corner is, in pixels: even numbers. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How long it is shown, in milliseconds. */
  readonly duration: number;
}

/**
 * A WebP file that plays the frames in a loop (WebP Container Specification, "Animation"): Chromium makes still pictures
 * only.
 */
export function animatedWebp(width: number, height: number, frames: readonly Frame[]): Uint8Array {
  const ANIMATED = 0x02;
  const extended = chunk("VP8X", [[ANIMATED, 0, 0, 0], int24(width - 1), int24(height - 1)]);
  const endless = chunk("ANIM", [
    [255, 255, 255, 255],
    [0, 0],
  ]);
  const body = Buffer.concat([Buffer.from("WEBP"), extended, endless, ...frames.map(frameChunk)]);
  return Buffer.concat([Buffer.from("RIFF"), int32(body.length), body]);
}

function frameChunk({ webp, x, y, width, height, duration }: Frame): Buffer {
  const WITHOUT_BLENDING = 0x02;
  return chunk("ANMF", [
    int24(x / 2),
    int24(y / 2),
    int24(width - 1),
    int24(height - 1),
    int24(duration),
    [WITHOUT_BLENDING],
    bitstream(webp),
  ]);
}

/** The chunk of a still picture that holds its pixels. @throws when it has none. */
function bitstream(webp: Uint8Array): Buffer {
  const file = Buffer.from(webp);
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString("latin1", at, at + 4);
    const end = at + 8 + file.readUInt32LE(at + 4);
    if (name === "VP8 " || name === "VP8L") return padded(file.subarray(at, end));
    at = end + (end % 2);
  }
  throw new Error("The picture has no VP8 chunk.");
}

function chunk(name: string, parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return padded(Buffer.concat([Buffer.from(name), int32(content.length), content]));
}

const padded = (bytes: Buffer): Buffer => (bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]));

const int24 = (value: number): readonly number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255];

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
