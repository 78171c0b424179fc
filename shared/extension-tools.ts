/** Begins the names by which teams name the tools of the editor's extensions. */
export const EXTENSION_TOOL = "vscode/";

/** What follows in such a name. */
export const EXTENSION_TOOL_NAME = /^[\w-]{1,200}$/;
