/** Notes on the fields of a question about a program, which are the params of `programs/allow`. */
export const PROGRAM_NOTES = {
  use: "What the program is used as.",
  name: "Its name in the file that asks for it.",
  from: "The URI of that file; left out for the user's own settings.",
  start:
    "What would be started, without a shell and in that absolute folder, with the variables that it gets besides the usual ones, as `NAME=value`. For a server elsewhere: its address, with headers as `NAME: value`. Values are as the file has them, with the user's own variables and secrets not filled in.",
  digest: "Of everything that decides what runs, values included. Another digest is another program.",
};
