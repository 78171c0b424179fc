import {
  type Client,
  isSpecType,
  type Prompt,
  type RequestOptions,
  type Resource,
  type ResourceTemplateType,
  UriTemplate,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import type { ContentPart } from "../../shared/contract/message.ts";
import type { McpArgument, McpPrompt, McpResource, McpTemplate } from "../../shared/contract/requests/mcp.ts";
import { plainLine } from "../programs/index.ts";
import { MCP_LIMITS } from "./limits.ts";
import { promptPart, resourceParts } from "./message-parts.ts";

import { contentsOutput } from "./tool-result.ts";

/** Runs a request to the server, and says what happened to the server if that is why it failed. */
type Run = <T>(signal: AbortSignal, send: () => Promise<T>) => Promise<T>;

/** What a server offers users to put into a message. */
export interface Offers {
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
  readonly templates: readonly McpTemplate[];
}

/** Of which prompt or template an argument is. */
export type ArgumentOf = { readonly prompt: string } | { readonly template: string };

type Values = Readonly<Record<string, string>>;

interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly part: ContentPart;
}

/** The prompts and resources of one server. Texts of the server are one line each, without control characters. */
export class ServerOffers {
  readonly #client: Client;
  readonly #run: Run;

  constructor(client: Client, run: Run) {
    this.#client = client;
    this.#run = run;
  }

  /** All that the server offers; what it cannot list, or lists in a way that cannot be used, is left out. */
  async all(signal: AbortSignal): Promise<Offers> {
    const { prompts: hasPrompts, resources: hasResources } = this.#client.getServerCapabilities() ?? {};
    const options = { signal, timeout: MCP_LIMITS.listMs };
    const none = (): readonly never[] => [];
    const [prompts, resources, templates] = await Promise.all([
      hasPrompts ? this.#list("prompts", isSpecType.Prompt, options).catch(none) : [],
      hasResources ? this.#list("resources", isSpecType.Resource, options).catch(none) : [],
      hasResources ? this.#list("templates", isSpecType.ResourceTemplate, options).catch(none) : [],
    ]);
    return {
      prompts: distinct(prompts.flatMap(promptOf), ({ name }) => name),
      resources: distinct(resources.flatMap(resourceOf), ({ uri }) => uri),
      templates: distinct(templates.flatMap(templateOf), ({ template }) => template),
    };
  }

  /** The resources that the server lists, as text. */
  async resourceList(signal: AbortSignal): Promise<string> {
    const options = { signal, timeout: MCP_LIMITS.listMs };
    const resources = await this.#run(signal, () => this.#list("resources", isSpecType.Resource, options));
    const lines = resources.slice(0, MCP_LIMITS.offers).map(({ uri, name, description, mimeType }) => {
      const about = [mimeType, description].filter((part) => part !== undefined).join(", ");
      return `${uri} (${name})${about === "" ? "" : `: ${about}`}`;
    });
    return lines.length === 0 ? "The server lists no resources." : lines.join("\n");
  }

  /** A resource as the output of a tool. */
  async resourceOutput(uri: string, signal: AbortSignal): Promise<unknown> {
    return contentsOutput(await this.#contents(uri, signal));
  }

  /** A resource as parts of a message. @throws Error with a sentence. */
  async resource(uri: string, signal: AbortSignal): Promise<readonly ContentPart[]> {
    const parts = resourceParts(await this.#contents(uri, signal), uri);
    requireSmall(parts, "The resource");
    return parts;
  }

  /** The messages of a prompt. @throws Error with a sentence. */
  async prompt(name: string, values: Values, signal: AbortSignal): Promise<readonly PromptMessage[]> {
    const { messages } = await this.#run(signal, () =>
      this.#client.getPrompt({ name, arguments: { ...values } }, { signal, timeout: MCP_LIMITS.callMs }),
    );
    const shown = messages.slice(0, MCP_LIMITS.promptMessages);
    const parts = shown.map(({ role, content }) => ({ role, part: promptPart(content) }));
    requireSmall(
      parts.map(({ part }) => part),
      "The prompt",
    );
    return parts;
  }

  /** Values of an argument that fit what is typed; none if the server has none. */
  async complete(of: ArgumentOf, argument: string, value: string, given: Values, signal: AbortSignal) {
    if (this.#client.getServerCapabilities()?.completions === undefined) return [];
    const ref =
      "prompt" in of
        ? { type: "ref/prompt" as const, name: of.prompt }
        : { type: "ref/resource" as const, uri: of.template };
    const options = { signal, timeout: MCP_LIMITS.completeMs };
    const { completion } = await this.#run(signal, () =>
      this.#client.complete(
        { ref, argument: { name: argument, value }, context: { arguments: { ...given } } },
        options,
      ),
    );
    const fitting = completion.values.filter((text) => text.length <= MCP_LIMITS.argument && text === plainLine(text));
    return [...new Set(fitting.slice(0, MCP_LIMITS.completions))];
  }

  async #contents(uri: string, signal: AbortSignal) {
    const { contents } = await this.#run(signal, () =>
      this.#client.readResource({ uri }, { signal, timeout: MCP_LIMITS.callMs }),
    );
    return contents;
  }

  /** The items of a list, up to the limit. One that is not as the protocol wants it does not take the others away. */
  async #list<T>(what: keyof typeof LISTS, isItem: (value: unknown) => value is T, options: RequestOptions) {
    const { method, key } = LISTS[what];
    const all: T[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MCP_LIMITS.pages && all.length < MCP_LIMITS.offers; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const { nextCursor, [key]: found } = await this.#client.request({ method, params }, Page, options);
      all.push(...(found ?? []).filter(isItem));
      if (nextCursor === undefined || nextCursor === cursor) break;
      cursor = nextCursor;
    }
    return all.slice(0, MCP_LIMITS.offers);
  }
}

const LISTS = {
  prompts: { method: "prompts/list", key: "prompts" },
  resources: { method: "resources/list", key: "resources" },
  templates: { method: "resources/templates/list", key: "resourceTemplates" },
} as const;

const items = z.array(z.unknown()).optional();
const Page = z.looseObject({
  prompts: items,
  resources: items,
  resourceTemplates: items,
  nextCursor: z.string().optional(),
});

/** The URI of a template with its values. @throws Error with a sentence for one that cannot be filled in. */
export function filledTemplate(template: string, values: Values): string {
  const uri = new UriTemplate(template).expand({ ...values });
  if (uri.length > MCP_LIMITS.uri) throw new Error("The address of the resource is too long. Enter shorter values.");
  return uri;
}

function promptOf({ name, title, description, arguments: given = [] }: Prompt): readonly McpPrompt[] {
  const wanted = given.flatMap((one): McpArgument[] =>
    isName(one.name) ? [{ name: one.name, ...aboutOf(one), required: one.required === true }] : [],
  );
  if (!isName(name) || wanted.length !== given.length || given.length > MCP_LIMITS.arguments) return [];
  return [{ name, ...aboutOf({ title, description }), arguments: wanted }];
}

function resourceOf({ uri, name, title, description, mimeType }: Resource): readonly McpResource[] {
  if (!isUri(uri)) return [];
  return [{ uri, name: named(name, uri), ...aboutOf({ title, description }), ...typeOf(mimeType) }];
}

function templateOf(listed: ResourceTemplateType): readonly McpTemplate[] {
  const { uriTemplate: template, name, title, description, mimeType } = listed;
  const names = isUri(template) ? variablesOf(template) : [];
  if (names.length === 0 || names.length > MCP_LIMITS.arguments || !names.every(isName)) return [];
  const wanted = names.map((one): McpArgument => ({ name: one, required: true }));
  const about = aboutOf({ title, description });
  return [{ template, name: named(name, template), ...about, ...typeOf(mimeType), arguments: wanted }];
}

function variablesOf(template: string): readonly string[] {
  try {
    return [...new Set(new UriTemplate(template).variableNames)];
  } catch {
    return [];
  }
}

const isPlain = (text: string, limit: number): boolean => text !== "" && text.length <= limit && !/\p{C}/u.test(text);
const isName = (name: string): boolean => isPlain(name, MCP_LIMITS.toolName);
const isUri = (uri: string): boolean => isPlain(uri, MCP_LIMITS.uri);

function named(name: string, uri: string): string {
  const plain = plainLine(name).slice(0, MCP_LIMITS.title);
  return plain === "" ? uri.slice(0, MCP_LIMITS.title) : plain;
}

function aboutOf({ title, description }: { title?: string | undefined; description?: string | undefined }) {
  const plainTitle = plainLine(title ?? "").slice(0, MCP_LIMITS.title);
  const plainDescription = plainLine(description ?? "").slice(0, MCP_LIMITS.about);
  return {
    ...(plainTitle === "" ? {} : { title: plainTitle }),
    ...(plainDescription === "" ? {} : { description: plainDescription }),
  };
}

const typeOf = (mimeType: string | undefined): { readonly mimeType?: string } =>
  mimeType === undefined ? {} : { mimeType: plainLine(mimeType).slice(0, MCP_LIMITS.title) };

function distinct<T>(all: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const first = new Map<string, T>();
  for (const one of all) if (!first.has(keyOf(one))) first.set(keyOf(one), one);
  return [...first.values()];
}

/** As files that are attached. */
function requireSmall(parts: readonly ContentPart[], what: string): void {
  const bytes = parts.reduce((sum, part) => sum + (part.type === "text" ? Buffer.byteLength(part.text) : 0), 0);
  if (bytes <= MCP_LIMITS.attached) return;
  const size = Math.ceil(bytes / 1024);
  throw new Error(`${what} has ${size} KB of text, and at most ${MCP_LIMITS.attached / 1024} KB can be sent.`);
}
