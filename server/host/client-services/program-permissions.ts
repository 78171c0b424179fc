import { createHash } from "node:crypto";
import { ProgramsAllow } from "../../../shared/contract/client-requests.ts";
import { MAX_COMMAND_TEXT, type ProgramQuestion } from "../../../shared/contract/program.ts";
import type { ClientRequests } from "./client-requests.ts";
import { SharedQuestions } from "./shared-questions.ts";
import type { UserConsent } from "./user-consent.ts";

/** A program or a server elsewhere, as the file has it. */
type ProgramStart =
  | {
      readonly command: string;
      readonly args: readonly string[];
      /** Absolute. */
      readonly folder: string;
      /** As the file has them: a value may have a placeholder for a secret, which is filled in later. */
      readonly environment: Readonly<Record<string, string>>;
    }
  | {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** As the file has it: the secret may be a placeholder. */
      readonly oauth?: { readonly clientId: string; readonly clientSecret?: string | undefined } | undefined;
    };

export interface WantedProgram {
  readonly use: ProgramQuestion["use"];
  readonly name: string;
  /** The URI of the file that asks for it; left out for the user's own settings. */
  readonly from?: string | undefined;
  readonly start: ProgramStart;
}

/** Which programs may be started, and which no longer. */
export interface AllowedPrograms extends Pick<ProgramPermissions, "isAllowed"> {
  /** Calls `listener` with the digest of a program that is no longer allowed; the returned function ends that. */
  onForgotten(listener: (digest: string) => void): () => void;
}

/**
 * Which programs the user allows to be started, as the client says: it is asked once for each. A refusal is not remembered.
 * What is allowed is exactly one command, with its arguments, folder and variables, for the file that asks for it.
 */
export class ProgramPermissions {
  readonly #client: ClientRequests;
  readonly #questions: SharedQuestions;

  constructor(client: ClientRequests, consent: UserConsent) {
    this.#client = client;
    this.#questions = new SharedQuestions(consent);
  }

  /**
   * The result for an aborted signal is false.
   * @throws Error for a command that is too long to be shown, and the error of a client that cannot ask.
   */
  async isAllowed(program: WantedProgram, signal: AbortSignal): Promise<boolean> {
    const question = questionOf(program);
    return this.#questions.isAllowed(
      question.digest,
      signal,
      async (asked) => (await this.#client.send(ProgramsAllow, question, asked)).allowed,
    );
  }

  /** It is no longer allowed. */
  forget(digest: string): void {
    this.#questions.forget(digest);
  }
}

/** What decides what runs, as one text of fixed length. */
export function programDigest({ use, name, from, start }: WantedProgram): string {
  const parts =
    "url" in start
      ? [start.url, sorted(start.headers), ...(start.oauth === undefined ? [] : [clientText(start.oauth)])]
      : [start.command, start.args, start.folder, sorted(start.environment)];
  return createHash("sha256")
    .update(JSON.stringify([use, name, from ?? null, parts]))
    .digest("base64url");
}

function questionOf(program: WantedProgram): ProgramQuestion {
  const { use, name, from, start } = program;
  const asked = { use, name, ...(from === undefined ? {} : { from }), digest: programDigest(program) };
  if ("url" in start) {
    const headers = lines(start.headers, ": ");
    const client = start.oauth === undefined ? {} : { oauthClient: clientText(start.oauth) };
    assertShowable([start.url, ...headers, ...Object.values(client)], `address and headers of "${name}"`);
    return { ...asked, start: { url: start.url, headers, ...client } };
  }
  const { command, args, folder } = start;
  const environment = lines(start.environment, "=");
  assertShowable([command, ...args, ...environment], `command and variables of "${name}"`);
  return { ...asked, start: { command, args: [...args], folder, environment } };
}

function assertShowable(texts: readonly string[], what: string): void {
  if (texts.join(" ").length <= MAX_COMMAND_TEXT) return;
  const limit = MAX_COMMAND_TEXT.toLocaleString("en-US");
  throw new Error(`The ${what} have more than ${limit} characters, which cannot be shown; shorten them.`);
}

const clientText = ({
  clientId,
  clientSecret,
}: {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}) => (clientSecret === undefined ? clientId : `${clientId}, with the secret ${clientSecret}`);

const lines = (values: Readonly<Record<string, string>>, is: string): string[] =>
  Object.entries(values).map(([name, value]) => `${name}${is}${value}`);

const sorted = (values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
