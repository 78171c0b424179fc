import { type CancellationToken, window } from "vscode";
import type { ContentPart } from "../../shared/contract/message.ts";
import type { ResultOf } from "../../shared/contract/message-type.ts";
import {
  type McpArgument,
  McpComplete,
  McpGetPrompt,
  McpOffers,
  McpReadResource,
  type McpServerOffers,
} from "../../shared/contract/requests.ts";
import { textTokens } from "../../shared/tokens.ts";
import type { Attachment } from "../common/attachments.ts";
import type { ServerResource } from "../common/page-messages.ts";
import { plainText } from "../common/plain-text.ts";
import { completedStep } from "../dialogs/completed-step.ts";
import { withLateCancel } from "../dialogs/progress.ts";
import { askSteps, BACK, type StepAnswer, type StepPlace, textStep } from "../dialogs/steps.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";

type Values = Readonly<Record<string, string>>;
type PromptMessages = ResultOf<typeof McpGetPrompt>["messages"];

/** What a resource becomes in a message: text that is read again when it is sent, and images. */
export interface FoundResource {
  readonly text?: Attachment;
  readonly images: readonly string[];
}

/** What MCP servers offer users to put into messages: prompts and resources. */
export class ServerContext {
  readonly #host: Pick<HostProcess, "request">;
  readonly #documents: ReadOnlyDocuments;

  constructor(host: Pick<HostProcess, "request">, documents: ReadOnlyDocuments) {
    this.#host = host;
    this.#documents = documents;
  }

  /** What the servers of a team offer, or without one those of the workspace and the user. None is started. */
  async offers(teamId: string | undefined): Promise<readonly McpServerOffers[]> {
    return (await this.#host.request(McpOffers, teamId === undefined ? {} : { teamId })).servers;
  }

  /** The messages of a prompt, for whose arguments the user is asked; undefined when they were not given. */
  async prompt(teamId: string | undefined, server: string, name: string): Promise<PromptMessages | undefined> {
    const found = await this.#server(teamId, server);
    const prompt = found?.prompts.find((one) => one.name === name);
    if (found === undefined || prompt === undefined)
      throw new Error(
        `The prompt ${name} is no longer offered. Run "Gavel: MCP Servers…" to see whether its server runs.`,
      );
    const title = `Prompt ${prompt.title ?? name} of ${found.name}`;
    const values = await this.#ask(title, server, { prompt: name }, prompt.arguments);
    if (values === undefined) return undefined;
    const params = { server, prompt: name, arguments: { ...values } };
    const wait = (token: CancellationToken) => this.#host.request(McpGetPrompt, params, token);
    return (await withLateCancel(`Getting the prompt ${name}`, wait)).messages;
  }

  /** Reads a resource to attach it; the user is asked for what its address needs. Undefined when that was not given. */
  async find(teamId: string | undefined, wanted: ServerResource): Promise<FoundResource | undefined> {
    const { server } = wanted;
    const found = await this.#server(teamId, server);
    const serverName = found?.name ?? "MCP server";
    if (wanted.template === undefined) {
      const listed = found?.resources.find((one) => one.uri === wanted.uri);
      const { uri = "" } = wanted;
      return this.#found(server, listed?.title ?? listed?.name ?? uri, { uri });
    }
    const template = found?.templates.find((one) => one.template === wanted.template);
    if (template === undefined) throw new Error("The resource is no longer offered by its MCP server.");
    const title = `Resource ${template.title ?? template.name} of ${serverName}`;
    const of = { template: template.template };
    const values = await this.#ask(title, server, of, template.arguments);
    if (values === undefined) return undefined;
    return this.#found(server, undefined, { ...of, arguments: { ...values } });
  }

  /** The content of an attached resource, as it is now. @throws Error with a sentence. */
  async read({ server = "", uri = "", name }: Attachment): Promise<readonly ContentPart[]> {
    const { parts } = await this.#host.request(McpReadResource, { server, resource: { uri } });
    const texts = parts.filter((part) => part.type === "text");
    return texts.map((part) => ({
      ...part,
      resource: { kind: "resource", name: texts.length === 1 ? name : (part.resource?.uri ?? name), uri },
    }));
  }

  /** Shows the content of an attached resource, as it is now. */
  async show(server: string, uri: string): Promise<void> {
    const { parts } = await this.#host.request(McpReadResource, { server, resource: { uri } });
    const text = parts.map((part) => (part.type === "text" ? part.text : "[Image]")).join("\n");
    const name =
      uri
        .replace(/[?#].*$/s, "")
        .split("/")
        .at(-1) || "Resource";
    await window.showTextDocument(this.#documents.put(name, `${server}#${uri}`, text));
  }

  async #server(teamId: string | undefined, id: string): Promise<McpServerOffers | undefined> {
    return (await this.offers(teamId)).find(({ server }) => server === id);
  }

  async #found(
    server: string,
    known: string | undefined,
    resource: { readonly uri: string } | { readonly template: string; readonly arguments: Record<string, string> },
  ): Promise<FoundResource> {
    const { uri, parts } = await this.#host.request(McpReadResource, { server, resource });
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const images = parts.flatMap((part) => (part.type === "image" ? [part.uri] : []));
    if (texts.length === 0) return { images };
    const name = (known ?? uri).slice(0, 1000);
    const tokens = texts.reduce((sum, text) => sum + textTokens(text), 0);
    return { images, text: { key: `resource:${server}#${uri}`, kind: "resource", name, uri, server, tokens } };
  }

  /** Asks for each argument in its own step, with the values that the server has for it. */
  async #ask(
    title: string,
    server: string,
    of: { readonly prompt: string } | { readonly template: string },
    wanted: readonly McpArgument[],
  ): Promise<Values | undefined> {
    const values = new Map<string, string>();
    const done = await askSteps(() =>
      wanted.map((argument) => async (place): Promise<StepAnswer<true>> => {
        const { name } = argument;
        const complete = async (value: string): Promise<readonly string[]> => {
          const given = Object.fromEntries([...values].filter(([other]) => other !== name));
          return (await this.#host.request(McpComplete, { server, of, argument: name, value, given })).values;
        };
        const step = { ...place, title: plainText(title) };
        const answer = await askArgument(argument, values.get(name) ?? "", step, complete);
        if (answer === undefined || answer === BACK) return answer;
        if (answer === "") values.delete(name);
        else values.set(name, answer);
        return true;
      }),
    );
    return done ? Object.fromEntries(values) : undefined;
  }
}

async function askArgument(
  { name, title = name, description, required }: McpArgument,
  value: string,
  step: StepPlace & { readonly title: string },
  complete: (value: string) => Promise<readonly string[]>,
): Promise<StepAnswer<string>> {
  const prompt = `${title}${required ? "" : " (optional)"}${description === undefined ? "" : `: ${description}`}`;
  const first = await complete("").catch(() => []);
  if (first.length > 0)
    return completedStep({ ...step, placeholder: plainText(prompt), value, first, optional: !required, complete });
  const problemOf = (text: string): string | undefined => (required && text === "" ? "Enter a value." : undefined);
  return textStep({ ...step, prompt, value, problemOf });
}
