import { basename, dirname } from "node:path/posix";
import { asText } from "../definition/unchecked-json.ts";
import { AgentFileError, readFrontMatter } from "./front-matter.ts";

/** A skill: what it is for. Its instructions are read by the model when it needs them. */
export interface SkillFile {
  readonly name: string;
  readonly description: string;
  /** Its `SKILL.md`, as `readFile` finds it. */
  readonly path: string;
}

/** The longest description that models are shown, in characters. */
const MAX_DESCRIPTION = 1_024;

/** @throws AgentFileError for a skill without a description. */
export function readSkill(path: string, text: string): SkillFile {
  const { fields, lineOf } = readFrontMatter(text);
  const description = asText(fields["description"])?.replace(/\s+/g, " ").trim() ?? "";
  if (description === "") throw new AgentFileError("has no description; say in its fields what it is for");
  const name = asText(fields["name"]) ?? basename(dirname(path));
  if (name.length > 100) throw new AgentFileError("has a name of more than 100 characters", lineOf("name"));
  return { name: name.replace(/\s+/g, " "), description: description.slice(0, MAX_DESCRIPTION), path };
}

/** What a model is told of skills. */
export const skillsText = (skills: readonly SkillFile[]): string =>
  [
    "You have skills: instructions for certain tasks. When a task calls for one, read its file with readFile first, and " +
      "follow it. Paths in it are relative to its folder.",
    ...skills.map(({ name, description, path }) => `- ${name} (${path}): ${description}`),
  ].join("\n");
