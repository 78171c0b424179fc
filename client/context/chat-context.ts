import { DiagnosticSeverity, languages, Uri, window } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ContentPart } from "../../shared/contract/message.ts";
import { FilesFind } from "../../shared/contract/requests.ts";
import { countText } from "../../shared/text/count-text.ts";
import { IMAGE_TOKENS, textTokens } from "../../shared/tokens.ts";
import {
  type Attached,
  type Attachment,
  imageTokens,
  MAX_ATTACHMENTS,
  MAX_SENT_IMAGES,
} from "../common/attachments.ts";
import type { ContextSource, FoundFile, PageContent, ServerResource } from "../common/page-messages.ts";
import { openFolders, type WorkFolders } from "../files/work-folders.ts";
import { requireInWorkspace } from "../files/workspace-file.ts";
import type { HostProcess } from "../host/host-process.ts";
import { checkImage, droppedUri, imageTypeOf, readBase64, readImage, readText, shownPath } from "./attached-file.ts";
import { refusalTexts } from "./not-attached.ts";
import type { PastedFiles } from "./pasted-files.ts";
import { problemsText, type ReportedProblem } from "./problems-text.ts";
import { contentName, promptText } from "./prompt-text.ts";
import { SecretConsent } from "./secret-consent.ts";
import type { ServerContext } from "./server-context.ts";
import type { TerminalOutput } from "./terminal-output.ts";

type Lines = NonNullable<Attachment["lines"]>;

/** What users attach to messages: files, images, the selection, problems and terminal output. */
export class ChatContext {
  readonly #host: Pick<HostProcess, "request">;
  readonly #pasted: PastedFiles;
  readonly #consent: SecretConsent;
  readonly #folders: Pick<WorkFolders, "scratch" | "scratchPath">;
  readonly #terminal: TerminalOutput;
  /** What MCP servers offer. */
  readonly servers: ServerContext;
  /** The images that were attached, which the page may read. */
  readonly #images = new Set<string>();

  /** @param folders has the scratch folders, in which samples and teams without a folder work. */
  constructor(
    host: Pick<HostProcess, "request">,
    pasted: PastedFiles,
    folders: Pick<WorkFolders, "scratch" | "scratchPath">,
    terminal: TerminalOutput,
    servers: ServerContext,
  ) {
    this.servers = servers;
    this.#terminal = terminal;
    this.#folders = folders;
    this.#host = host;
    this.#pasted = pasted;
    this.#consent = new SecretConsent(host);
  }

  /** Files of the folders in which a team works, or of the workspace, by a part of their paths, the best matches first. */
  async find(query: string, teamId?: string): Promise<readonly FoundFile[]> {
    const ofTeam = teamId === undefined ? {} : { teamId };
    return (await this.#host.request(FilesFind, { query, limit: 30, ...ofTeam })).files;
  }

  /** Attaches files by their URIs. A file that may hold secrets is asked about. */
  async attachFiles(uris: readonly (Uri | string)[]): Promise<Attached> {
    const problems: unknown[] = [];
    const files = uris.slice(0, MAX_ATTACHMENTS).flatMap((uri) => {
      try {
        return typeof uri === "string" ? droppedUri(uri) : uri;
      } catch {
        problems.push(new Error("Something that is not a file was not attached."));
        return [];
      }
    });
    const attachments: Attachment[] = [];
    for (const uri of await this.#consent.allowed(files)) {
      try {
        attachments.push(await this.#attachment(uri));
      } catch (error) {
        problems.push(error);
      }
    }
    if (uris.length > MAX_ATTACHMENTS)
      problems.push(new Error(`At most ${MAX_ATTACHMENTS} files can be attached; the first are.`));
    return { attachments, problems: refusalTexts(problems) };
  }

  /** The content of an image that was attached in this window, in base64, or why it cannot be read. Never rejects. */
  async imageContent(uri: string): Promise<{ readonly data: string } | { readonly problem: string }> {
    try {
      if (!this.#images.has(uri)) throw new Error("The image is not attached. Attach it again.");
      return { data: await readBase64(Uri.parse(uri, true)) };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  }

  /** Attaches the selection, the problems or the output of the last command. */
  async attachSource(source: ContextSource): Promise<Attached> {
    try {
      const attachment = source === "selection" ? await this.#selection() : await this.#listed(source);
      return { attachments: attachment === undefined ? [] : [attachment] };
    } catch (error) {
      return { attachments: [], problems: [messageOf(error)] };
    }
  }

  /** Attaches lines of a file. */
  async attachLines(uri: Uri, lines: Lines): Promise<Attached> {
    try {
      const [allowed] = await this.#consent.allowed([uri]);
      return { attachments: allowed === undefined ? [] : [await this.#attachment(uri, lines)] };
    } catch (error) {
      return { attachments: [], problems: [messageOf(error)] };
    }
  }

  /**
   * Attaches a file that the page has the name and the content of; one that may hold secrets is asked about. Of an image the
   * page has the size as well.
   */
  async attachContent({ name, data, size }: PageContent): Promise<Attached> {
    try {
      if (!(await this.#consent.allowsName(name))) return { attachments: [] };
      const attachment = await this.#attachment(await this.#pasted.save(name, data));
      const measured = size === undefined ? {} : { size, tokens: imageTokens(size) };
      return { attachments: [{ ...attachment, name, ...measured }] };
    } catch (error) {
      return { attachments: [], problems: [messageOf(error)] };
    }
  }

  /** Attaches a resource of an MCP server. What of it is an image is attached as it is now. */
  async attachResource(teamId: string | undefined, wanted: ServerResource): Promise<Attached> {
    const found = await this.servers.find(teamId, wanted);
    if (found === undefined) return { attachments: [] };
    const { text, images } = found;
    const attached = await Promise.all(images.map((image) => this.#attachImage(image, wanted.uri ?? "image")));
    return joined([{ attachments: text === undefined ? [] : [text] }, ...attached]);
  }

  /** A prompt of an MCP server as a draft: its text, and what it has beside text. Undefined when it was cancelled. */
  async promptDraft(
    teamId: string | undefined,
    server: string,
    prompt: string,
  ): Promise<{ readonly text: string; readonly attached: Attached } | undefined> {
    const messages = await this.servers.prompt(teamId, server, prompt);
    if (messages === undefined) return undefined;
    const attached = messages.map(({ part }) => {
      if (part.type === "image") return this.#attachImage(part.uri, prompt);
      if (part.resource === undefined) return { attachments: [] };
      const data = Buffer.from(part.text).toString("base64");
      return this.attachContent({ name: contentName(part.resource.name), data });
    });
    return { text: promptText(messages, prompt), attached: joined(await Promise.all(attached)) };
  }

  /** Whether a file is one that was pasted or dropped with its content. */
  isPasted(uri: Uri): boolean {
    return this.#pasted.has(uri);
  }

  /**
   * The content of what is attached, as it is now.
   * @throws Error with a sentence when something cannot be read, or may hold secrets and the user does not let it be sent.
   */
  async read(attachments: readonly Attachment[]): Promise<readonly ContentPart[]> {
    const files = attachments
      .flatMap(({ kind, uri }) =>
        uri === undefined || kind === "terminal" || kind === "resource" ? [] : [Uri.parse(uri, true)],
      )
      // A pasted file was asked about by its own name.
      .filter((uri) => !this.#pasted.has(uri));
    const allowed = await this.#consent.allowed(files);
    const refused = files.find((uri) => !allowed.includes(uri));
    if (refused !== undefined)
      throw new Error(
        `The message was not sent, as "${shownPath(refused)}" may hold secrets. Remove it, then send again.`,
      );
    const parts = (await Promise.all(attachments.map((attachment) => this.#parts(attachment)))).flat();
    requireFewBytes(parts);
    return parts;
  }

  async #attachment(uri: Uri, lines?: Lines): Promise<Attachment> {
    const name = this.#folders.scratchPath(uri) ?? shownPath(uri);
    const at = uri.toString();
    if (lines === undefined && imageTypeOf(uri.path) !== undefined) {
      await checkImage(uri);
      this.#images.add(at);
      return { key: at, kind: "image", name, uri: at, tokens: IMAGE_TOKENS };
    }
    const tokens = textTokens(await readText(uri, lines));
    if (lines === undefined) return { key: at, kind: "file", name, uri: at, tokens };
    return { key: `${at}#${lines.start}-${lines.end}`, kind: "selection", name, uri: at, lines, tokens };
  }

  /** Attaches an image that is a data URI. */
  async #attachImage(image: string, name: string): Promise<Attached> {
    const { type = "png", data = "" } =
      /^data:image\/(?<type>[a-z]+);base64,(?<data>[A-Za-z0-9+/=]*)$/.exec(image)?.groups ?? {};
    return this.attachContent({ name: `${contentName(name).replace(/\.[^.]*$/, "")}.${type}`, data });
  }

  async #selection(): Promise<Attachment | undefined> {
    const editor = window.activeTextEditor;
    if (editor === undefined || editor.selection.isEmpty)
      throw new Error("Nothing is selected. Select text in an editor, then attach the selection.");
    const [allowed] = await this.#consent.allowed([editor.document.uri]);
    return allowed && this.#attachment(allowed, linesOfSelection(editor.selection));
  }

  async #listed(source: Exclude<ContextSource, "selection">): Promise<Attachment> {
    if (source === "problems") {
      const found = reportedProblems();
      if (found.length === 0) throw new Error("The editor reports no problems.");
      const name = countText(found.length, "problem");
      return { key: "problems", kind: "problems", name, tokens: textTokens(problemsText(found)) };
    }
    const last = this.#terminal.last;
    if (last === undefined)
      throw new Error(
        "No terminal output is known. Run the command in a terminal with shell integration, then attach it.",
      );
    const name = last.command.split("\n")[0]?.slice(0, 200) || "Terminal";
    return {
      key: `terminal:${last.id}`,
      kind: "terminal",
      name,
      uri: last.id,
      tokens: textTokens(await this.#terminal.read(last.id)),
    };
  }

  async #parts(attachment: Attachment): Promise<readonly ContentPart[]> {
    const { kind } = attachment;
    return kind === "resource" ? this.servers.read(attachment) : [await this.#part({ ...attachment, kind })];
  }

  async #part({
    kind,
    name,
    uri = "",
    lines,
  }: Attachment & { readonly kind: Exclude<Attachment["kind"], "resource"> }): Promise<ContentPart> {
    switch (kind) {
      case "image":
        return this.#image(Uri.parse(uri, true));
      case "problems":
        return { type: "text", text: problemsText(reportedProblems()), resource: { kind, name } };
      case "terminal":
        return { type: "text", text: await this.#terminal.read(uri), resource: { kind, name } };
      case "file":
      case "selection": {
        const file = Uri.parse(uri, true);
        const place = this.#pasted.has(file) ? {} : { uri, ...(lines === undefined ? {} : { lines }) };
        return { type: "text", text: await readText(file, lines), resource: { kind, name, ...place } };
      }
    }
  }

  /**
   * An image of the workspace or a scratch folder stays a file, which models are sent as it is then; of another one the
   * content is sent.
   */
  async #image(uri: Uri): Promise<ContentPart> {
    const scratch = { name: "scratch", uri: this.#folders.scratch };
    const own = await requireInWorkspace(uri, [...openFolders(), scratch]).catch(() => undefined);
    if (own === undefined) return { type: "image", uri: await readImage(uri) };
    await checkImage(own);
    return { type: "image", uri: own.toString() };
  }
}

const joined = (all: readonly Attached[]): Attached => ({
  attachments: all.flatMap(({ attachments }) => attachments),
  problems: all.flatMap(({ problems = [] }) => problems),
});

/** @throws Error with a sentence when the images that are sent with their content are too many for a message. */
function requireFewBytes(parts: readonly ContentPart[]): void {
  const characters = parts.reduce((sum, part) => sum + (part.type === "image" ? part.uri.length : 0), 0);
  const bytes = characters * 0.75;
  if (bytes <= MAX_SENT_IMAGES) return;
  const limit = `${MAX_SENT_IMAGES / 1_000_000} MB`;
  throw new Error(
    `The attached images have ${Math.ceil(bytes / 1_000_000)} MB, and a message can have at most ${limit} of images. Remove some, and send them in another message.`,
  );
}

/** The lines that a selection touches, from 1. One that ends at the start of a line does not touch that line. */
export function linesOfSelection(selection: {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number; readonly character: number };
}): Lines {
  const { start, end } = selection;
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { start: start.line + 1, end: last };
}

const severities: Readonly<Record<DiagnosticSeverity, ReportedProblem["severity"]>> = {
  [DiagnosticSeverity.Error]: "error",
  [DiagnosticSeverity.Warning]: "warning",
  [DiagnosticSeverity.Information]: "info",
  [DiagnosticSeverity.Hint]: "hint",
};

/** What the Problems view lists; hints are not in it. */
function reportedProblems(): readonly ReportedProblem[] {
  return languages.getDiagnostics().flatMap(([uri, found]) =>
    found
      .filter(({ severity }) => severity !== DiagnosticSeverity.Hint)
      .map(({ range, severity, message, source }) => ({
        path: shownPath(uri),
        line: range.start.line + 1,
        column: range.start.character + 1,
        severity: severities[severity],
        message,
        ...(source === undefined ? {} : { source }),
      })),
  );
}
