import * as z from "zod";
import { PlanItems } from "../../shared/contract/plan.ts";
import { Grace, InterruptScope } from "../../shared/contract/team.ts";
import { MAX_ATTACHMENTS, MAX_TEXT } from "../common/attachments.ts";
import { errorActionCommands } from "../common/error-actions.ts";
import { contextSources, type FromPage, type PagePost, startWays } from "../common/page-messages.ts";
import { slashCommandNames } from "../common/slash-commands.ts";
import { AttachmentSchema, DraftSchema, ImageSizeSchema } from "../messages/draft-schema.ts";

const text = z.string().max(MAX_TEXT);
const name = z.string().min(1).max(1000);
const uri = z.string().min(1).max(10_000);
const server = z.string().min(1).max(20_000);
const delivery = z.enum(["now", "steer", "queue"]);
const attachments = z.array(AttachmentSchema).max(MAX_ATTACHMENTS);
/** Of a pasted or dropped file, in base64: 20 MB. */
const MAX_CONTENT = 28_000_000;

const digest = z.string().length(64);
const decision = z.discriminatedUnion("how", [
  z.strictObject({ how: z.literal("accept") }),
  z.strictObject({ how: z.literal("runOutside") }),
  z.strictObject({ how: z.literal("join") }),
  z.strictObject({ how: z.literal("edit"), command: text.min(1) }),
  z.strictObject({
    how: z.literal("allow"),
    choice: z.number().int().min(0),
    scope: z.enum(["run", "workspace", "always"]),
  }),
  z.strictObject({ how: z.literal("reject"), reason: text.exactOptional() }),
  z.strictObject({ how: z.literal("answer"), output: text }),
  z.strictObject({ how: z.literal("sendEdited"), text }),
]);

/** The messages that the page may post. They are checked, as the page shows text that models and tools wrote. */
const schema: z.ZodType<FromPage> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("focus"), has: z.boolean() }),
  z.strictObject({ type: z.literal("dismissNotice") }),
  z.strictObject({
    type: z.literal("run"),
    text,
    delivery: delivery.exactOptional(),
    attachments: attachments.exactOptional(),
  }),
  z.strictObject({ type: z.literal("answer"), text, handoff: name.exactOptional() }),
  z.strictObject({
    type: z.literal("send"),
    to: name,
    text: text.min(1),
    delivery: delivery.exactOptional(),
    onlyTarget: z.literal(true).exactOptional(),
    attachments: attachments.exactOptional(),
  }),
  z.strictObject({ type: z.literal("draft"), teamId: name, draft: DraftSchema }),
  z.strictObject({ type: z.literal("writing"), teamId: name, isWriting: z.boolean() }),
  z.strictObject({ type: z.literal("restoreDraft"), teamId: name, draft: DraftSchema }),
  z.strictObject({
    type: z.literal("attach"),
    request: z.number().int().min(0),
    uris: z.array(uri).max(MAX_ATTACHMENTS).exactOptional(),
    source: z.enum(contextSources).exactOptional(),
    content: z
      .strictObject({ name, data: z.base64().max(MAX_CONTENT), size: ImageSizeSchema.exactOptional() })
      .exactOptional(),
    resource: z.strictObject({ server, uri: uri.exactOptional(), template: uri.exactOptional() }).exactOptional(),
  }),
  z.strictObject({ type: z.literal("readImage"), uri }),
  z.strictObject({ type: z.literal("selectModel") }),
  z.strictObject({ type: z.literal("pickContext") }),
  z.strictObject({ type: z.literal("searchFiles"), query: z.string().max(1000) }),
  z.strictObject({
    type: z.literal("openResource"),
    kind: AttachmentSchema.shape.kind,
    uri: uri.exactOptional(),
    lines: AttachmentSchema.shape.lines,
    server: server.exactOptional(),
  }),
  z.strictObject({ type: z.literal("listOffers") }),
  z.strictObject({ type: z.literal("usePrompt"), server, prompt: name }),
  z.strictObject({ type: z.literal("slashCommand"), name: z.enum(slashCommandNames) }),
  z.strictObject({
    type: z.literal("interrupt"),
    grace: Grace.exactOptional(),
    scope: InterruptScope.exactOptional(),
  }),
  z.strictObject({ type: z.literal("keepRunning") }),
  z.strictObject({ type: z.literal("interruptWith") }),
  z.strictObject({ type: z.literal("previewInterrupt") }),
  z.strictObject({
    type: z.literal("queue"),
    edit: z.strictObject({ id: name, text: text.min(1) }).exactOptional(),
    withdraw: name.exactOptional(),
    order: z.array(name).exactOptional(),
  }),
  z.strictObject({ type: z.literal("stopCommand"), id: name }),
  z.strictObject({ type: z.literal("showCommandOutput"), id: name }),
  z.strictObject({ type: z.literal("editPlan"), to: name, items: PlanItems, was: PlanItems }),
  z.strictObject({ type: z.literal("restoreContext"), to: name }),
  z.strictObject({ type: z.literal("editPartial"), messageId: name }),
  z.strictObject({ type: z.literal("dropPartial"), messageId: name }),
  z.strictObject({ type: z.literal("restoreCheckpoint"), messageId: name }),
  z.strictObject({ type: z.literal("fork") }),
  z.strictObject({ type: z.literal("stop") }),
  z.strictObject({ type: z.literal("image"), uri: z.string().max(10_000) }),
  z.strictObject({ type: z.literal("showCall"), ref: name }),
  z.strictObject({ type: z.literal("decide"), ref: name, digest, decision }),
  z.strictObject({ type: z.literal("acceptAll"), calls: z.array(z.strictObject({ ref: name, digest })).max(1000) }),
  z.strictObject({ type: z.literal("openDiff"), ref: name }),
  z.strictObject({ type: z.literal("reviewCall"), ref: name }),
  z.strictObject({ type: z.literal("openResult"), ref: name }),
  z.strictObject({ type: z.literal("earlier"), before: z.number().int().min(1) }),
  z.strictObject({ type: z.literal("openFile"), uri: name }),
  z.strictObject({ type: z.literal("changes"), action: z.enum(["view", "keep", "undo"]) }),
  z.strictObject({ type: z.literal("openTeam"), uri: name }),
  z.strictObject({ type: z.literal("openStored"), teamId: name }),
  z.strictObject({ type: z.literal("openTeamPicker") }),
  z.strictObject({ type: z.literal("start"), way: z.enum(startWays) }),
  z.strictObject({ type: z.literal("switchTeam"), teamId: name }),
  z.strictObject({ type: z.literal("closeTeam"), teamId: name }),
  z.strictObject({ type: z.literal("copy"), text }),
  z.strictObject({ type: z.literal("openLink"), href: z.string().max(10_000) }),
  z.strictObject({ type: z.literal("interruptReasoning"), participant: name, path: z.array(name).max(100) }),
  z.strictObject({ type: z.literal("insertCode"), code: text }),
  z.strictObject({ type: z.literal("applyCode"), code: text, paths: z.array(z.string().min(1).max(500)).max(20) }),
  z.strictObject({ type: z.literal("openCode"), code: text, language: z.string().max(1000) }),
  z.strictObject({ type: z.literal("findFiles"), paths: z.array(z.string().min(1).max(500)).max(200) }),
  z.strictObject({
    type: z.literal("openPath"),
    path: z.string().min(1).max(500),
    beside: z.literal(true).exactOptional(),
    keepFocus: z.literal(true).exactOptional(),
  }),
  z.strictObject({ type: z.literal("storage"), action: z.enum(["retry", "continueWithoutSaving"]) }),
  z.strictObject({
    type: z.literal("errorAction"),
    command: z.enum(errorActionCommands),
    argument: name.exactOptional(),
  }),
]);

const postSchema: z.ZodType<PagePost> = z.strictObject({ teamId: name.exactOptional(), message: schema });

/** What the page posted; undefined for anything else. */
export function parsePagePost(posted: unknown): PagePost | undefined {
  const parsed = postSchema.safeParse(posted);
  return parsed.success ? parsed.data : undefined;
}
