import type { WordingProblem } from "./banned-words.ts";

/** The maximum width of a comment or a line of a document. Biome wraps code at 120 columns and does not wrap comments. */
const widest = 125;

/** The comments of a source file that are too wide. */
export function wideComments(source: string): WordingProblem[] {
  return wideLines(source, (line) => /^\s*(\/\/|\/\*|\*)/.test(line) || /\s\/\/ /.test(line));
}

/** The lines of a Markdown document that are too wide; tables, images and code cannot be wrapped. */
export function wideProse(document: string): WordingProblem[] {
  const withoutCode = document.replace(/^( *)```[\s\S]*?^\1```/gm, (block) => block.replace(/[^\n]/g, ""));
  return wideLines(withoutCode, (line) => !/^\s*(\||!\[|<)/.test(line));
}

function wideLines(text: string, counts: (line: string) => boolean): WordingProblem[] {
  return text.split("\n").flatMap((content, index) => {
    if (content.length <= widest || !counts(content)) return [];
    return [{ line: index + 1, problem: `${content.length} columns wide: wrap it at ${widest}` }];
  });
}
