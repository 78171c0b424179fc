/** What models call a language whose identifier in VS Code is another. */
const identifiers: Readonly<Record<string, string>> = {
  bash: "shellscript",
  "c#": "csharp",
  "c++": "cpp",
  cs: "csharp",
  docker: "dockerfile",
  golang: "go",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  patch: "diff",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  shell: "shellscript",
  text: "plaintext",
  ts: "typescript",
  tsx: "typescriptreact",
  txt: "plaintext",
  vb: "vb",
  yml: "yaml",
  zsh: "shellscript",
};

/**
 * The language of code that a message calls `name`, such as `js`.
 * @param known the languages that VS Code has.
 * @returns `plaintext` for one that it has not.
 */
export function languageIdentifier(name: string, known: readonly string[]): string {
  const wanted = name.toLowerCase();
  const identifier = Object.hasOwn(identifiers, wanted) ? (identifiers[wanted] ?? wanted) : wanted;
  return known.includes(identifier) ? identifier : "plaintext";
}
