/** A command's name in lower case, without its folder and extension. */
export const commandName = (text: string): string =>
  (text.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
