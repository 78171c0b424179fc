import type { MemoryDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { Turn } from "./participant.ts";

/** What a participant knows besides the conversation (AutoGen's Memory). */
export interface Memory {
  /**
   * Texts to show the participant's model in this turn. Called whenever a turn starts or continues. What it throws ends the
   * run.
   */
  recall(turn: Turn): Promise<readonly string[]>;
}

/** Reads a memory file. @throws Error with the reason when it cannot be read. */
export type ReadMemoryFile = (file: string) => Promise<string>;

/** The memory of a definition: its notes, and the current content of its files. */
export function memoryFromDefinition(
  { notes = [], files = [] }: MemoryDefinition,
  read: ReadMemoryFile | undefined,
): Memory {
  return {
    recall: async () => [...notes, ...(await Promise.all(files.map((file) => fileText(file, read))))],
  };
}

/** The content of a file. If it cannot be read, the model gets a sentence that says why. */
async function fileText(file: string, read: ReadMemoryFile | undefined): Promise<string> {
  if (read === undefined) return `The file ${file} cannot be read here.`;
  try {
    return `The file ${file}:\n${await read(file)}`;
  } catch (error) {
    return `The file ${file} could not be read: ${messageOf(error)}`;
  }
}

/** Instructions followed by what is recalled and by the participant's own notes. */
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
