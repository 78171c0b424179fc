/** The tool that runs a command line. */
export const RUN_COMMAND = "runCommand";

/** The tool that reads the output of a background command, or stops it. */
export const COMMAND_OUTPUT = "commandOutput";
