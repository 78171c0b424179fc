import type { WrittenLines } from "../../shared/contract/edits.ts";

/** Lines that follow each other and that one participant wrote, also in several tool calls. */
export interface AuthorBlock {
  readonly line: number;
  readonly lines: number;
  readonly participant: string;
}

/** Marks beyond this line are left out: each costs. */
const MAX_LINE = 10_000;
/** So many blocks are marked in one file. */
const MAX_BLOCKS = 2000;

export function authorBlocks(written: readonly WrittenLines[]): readonly AuthorBlock[] {
  const blocks: AuthorBlock[] = [];
  for (const { line, lines, participant } of written) {
    if (line >= MAX_LINE) break;
    const shown = Math.min(lines, MAX_LINE - line);
    const last = blocks.at(-1);
    if (last?.participant === participant && last.line + last.lines === line)
      blocks[blocks.length - 1] = { ...last, lines: last.lines + shown };
    else if (blocks.length === MAX_BLOCKS) break;
    else blocks.push({ line, lines: shown, participant });
  }
  return blocks;
}

/** The lines among which this one is. */
export const writtenAt = (written: readonly WrittenLines[], line: number): WrittenLines | undefined =>
  written.find((each) => line >= each.line && line < each.line + each.lines);
