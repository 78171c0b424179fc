/** The file name for a drafted team, without an ending: by the name of the team. The text is a model's, of any length. */
export function draftName(text: string): string {
  const [, name = ""] = /^name:(.{0,200})/m.exec(text) ?? [];
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
  return plain === "" ? "team" : plain;
}
