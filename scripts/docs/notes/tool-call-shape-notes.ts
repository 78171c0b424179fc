import type { Notes } from "./notes.ts";
import { PROGRAM_NOTES } from "./program-notes.ts";

/** What an approval rule has, before and after it is added. */
const RULE = {
  decision: "What the rule decides.",
  tool: "As in [ApprovalSubject](#approvalsubject); so are the next six.",
  provider: "See there.",
  participant: "Only calls of this participant.",
  command: "At most one of `command`, `path`, `host` and `input`.",
  path: "See there.",
  host: "See there.",
  input: "See there.",
};

/** Notes on the shapes of tool calls, of their approval, and of the edits that they make. */
export const TOOL_CALL_SHAPE_NOTES: Notes = {
  ToolCall: {
    id: "The model's own id of the call, which is sent back to the model. Left out if it gave none that can be sent.",
    name: "The tool.",
    input: "What the model passes to it.",
    signedThoughts:
      "What the model's provider wants back with the result, for example signed thoughts. Only that provider can read it.",
  },
  PendingTool: {
    name: "The tool.",
    participant: "Who called.",
    input: "What the model passes to it.",
    interrupt: "What the tool asks the user; `true` where it gave no payload.",
    approval: "The call needs approval; it has not run.",
    reason: "Why it needs approval, as a sentence; left out when its tool always asks and no rule decides.",
    places:
      "The files and folders that it uses: absolute, with links resolved, as its tool found them. If they are others when the call is restarted, and no rule allows it, it becomes pending again.",
  },
  ToolInFlight: {
    name: "The tool.",
    participant: "Who called.",
    mayHaveHadEffects: "True once it has started, unless its tool only reads.",
    state:
      "`requested`: not started. `running`. `abandoned`: an interrupt left it behind; its result is still accepted.",
    onInterrupt: "What an interrupt does to it; see [ToolDeclaration](#tooldeclaration).",
  },
  ToolPreview: {
    "": "What the call would do to a file (`before` is `null` for a new one, `file` is its path with links resolved) or to several that are changed together, whether a command would run in the sandbox and if not why, why the call would fail, or `null` where the tool has nothing to show.",
  },

  CommandExit: {
    "": "How the command of the host's own tool ended, apart from what it printed: by itself, by a signal, or because its time was up.",
  },
  Approved: { rule: "Id of the rule that allowed it.", reason: "The same as a sentence." },
  ApprovalDecision: {
    allow: "Run it without asking.",
    deny: "Refuse it without asking.",
    ask: "Ask, also where another rule allows it.",
  },
  ApprovalScope: {
    once: "One call.",
    run: "Until the team's run is over. A run that waits for decisions is not over.",
    workspace: "In this workspace: kept in `storagePath`.",
    always: "Everywhere: kept in `globalStoragePath`.",
  },
  ProgramQuestion: PROGRAM_NOTES,
  McpServerStatus: {
    id: "Names it in `mcp/change`.",
    name: "Its name.",
    from: "The URI of the file that describes it; left out for the user's own settings.",
    provider: "Its command or its address.",
    state: "What it does now.",
    problem: "Why it does not run, as a sentence for the user.",
    tools: "The names of its tools, if it runs.",
  },
  ElicitField: {
    name: "Names it in the answer.",
    type: "`choice` and `choices` have `choices`; the answer to `choices` is a list.",
    title: "What to call it; its name if left out.",
    description: "What to say of it.",
    required: "Whether an answer needs it.",
    choices: "What can be chosen.",
    "choices[].value": "What the answer has.",
    "choices[].title": "What the user reads.",
    default: "What to offer.",
    format: "Of a text: `email`, `uri`, `date` or `date-time`.",
    minimum: "The least value, length or number of choices.",
    maximum: "The most.",
  },
  ElicitQuestion: { "": "A form with fields, or an address to open." },
  ElicitAnswer: {
    action: "Whether the user answered, said no, or closed the question.",
    content: "The fields by name; left out for an address.",
  },
  McpServerName: {
    "": "1 to 100 characters, none of which has a meaning in patterns of rules, and no space or slash first.",
  },
  McpServer: { "": "A program, or a server at a URL, as in [team files](TEAM-FILES.md#mcp-servers)." },
  ApprovalSubject: {
    tool: "The tool's name, or a glob; `*` for every tool. A tool of an MCP server is `server/tool`.",
    provider:
      "What runs the tool, such as the command of its MCP server, exactly: another program may have tools of the same names.",
    participant: "Only calls of this participant.",
    command:
      "Words of a command, quoted as for a shell. The word `*` matches any number of words, `*` within a word any characters.",
    path: "A glob over the files that the call uses: relative to the first open folder, after an open folder's name, or absolute.",
    host: "A host name such as `*.example.com`, optionally with a port, matched against URLs in the input.",
    input: "Exactly this input.",
  },
  ApprovalRule: {
    id: "Names it in `approvals/remove`.",
    ...RULE,
    scope: "How long it applies.",
    team: "Only this team.",
  },
  NewApprovalRule: {
    ...RULE,
    scope: "How long it applies.",
    team: "Only this team. Required for `once` and `run`.",
  },

  StorageStatus: {
    state: "See [`storage/status`](#storagestatus).",
    message: "What is wrong and what to do, in a sentence for the user; left out for `saving`.",
  },
  EditedTurn: {
    turnId: "Names it in `edits/undo`.",
    participant: "Whose turn. Left out for an undo.",
    undoes: "The turn that this undo undid.",
    at: "ISO 8601.",
    files: "What was written.",
  },
  EditedFile: {
    path: "Relative to the workspace.",
    change: "What happened to it.",
    undone: "It has been restored since.",
    refs: "The tool calls that wrote it. Left out for an undo.",
  },
  Checkpoint: {
    seq: "The team's last event before that point.",
    at: "When the message was sent, or the team went back, ISO 8601.",
    messageId:
      "The message that it is before. Left out: it is before the team was reset, rewound or given a saved state.",
    text: "The beginning of that message, at most 200 characters.",
  },
  ChangedTurn: {
    turnId: "Names it in `edits/undo` and `edits/keep`.",
    participant: "Whose turn.",
    at: "ISO 8601: when it first edited a file.",
    refs: "The tool calls that wrote these lines.",
    files: "The files, in the order of their names.",
    "files[].path": "As in `edits/changes`.",
    "files[].added": "How many of the lines of the file are the turn's.",
    "files[].removed": "How many lines it removed last.",
  },
  ChangedFile: {
    path: "Relative to the workspace. It names the file in other requests.",
    uri: "The file.",
    change: "What the team did to it, as far as that is not kept. `deleted`: it is no longer there.",
    added: "Lines that the file has and the base has not.",
    removed: "Lines that the base has and the file has not.",
    turns: "The turns that changed it.",
    refs: "The tool calls that changed it.",
    participants: "Whose turns they were.",
    mixed: "Others have changed some of the same lines, or deleted the file: an undo leaves these as they are.",
  },
  CommandChange: {
    path: "Relative to the workspace.",
    uri: "The file.",
    change: "What happened to it while the command ran.",
    from: "Where a created file was before: the command moved it. That path is not listed as deleted.",
    participant: "Who ran the command.",
    ref: "The tool call.",
    command: "The command, cut to 200 characters.",
    at: "When it ended, ISO 8601.",
  },
  ChangedHunk: {
    id: "Names it as long as its lines stay as they are, also when others above it change.",
    line: "Its first line in the file as it is now, from 0.",
    lines: "How many lines it has there; 0 where lines were only removed.",
    baseLine: "Its first line in the base, from 0.",
    baseLines: "How many lines it has there.",
    participants: "Who wrote its lines; empty where lines were only removed.",
    refs: "The tool calls that wrote them.",
    mixed: "Others have changed some of the same lines.",
  },
  WrittenLines: {
    line: "The first, from 0.",
    lines: "How many.",
    participant: "Who wrote them.",
    ref: "The tool call.",
    at: "When its turn first wrote, ISO 8601.",
  },
  SelectedFile: {
    path: "As in `edits/changes`.",
    hunks: "Only these, by their ids. Left out: the whole file.",
  },
  UndoneEdits: {
    turnId: "What was undone.",
    undoId: "The undo itself, which can be undone too; `null` where no file could be restored.",
    restored: "Paths of the restored files.",
    left: "Files that were left as they are.",
    "left[].path": "Relative to the workspace.",
    "left[].reason": "Why, as a sentence.",
  },
  OfferedTool: {
    name: "Its name in the editor; teams name it `vscode/NAME`.",
    description: "What it does, for models.",
    inputSchema: "The JSON Schema of its input, an object. Left out: it has no input.",
  },
  EditorPosition: { line: "From 0.", character: "UTF-16 code units within the line, from 0." },
  EditorRange: { start: "Where it begins.", end: "Where it ends; this character is not a part of it." },
  EditorPlace: { uri: "The file.", range: "The part of it." },
  EditorProblem: {
    uri: "The file.",
    range: "The part of it that has the problem.",
    severity: "As the editor shows it.",
    message: "What is wrong.",
    source: "Who says so, such as `eslint`.",
    code: "The source's name for such problems.",
  },
  EditorSymbol: {
    name: "Its name.",
    kind: "What it is, such as `function`.",
    uri: "The file.",
    range: "All of it, its content included.",
    container: "The name of what it is in.",
    depth: "In the symbols of a file: how many others it is within.",
  },
  EditorFileEdits: {
    uri: "The file.",
    edits: "What takes the place of its parts, which do not overlap.",
    "edits[].range": "The part.",
    "edits[].newText": "What takes its place.",
  },
  EditorTestTask: {
    name: "As the editor shows it.",
    command: "The command line. Left out for a task that no command line runs.",
    folder: "`file:` URI of the folder that it runs in.",
  },
  EditorFailure: { failure: "Why there is no answer: a sentence for the model." },
};
