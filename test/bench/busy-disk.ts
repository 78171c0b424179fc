import { open } from "node:fs/promises";
import { join } from "node:path";

/**
 * A process that keeps a disk busy until its parent is gone: it writes files of the folder in its argument over and over,
 * several at once, and waits for the disk after each megabyte. It says when it has begun.
 */
const FILES = 4;
const BLOCK = Buffer.alloc(1024 * 1024, "x");
/** How many blocks a file has. */
const BLOCKS = 16;

const [, , folder = ""] = process.argv;
process.on("disconnect", () => process.exit());

async function write(path: string): Promise<never> {
  const file = await open(path, "w");
  for (let nth = 0; ; nth++) {
    await file.write(BLOCK, 0, BLOCK.length, (nth % BLOCKS) * BLOCK.length);
    await file.sync();
    if (nth === 0) process.send?.({ isBusy: true });
  }
}

await Promise.all(Array.from({ length: FILES }, (_, nth) => write(join(folder, `${nth}`))));
