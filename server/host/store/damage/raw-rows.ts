import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { SQLOutputValue } from "node:sqlite";

/** A row as it is in the file. `rowid` is undefined in a table without one. */
export interface RawRow {
  readonly rowid: number | undefined;
  readonly values: readonly SQLOutputValue[];
}

/** SQLite's kinds of pages with rows (sqlite.org/fileformat2.html). */
const TABLE_LEAF = 0x0d;
const KEYED_LEAF = 0x0a;
const KEYED_INTERIOR = 0x02;

/**
 * The rows on all pages of a database file that still look like pages of rows, whatever else in the file is damaged. Rows
 * are not checked: the caller has to know by a checksum that one is what was written.
 */
export function* rawRows(path: string, pageSize: number): Generator<RawRow, void, undefined> {
  const file = openSync(path, "r");
  try {
    const pages = new Pages(file, pageSize);
    const free = freePages(pages);
    for (let number = 1; number <= pages.count; number++) if (!free.has(number)) yield* rowsOf(pages, number);
  } finally {
    closeSync(file);
  }
}

class Pages {
  readonly size: number;
  readonly count: number;
  readonly #file: number;

  constructor(file: number, size: number) {
    this.#file = file;
    this.size = size;
    this.count = Math.floor(fstatSync(file).size / size);
  }

  read(number: number): Buffer {
    const page = Buffer.alloc(this.size);
    if (number < 1 || number > this.count) throw new RangeError(`There is no page ${number}.`);
    readSync(this.#file, page, 0, this.size, (number - 1) * this.size);
    return page;
  }
}

/** The pages whose rows are deleted. */
function freePages(pages: Pages): ReadonlySet<number> {
  const free = new Set<number>();
  try {
    for (let trunk = pages.read(1).readUInt32BE(32); trunk !== 0 && !free.has(trunk); ) {
      free.add(trunk);
      const page = pages.read(trunk);
      const leaves = Math.min(page.readUInt32BE(4), pages.size / 4 - 2);
      for (let leaf = 0; leaf < leaves; leaf++) free.add(page.readUInt32BE(8 + 4 * leaf));
      trunk = page.readUInt32BE(0);
    }
  } catch {
    // The list is damaged; what was read of it is used.
  }
  return free;
}

function* rowsOf(pages: Pages, number: number): Generator<RawRow, void, undefined> {
  const page = pages.read(number);
  const head = number === 1 ? 100 : 0;
  const kind = page[head];
  if (kind !== TABLE_LEAF && kind !== KEYED_LEAF && kind !== KEYED_INTERIOR) return;
  const pointers = head + (kind === KEYED_INTERIOR ? 12 : 8);
  const cells = Math.min(page.readUInt16BE(head + 3), Math.floor((pages.size - pointers) / 2));
  for (let cell = 0; cell < cells; cell++) {
    const row = rowAt(pages, page, page.readUInt16BE(pointers + 2 * cell), kind);
    if (row !== undefined) yield row;
  }
}

/** Undefined for a cell that is damaged. */
function rowAt(pages: Pages, page: Buffer, at: number, kind: number): RawRow | undefined {
  try {
    const start = kind === KEYED_INTERIOR ? at + 4 : at;
    const [length, afterLength] = varint(page, start);
    const [rowid, from] = kind === TABLE_LEAF ? varint(page, afterLength) : [undefined, afterLength];
    return { rowid, values: valuesIn(payload(pages, page, from, length, kind)) };
  } catch {
    return undefined;
  }
}

/** The bytes of a row, of which long ones continue on other pages. */
function payload(pages: Pages, page: Buffer, from: number, length: number, kind: number): Buffer {
  const most = kind === TABLE_LEAF ? pages.size - 35 : Math.floor(((pages.size - 12) * 64) / 255) - 23;
  if (length <= most) return page.subarray(from, from + length);
  if (length > pages.count * pages.size) throw new RangeError("The row is longer than the file.");
  const least = Math.floor(((pages.size - 12) * 32) / 255) - 23;
  const rest = least + ((length - least) % (pages.size - 4));
  const here = rest <= most ? rest : least;
  const parts = [page.subarray(from, from + here)];
  let missing = length - here;
  for (let next = page.readUInt32BE(from + here); missing > 0; ) {
    const more = pages.read(next);
    parts.push(more.subarray(4, 4 + Math.min(missing, pages.size - 4)));
    missing -= pages.size - 4;
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function valuesIn(record: Buffer): SQLOutputValue[] {
  const [headEnd, first] = varint(record, 0);
  const values: SQLOutputValue[] = [];
  let at = headEnd;
  for (let place = first; place < headEnd; ) {
    const [type, next] = varint(record, place);
    place = next;
    const size = sizeOf(type);
    if (at + size > record.length) throw new RangeError("The row is cut.");
    values.push(valueIn(type, record.subarray(at, at + size)));
    at += size;
  }
  return values;
}

const INTEGER_SIZES: readonly number[] = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function sizeOf(type: number): number {
  return type >= 12 ? Math.floor((type - 12) / 2) : (INTEGER_SIZES[type] ?? Number.POSITIVE_INFINITY);
}

function valueIn(type: number, bytes: Buffer): SQLOutputValue {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  return type % 2 === 0 ? new Uint8Array(bytes) : bytes.toString("utf8");
}

/** A number of one to nine bytes, and where it ends. */
function varint(bytes: Buffer, from: number): [value: number, end: number] {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  return [value * 256 + bytes.readUInt8(from + 8), from + 9];
}
