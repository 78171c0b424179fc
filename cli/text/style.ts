/** Writes text in colours and weights of the terminal's own theme, or as it is. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  /** The colour of the participant with that place in the team. */
  readonly speaker: (at: number, text: string) => string;
}

const sgr =
  (start: string, end: string) =>
  (text: string): string =>
    text === "" ? "" : `\u001b[${start}m${text}\u001b[${end}m`;

const same = (text: string): string => text;

const PLAIN: Style = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  speaker: (_, text) => text,
};

/** Cyan, magenta, blue, green, yellow and their bright forms; red is for what went wrong. */
const SPEAKERS = ["36", "35", "34", "32", "33", "96", "95", "94", "92", "93"];

const COLOURED: Style = {
  bold: sgr("1", "22"),
  dim: sgr("2", "22"),
  red: sgr("31", "39"),
  green: sgr("32", "39"),
  yellow: sgr("33", "39"),
  speaker: (at, text) => sgr(`1;${SPEAKERS[at % SPEAKERS.length]}`, "22;39")(text),
};

/** Colours unless the output is no terminal, or the user wants none (https://no-color.org). */
export function styleFor(
  output: { readonly isTTY?: boolean },
  { noColor, variables }: { readonly noColor: boolean; readonly variables: NodeJS.ProcessEnv },
): Style {
  const wanted = !noColor && (variables["NO_COLOR"] ?? "") === "" && variables["TERM"] !== "dumb";
  return wanted && output.isTTY === true ? COLOURED : PLAIN;
}
