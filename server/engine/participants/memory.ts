import type { MemoryDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { Turn } from "./participant.ts";

/** What a participant knows beside the conversation (AutoGen's Memory). */
export interface Memory {
  /**
   * Texts that its model is to have in mind in this turn. Asked once each time that a turn begins or continues. What it
   * throws ends the run.
   */
  recall(turn: Turn): Promise<readonly string[]>;
}

/** Reads a file for a memory. @throws Error that says why it cannot be read. */
export type ReadMemoryFile = (file: string) => Promise<string>;

/** The memory that a definition describes: its notes, and its files as they are at that time. */
export function memoryFromDefinition(
  { notes = [], files = [] }: MemoryDefinition,
  read: ReadMemoryFile | undefined,
): Memory {
  return {
    recall: async () => [...notes, ...(await Promise.all(files.map((file) => fileText(file, read))))],
  };
}

/** A file that cannot be read is no reason to say nothing: the model is told, and continues without it. */
async function fileText(file: string, read: ReadMemoryFile | undefined): Promise<string> {
  if (read === undefined) return `The file ${file} cannot be read here.`;
  try {
    return `The file ${file}:\n${await read(file)}`;
  } catch (error) {
    return `The file ${file} could not be read: ${messageOf(error)}`;
  }
}

/** Instructions with what is remembered, and with what the participant has noted itself. */
export function instructionsWithMemory(
  instructions: string,
  recalled: readonly string[],
  noted: readonly string[],
): string {
  const parts = [
    instructions,
    recalled.length === 0 ? "" : `Relevant memory:\n\n${recalled.join("\n\n")}`,
    noted.length === 0 ? "" : `Your notes:\n${noted.map((note) => `- ${note}`).join("\n")}`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
