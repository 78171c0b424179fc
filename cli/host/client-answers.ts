import type { MessageConnection } from "vscode-jsonrpc/node";
import * as z from "zod";
import { CredentialsGet, EndpointsAllow, ProgramsAllow } from "../../shared/contract/client-requests.ts";
import type { ProgramQuestion } from "../../shared/contract/program.ts";

/** Where messages would be sent and, if it is named, a key. */
export interface EndpointAsked {
  readonly origin: string;
  readonly secret?: string | undefined;
  /** The participant that is there; left out for a model. */
  readonly agent?: string | undefined;
}

/** What the host asks of its client. */
export interface ClientAnswers {
  /** A key, or null if the user has none or refuses. */
  key(secret: string, asked: Omit<EndpointAsked, "secret">): Promise<string | null>;
  allowsEndpoint(asked: EndpointAsked): Promise<boolean>;
  /** Whether a program that a file asks for may be started. */
  allowsProgram(question: ProgramQuestion): Promise<boolean>;
  /** The value of a setting of the editor; null for its default. */
  setting(section: string): unknown;
  /** Shows a sentence of the host. */
  tell(kind: MessageKind, message: string): void;
}

export type MessageKind = "error" | "warning" | "info";

/** The Language Server Protocol's `window/showMessage`; 1 is an error, 2 a warning. */
const ShowMessage = z.object({ type: z.number(), message: z.string() });
const Configuration = z.object({ items: z.array(z.object({ section: z.string().optional() })) });

/** Answers the host's requests. What is not answered here, such as open documents, a command line does not have. */
export function registerAnswers(connection: MessageConnection, answers: ClientAnswers): void {
  const tell = (params: unknown): void => {
    const { type, message } = ShowMessage.parse(params);
    answers.tell(type === 1 ? "error" : type === 2 ? "warning" : "info", message);
  };
  connection.onRequest(CredentialsGet.method, async (params: unknown) => {
    const { secret, ...asked } = CredentialsGet.params.parse(params);
    return { value: await answers.key(secret, asked) };
  });
  connection.onRequest(EndpointsAllow.method, async (params: unknown) => ({
    allowed: await answers.allowsEndpoint(EndpointsAllow.params.parse(params)),
  }));
  connection.onRequest(ProgramsAllow.method, async (params: unknown) => ({
    allowed: await answers.allowsProgram(ProgramsAllow.params.parse(params)),
  }));
  connection.onRequest("workspace/configuration", (params: unknown) =>
    Configuration.parse(params).items.map(({ section }) => answers.setting(section ?? "") ?? null),
  );
  connection.onNotification("window/showMessage", tell);
  // A question of the host is about its storage: no one else can answer it, and it tries again by itself.
  connection.onRequest("window/showMessageRequest", (params: unknown) => {
    tell(params);
    return null;
  });
}
