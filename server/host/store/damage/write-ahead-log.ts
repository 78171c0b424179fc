import { existsSync, readFileSync } from "node:fs";

/**
 * SQLite's write-ahead log (sqlite.org/walformat.html). SQLite reads it up to the first frame that is damaged, and says
 * nothing of what follows.
 */
export interface WriteAheadLog {
  readonly pageSize: number;
  /** The pages of the commits that SQLite reads, in the order in which they were written. */
  readonly pages: readonly { readonly number: number; readonly bytes: Buffer }[];
  /** True when commits were in it that cannot be read any more. */
  readonly isDamaged: boolean;
}

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/** The log beside the database at `path`; undefined when there is none, and none is missing. */
export function readWriteAheadLog(path: string): WriteAheadLog | undefined {
  const index = readIndex(`${path}-shm`);
  const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0);
  if (log.length === 0)
    return index === undefined || index.copied >= index.frames
      ? undefined
      : { pageSize: 0, pages: [], isDamaged: true };
  if (log.length < HEADER || !isHeaderIntact(log)) return { pageSize: 0, pages: [], isDamaged: true };
  const pageSize = log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  const [read, written] = framesOf(log, pageSize, salts);
  const told = index?.salts.equals(salts) ? index.frames : 0;
  const isCut = (log.length - HEADER) % (FRAME_HEADER + pageSize) !== 0;
  return { pageSize, pages: pagesOf(log, pageSize, read), isDamaged: isCut || Math.max(written, told) > read };
}

/** How many frames SQLite reads, up to the last commit, and how many were written, as far as the log itself shows. */
function framesOf(log: Buffer, pageSize: number, salts: Buffer): [read: number, written: number] {
  const size = FRAME_HEADER + pageSize;
  const isLittleEndian = log.readUInt32BE(0) === MAGIC;
  let sums: Sums = [log.readUInt32BE(24), log.readUInt32BE(28)];
  let isIntact = true;
  let [read, written] = [0, 0];
  for (let at = HEADER, frame = 1; at + size <= log.length; at += size, frame++) {
    // Frames of an earlier log, which are not overwritten yet, have other salts.
    const isOfThisLog = log.subarray(at + 8, at + 16).equals(salts);
    if (isIntact) {
      sums = added(sums, log.subarray(at, at + 8), isLittleEndian);
      sums = added(sums, log.subarray(at + FRAME_HEADER, at + size), isLittleEndian);
      isIntact = isOfThisLog && sums[0] === log.readUInt32BE(at + 16) && sums[1] === log.readUInt32BE(at + 20);
    }
    const isCommit = log.readUInt32BE(at + 4) !== 0;
    if (isCommit && isOfThisLog) written = frame;
    if (isCommit && isIntact) read = frame;
  }
  return [read, written];
}

function pagesOf(log: Buffer, pageSize: number, frames: number): WriteAheadLog["pages"] {
  const size = FRAME_HEADER + pageSize;
  return Array.from({ length: frames }, (_, frame) => {
    const at = HEADER + frame * size;
    return { number: log.readUInt32BE(at), bytes: log.subarray(at + FRAME_HEADER, at + size) };
  });
}

type Sums = readonly [number, number];

function isHeaderIntact(log: Buffer): boolean {
  const magic = log.readUInt32BE(0);
  const [first, second] = added([0, 0], log.subarray(0, 24), magic === MAGIC);
  return (magic | 1) === (MAGIC | 1) && first === log.readUInt32BE(24) && second === log.readUInt32BE(28);
}

/** The running checksum after more bytes, whose number is divisible by 8. */
function added([first, second]: Sums, bytes: Buffer, isLittleEndian: boolean): Sums {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) + b) >>> 0;
    b = (b + (isLittleEndian ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

/** What the index of the log (`-shm`) says: how many frames the log has, and how many are copied into the database. */
function readIndex(path: string): { frames: number; copied: number; salts: Buffer } | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path).subarray(0, 136);
  // The header is there twice, and is being changed while the two differ.
  if (bytes.length < 136 || bytes[12] !== 1 || !bytes.subarray(0, 48).equals(bytes.subarray(48, 96))) return undefined;
  const read = (at: number): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, IS_LITTLE_ENDIAN);
  return { frames: read(16), copied: read(96), salts: bytes.subarray(32, 40) };
}

/** The index has the byte order of the machine. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
