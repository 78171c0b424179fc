/** That there is no such program, as a sentence. */
export const missingProgram = (name: string, command: string): string =>
  `${name} cannot start: there is no program "${command}"; install it, or correct \`command\` in the team file.`;
