import type { Notes } from "./notes.ts";
import { PROGRAM_NOTES } from "./program-notes.ts";

/** How a client shows that it may join. */
const SHOWN = {
  nonce: "A random text that the client uses once.",
  proof: "Base64url, without padding, of HMAC-SHA256 of `client NONCE`, with the token of the file as the key.",
  token: "In place of the two: the token itself. Users of other computers send theirs.",
};

/** Notes on the params and results of every message, by its method; `METHOD result` for the fields of a result. */
export const MESSAGE_NOTES: Notes = {
  InitializationOptions: {
    storagePath:
      "Absolute path of a folder for durable state; created if missing. Without it, state lives in memory only.",
    mcpFiles:
      "Absolute paths of the user's own files of MCP servers, in the format of `.vscode/mcp.json`. They are read when a server is looked for; one that does not exist is ignored.",
    globalStoragePath:
      "Absolute path of the user's own folder, for approval rules of the scope `always`. Without it there are none.",
    link: "The address of a link to [workers](DEPLOYMENT.md#workers), and to [other hosts](DEPLOYMENT.md#hosts-on-a-link) of the store. It may have a password.",
    store:
      "The address of a [store on a server](DEPLOYMENT.md#a-store-on-postgresql) that has the teams instead of `storagePath`. It may have a password.",
    scratchPath: "Absolute path of the [scratch folders](#scratch-folders). Without it there are none.",
    share: "Lets further clients of the same user [join](#several-clients). Default: `false`.",
    user: "Who the user is. Default: id `user`.",
    interruptReceived:
      "Has the host send [`team/interruptReceived`](#teaminterruptreceived) to this client. Default: `false`.",
    clientId:
      "A random id of at least 16 characters, which a client gives again when it reconnects: its runs then [find it](#clients-of-one-host).",
  },
  HostPlace: {
    version: "The version of the file's format.",
    address: "The path of a socket that only the user can use or, on Windows, the name of a pipe.",
    token: "What a client shows in order to join.",
    pid: "The process of the host.",
  },
  "host/join": {
    ...SHOWN,
    protocolVersion: "The version of the protocol that the client speaks.",
  },
  "host/join result": {
    proof:
      "Base64url of HMAC-SHA256 of `host NONCE`, with the token as the key; left out for a client that sent its token.",
    protocolVersion: "The version that the host speaks.",
    gavelVersion: "The version of Gavel that the host is of.",
    keepsRunning: "True for a host that goes on [without clients](#a-host-without-a-parent).",
    isBusy: "Whether a team runs in it now.",
    user: "Who the client's user is by their token, for one of [another computer](#users-of-other-computers).",
  },
  "host/stop": SHOWN,
  ServeOptions: {
    storagePath: "As in [`initializationOptions`](#lifecycle); clients that give another one are refused.",
    globalStoragePath: "As there, for all clients.",
    metrics: "Where it [tells how it does](DEPLOYMENT.md#watch-a-host), over HTTP. Default: nowhere.",
    foreground:
      "It ends when its standard input does, so that it never outlives the process that started it, and when it is idle only if `idleMinutes` says so.",
    log: "The file at whose end it writes its log, in lines of JSON.",
    drainSeconds: "How long runs may go on after a first SIGTERM, in seconds; 0 if left out.",
    hasLink: "Likewise the address of a link, on the next line, or the first without a store.",
    hasStore:
      "The address of a store on a server is the first line of the standard input, as other users can read arguments.",
    scratchPath: "As there, for all clients.",
    mcpFiles: "As there, for all clients.",
    idleMinutes: "It ends when it has had no client, and no run, for so many minutes. Default: 10.",
    network: "Lets [users of other computers](#users-of-other-computers) join. Default: they cannot.",
  },
  MetricsOptions: { host: "The address to listen on.", port: "0: any that is free." },
  LogOptions: {
    path: "Absolute; `-` is the standard output, after its first line.",
    level: "The least severe level that is written; `info` if left out.",
  },
  NetworkOptions: {
    host: "The address to listen on, such as `127.0.0.1` or `0.0.0.0`.",
    port: "0: any that is free.",
    certificate: "Absolute path of the host's certificate, a PEM file.",
    key: "Absolute path of its private key, a PEM file.",
    users: "Absolute path of the file with the users who may join, which `gavel serve --add-user` writes.",
  },
  PresentClient: {
    id: "The client, as long as it is connected.",
    user: "Whose it is.",
    program: "What it is, such as `Visual Studio Code 1.120.0`.",
    isSelf: "True for the client that is told this.",
    isWriting: "Its user is writing a message.",
  },
  "team/presence": { teamId: "Which team.", clients: "Those that have opened it, in the order in which they did." },
  "team/writing": { teamId: "Which team.", isWriting: "Whether its user is writing a message." },
  "team/follow": {
    teamId: "Which team.",
    after: "The `seq` of the last event that the client knows; 0 if it knows none.",
    at: "The `at` of that event: with it the host notices that another team has this id by now.",
  },
  "team/follow result": {
    "": "`events`: the events after that one, of the log. `snapshot`: the team as it is, in place of all that the client knows.",
  },

  "team/open": {
    teamId:
      "The id to open, or to create the team under. Left out for a new team: the host chooses one. 1 to 200 characters.",
    uri: "`file:` URI of a team file (`.team.yaml`, `.team.yml`, `.team.json`), or where the `definition` comes from.",
    definition:
      "A [TeamDefinition](#teamdefinition), or the component JSON of an AutoGen team. Takes precedence over the file at `uri`.",
  },
  "team/list result": { teams: "The stored and open teams, the most recently changed first." },
  "team/find": {
    query: "What to find. Spaces around it do not count.",
    limit: "How many messages at most. Left out: 50.",
    after: "The `next` of a result: the messages that come after it.",
  },
  "team/find result": {
    hits: "The messages.",
    "hits[].teamId": "The team.",
    "hits[].messageId": "The message.",
    "hits[].source": "Who said it.",
    "hits[].at": "When.",
    "hits[].excerpt": "The text around the first match, on one line.",
    next: "For `after`. Left out where no more messages are found.",
  },
  "team/run": {
    task: "The user's message that starts the run. Left out: continue from the thread.",
    handoff:
      "Where it is a user participant's turn: who speaks next, one of that participant's `handoffs`. Left out: in a swarm, whoever handed over to it.",
  },
  "team/stop": { withdraw: "The run is not to end with the current turn any more." },
  "team/interrupt": {
    scope: "What to stop. Left out: the whole run.",
    reason: "Why, for the event log.",
    message: "More words for the event log.",
  },
  "team/sendUserMessage": {
    to: "The participant who answers; `outer/inner` for one of a nested team. Left out: the whole team.",
    messages: "One message or several, in order. None is empty.",
    delivery:
      "While a run is in progress: `now` (the default) interrupts it first, `queue` waits for its end, `steer` for the target's next turn. While calls wait for the user it must be given. Ignored at rest.",
    then: "`continue` (the default): selection continues after the reply. `pause`: the run ends with the reply.",
    timeoutMs: "Milliseconds for the reply, from the delivery. Default 120,000.",
    visibility:
      "`all` (the default), or `target`: no other participant is shown the message. The reply is always visible to all.",
    context:
      "What the user attached: texts with a `resource`, and images. It follows the text of the last message, whose `content` is then a list of parts.",
  },
  "team/stopCommand": { id: "The command." },
  "team/commandOutput": {
    id: "The command.",
    after: "Gives the output from that character on: `next` of the answer before. Default 0.",
    wait: "Answers once there is output after `after` or the command has ended, after 30 s at the latest.",
  },
  "team/commandOutput result": {
    command: "The command, with its end if it has ended.",
    text: "The output, as the command wrote it, control characters included. What was left out of it is said in it.",
    next: "How many characters the output has had so far.",
    isKept: "False where the output is not kept any more, as another host ran the command.",
  },
  "team/resolveTools": {
    respond: "Use an output in place of the tool's own; the tool does not run.",
    "respond[].output": "Any JSON value. Left out: `null`.",
    restart: "Run the tool now. For a call that waits for approval, this is the approval.",
    "restart[].input": "Replaces the input. The tool checks it first.",
    "restart[].metadata": "Passed on to the tool, together with `resumed: true`.",
    deny: "Refuse the call; the model gets an error result.",
    "deny[].reason": "Added to that error result.",
  },
  "team/resolveTools result": {
    remaining: "The refs that are still pending.",
    result: "What the run came to, when this answer was the last one missing.",
  },
  "team/events": {
    after: "Only events with a higher `seq`. Default 0.",
    limit: "At most this many, 1 to 10,000. Default 1,000.",
    types: "Only events of these types.",
  },
  "team/events result": {
    events: "Durable events in order. Fewer than `limit`: there are no more.",
    lastSeq: "The `seq` of the team's last event, whether or not it is on this page. 0 for a team without events.",
  },
  "team/loadState": { state: "What `team/saveState` returned, from this or an older version." },
  "team/saveStateFile": { uri: "The file, as a `file:` URI. A file that is there is replaced." },
  "team/saveStateFile result": { bytes: "The size of the file." },
  "team/loadStateFile": { uri: "A file that `team/saveStateFile` wrote, as a `file:` URI." },
  "reasoning/interrupt": {
    from: "Who asks: the user's id, or a participant's name.",
    to: "Whose reasoning: at least one name.",
    correlation_id: "Which sequences: the `id` of their `reasoning/start` events. At least one.",
    payload: "The request itself.",
    "payload.reason": "Why.",
    "payload.message": "Explanation; required for `other`. For `redirect` it is the new direction.",
  },
  "tools/register": {
    tools: "What to add. A tool that this client registered before under the same name is replaced.",
  },
  "team/previewInterrupt": { scope: "As for `team/interrupt`." },
  "team/previewMessage": {
    to: "The participant who would answer. Left out: the message is for the whole team.",
    delivery: "As for `team/sendUserMessage`.",
    visibility: "As for `team/sendUserMessage`.",
  },
  "team/previewTool": { input: "Preview with this input instead of the call's own." },
  "team/queue": {
    edit: "Replace the text of one waiting message.",
    "edit.id": "Which one.",
    "edit.messages": "Its new text.",
    withdraw: "Ids to withdraw. Their open `team/sendUserMessage` requests resolve as cancelled.",
    order: "The new order: the id of every waiting message, once.",
  },
  "team/queue result": { queued: "The messages that wait after the change." },
  "team/editMessage": {
    messageId: "A message of the thread with `partial: true`. An edited one still has it.",
    content: "The new text, or `null` to remove the message from the thread.",
  },
  "team/rename": { title: "1 to 200 characters, not only spaces. `null` removes the title." },
  "agents/find": { own: "Also the user's own." },
  "agents/find result": {
    agents: "The agents.",
    instructionFiles: "What `instructionFiles` of a team file can name.",
    skills: "What `skills` of a team file can name.",
  },
  "team/fileText": { text: "The content of the team's file." },
  "team/fileText result": { text: "The content with the participants of the team." },
  "team/isOutdated result": { isOutdated: "True too when the files cannot be read." },
  "team/changeParticipants": {
    within: "The participants that lead to a nested team whose participants are changed. Left out: the team's own.",
    changes:
      "One after another. `add`: a new [ParticipantDefinition](#participantdefinition), at the position `at` from 0, or last; in a graph, it speaks after those of `after` and before those of `before`. `remove`: a name; with `bridge`, the edges of a graph lead past it. `replace`: a name, and in `with` the participant in its place; without a `name`, that one has the same.",
    edges:
      "For a graph: its edges after the change. Left out: those of before, with a new name for one that was replaced.",
  },
  "team/editPlan": {
    to: "The participant, as for `team/sendUserMessage`.",
    items: "The whole plan after the edit, at most 50 steps. Empty: it has none.",
    was: "The plan that was edited. Left out: whatever it is.",
  },
  "team/summarizeContext": { to: "The participant, as for `team/sendUserMessage`." },
  "team/restoreContext": { to: "The participant, as for `team/sendUserMessage`." },
  "team/setModel": {
    to: "The participant, as for `team/sendUserMessage`. Left out: the whole team.",
    model:
      "A key of `models` of the team or of one around it, a model, or `null`: what the definition says, or for a participant the team's.",
  },
  "team/setApprovers": {
    required: "How many users have to approve a call before it runs.",
    from: "The ids of those whose approvals count. Left out: all but observers.",
  },
  "team/setRole": {
    user: "The user's id. Left out: newcomers, who are members or observers.",
    role: "What they may do from now on.",
  },
  "team/fork": { newTeamId: "The id of the copy. Left out: the host chooses one." },
  "team/draft": {
    task: "What the team is for, in a sentence or more. At most 20,000 characters.",
    model: "The model that writes. Left out: that of `gavel.model`.",
    draftId: "Names the draft in `draft/part`. Left out: only the result is sent.",
  },
  "team/draft result": {
    text: "The team file, as YAML.",
    problems: "What is wrong with it, each with its line. Empty for a file that opens.",
  },
  "draft/part": {
    draftId: "As `team/draft` gave it.",
    attempt: "1, or 2 after the model was told the problems of its first answer. Its text starts empty.",
    delta: "The next part of the model's answer, which may have a code fence around the file.",
  },
  "agents/check": {
    teamId: "The team whose agents to check.",
    uri: "The team file whose agents to check, without a `teamId`.",
  },
  "agents/check result": {
    agents: "Each participant of kind `acp` or `a2a`, also those of nested teams.",
    "agents[].name": "Its name; within a nested team after that of the nested team and a slash.",
    "agents[].kind": "Its kind.",
    "agents[].state": "`works`; `wrong`, or `refused`: the user has not allowed that its card is asked for.",
    "agents[].text": "What was found, and what to do where something is wrong, in a sentence.",
  },
  "sandbox/check result": {
    "": "`on`: commands run in a sandbox, made by `mechanism`. `off`: the setting `gavel.sandbox.enabled` turns it off. `unavailable`: there is none here; `reason` says why, as a clause, and `install` is a shell command that installs it, where one is known, which the client must not run unasked.",
  },
  "models/check": { teamId: "The team whose models to ask. Left out: the model of `gavel.model` alone." },
  "models/check result": {
    models: "Each model that was asked.",
    "models[].key": "Its key in the team's `models`; left out for the model of `gavel.model`.",
    "models[].label": "Its name for the user.",
    "models[].failure": "Why it does not answer; left out for one that does.",
    "models[].failure.message": "What is wrong and what to do, in a sentence.",
    "models[].failure.data": "As the `data` of a [ModelError](#errors).",
  },
  "files/find": {
    query: "A part of the path, or characters of it in order. Letter case does not matter. Empty: every file.",
    limit: "How many files at most. Left out: 50.",
    teamId: "The team in whose folders to look, which may be a scratch folder. Left out: the open folders.",
  },
  "files/find result": {
    files: "The best matches first.",
    "files[].uri": "The file.",
    "files[].path": "Its path in the workspace, as users know it.",
    "files[].secret": "Why it may hold secrets, if it may: the end of a sentence.",
  },
  "files/secrets": { uris: "The files." },
  "files/secrets result": {
    secrets: "Those that may hold secrets.",
    "secrets[].uri": "The file, as it was given.",
    "secrets[].why": "Why: the end of a sentence.",
  },
  "team/checkpoints result": { checkpoints: "The last first." },
  "team/rewind": { seq: "The last event to keep, as in `team/checkpoints`; 0: none." },
  "team/rewind result": {
    team: "The team as it is then.",
    from: "The team's last event before: rewinding to it undoes this.",
  },
  "edits/list result": { turns: "Turns whose edits can be undone, and undos, the most recent first." },
  "edits/undo": {
    turnId: "Which turn, or which undo. Left out, as all below: the most recent one that is not undone.",
    files: "What to undo of what `edits/changes` lists: these files, or hunks of them.",
    all: "Everything that `edits/changes` lists.",
    after: "What the team has changed since its event with this `seq`, kept or not.",
    overwrite:
      "Undo also where others have changed the same lines; of a turn, the file becomes as it was before. Default false.",
    dryRun: "Change nothing: the result tells what would be restored and left. Default false.",
  },
  "edits/changes result": {
    files: "The files, sorted by path.",
    turns: "The turns that wrote or removed lines among these changes, the last first.",
    commands: "Files that changed while a command ran, the last first, each once; until they are kept.",
  },
  "edits/file": { path: "As in `edits/changes`." },
  "edits/file result": {
    base: "The file without the team's changes that are not kept; of a moved file without any, its content then. Null: none, or no text.",
    now: "The file as it is, unsaved changes included. Null: there is none, or it is no text.",
    hunks: "What differs between the two, in order.",
    written: "The lines that the team wrote, also of changes that are kept, in order.",
  },
  "edits/moved": {
    files: "At most 1,000, in the order in which they were moved. A folder stands for all within it.",
    "files[].oldUri": "Where it was.",
    "files[].newUri": "Where it is now.",
  },
  "edits/moved result": { moved: "How many files that teams had changed were moved." },
  "edits/keep": {
    turnId: "The hunks that have lines of this turn.",
    files: "Files, or hunks of them. With neither: everything, commands' changes included.",
  },
  "edits/keep result": {
    kept: "The files of which something is kept now.",
    left: "Files of which nothing could be kept, with the reason in a sentence.",
    "left[].path": "The file.",
    "left[].reason": "Why, in a sentence.",
  },
  "approvals/list": { teamId: "Only the rules that apply to this team. Left out: all." },
  "approvals/list result": { rules: "The rules, with their ids." },
  "approvals/add": {
    rule: "The rule to add.",
    shown:
      "The pending call that the user decided on with the rule: it makes exactly the change that was shown, or none.",
    "shown.teamId": "Its team.",
    "shown.ref": "Its ref.",
    "shown.preview": "The `digest` of its preview.",
  },
  "approvals/add result": {
    rule: "The rule with its id. A path is in the form in which paths are compared, such as `secrets/**` for `secrets/`.",
    answered:
      "Refs of pending calls that the rules now decide. The host has answered them; a client must not answer them again.",
    note: "What a rule that denies or asks cannot hold, in a sentence for the user.",
  },
  "approvals/remove": { id: "Which rule." },
  "approvals/remove result": { removed: "False where there is no such rule." },
  "approvals/suggest result": {
    choices: "Ways to allow this call and calls like it, narrowest first.",
    "choices[].rules": "The rules that together allow it; add each with a `decision` and a `scope`.",
  },

  "storage/resolve": {
    action: "`retry`, or `continueWithoutSaving`, which has an effect while the state is `failing`.",
  },
  "storage/status": {
    state: "Whether what happens is stored.",
    message: "What is wrong and what to do, in a sentence for the user; left out for `saving`.",
  },

  "team/event": { event: "What happened." },
  "team/interruptReceived": { teamId: "The team that the client has interrupted." },
  "endpoints/forget": { origin: "The origin, as `endpoints/allow` gave it." },
  "endpoints/allow": {
    origin: "Scheme, host and port, such as `https://gateway.example.com`.",
    model: "The model that is asked for; the name of the agent for one.",
    secret: "The name of the key that would be sent too, if there is one; it is requested with `credentials/get`.",
    agent: "The participant of kind `a2a` that is there; left out for a model.",
  },
  "programs/forget": { digest: "The digest, as `programs/allow` gave it." },
  "programs/allow": PROGRAM_NOTES,
  "programs/allow result": { allowed: "Whether it may be started." },
  "mcp/list result": { servers: "Each with what it is now." },
  "mcp/change": { id: "The `id` of a server, from `mcp/list`.", action: "What to do." },
  "mcp/offers": { teamId: "A team, whose own servers go first; left out for those of the workspace and the user." },
  "mcp/offers result": { servers: "Each with what it offers." },
  "mcp/complete": {
    server: "The server, as in `mcp/offers`.",
    of: "Whose argument it is: the `name` of a prompt, or a `template`.",
    argument: "Its name.",
    value: "What the user has typed.",
    given: "The other arguments that the user has given, by name.",
  },
  "mcp/complete result": { values: "At most 100, the best first." },
  "mcp/prompt": {
    server: "The server, as in `mcp/offers`.",
    prompt: "The `name` of the prompt.",
    arguments: "Its arguments by name.",
  },
  "mcp/prompt result": {
    messages: "At most 100.",
    "messages[].role": "Who speaks.",
    "messages[].part": "What is said; a resource is a text with `resource`.",
  },
  "mcp/resource": {
    server: "The server, as in `mcp/offers`.",
    resource: "Its URI, or a template with its arguments by name.",
  },
  "mcp/resource result": { uri: "Its URI, with the arguments filled in.", parts: "Its content: texts and images." },
  "mcp/input": {
    server: "The name of the server, or of the participant of kind `a2a`.",
    use: "What has the placeholder; an MCP server if left out.",
    from: "The URI of the file that describes it; left out for the user's own settings.",
    id: "The id of the input.",
    description: "What to ask for.",
    default: "What to offer.",
    password: "Whether what is typed is hidden, and the value kept as a secret.",
    options: "What can be chosen; any text if left out.",
  },
  "mcp/input result": { value: "The value, or `null` if the user gives none." },
  "mcp/signIn": {
    url: "The address of the server.",
    value: "What is to be kept, in a form that only the host reads; `null` to forget it. Left out to ask for it.",
  },
  "mcp/signIn result": { value: "What is kept; `null` for nothing." },
  "mcp/elicit": { server: "The server's name.", question: "What it asks." },
  "endpoints/allow result": { allowed: "Whether messages may be sent there." },
  "credentials/get": {
    secret: "The name of the key, from `apiKey.secret` of a model definition.",
    origin: "Scheme, host and port that the key will be sent to, such as `https://api.openai.com`.",
    endpoint: "The same without the scheme.",
    agent: "The participant of kind `a2a` that gets it; left out for a model.",
  },
  "credentials/get result": {
    value: "The key, or `null` where there is none or the user refuses.",
    lend: "The host may keep the key in memory, and use it after the client has gone for the runs that it has started.",
  },
  "tools/call": {
    participant: "Who calls.",
    name: "The tool.",
    input: "The input as the model gave it, or as the user edited it. It fits the tool's `inputSchema`.",
    metadata: "Facts about the call: `resumed: true` where the user told it to run, and what they passed along.",
  },
  "tools/call result": {
    "": "`output`: the result for the model. `error`: an error result. `interrupt`: ask the user, with this payload.",
  },
  "tools/offer": { tools: "All that there are now." },
  "models/stream": {
    requestId: "Names the answer in `models/part`.",
    participant: "Who asks: a participant, or the kind of the team for its manager.",
    vendor: "Who offers the model. Default: anybody.",
    model: "Its id, family or name. Default: the first that the client has.",
    messages:
      "The conversation. The instructions are the first message of the user, and other speakers are named in the text.",
    tools: "What the model may call.",
    "tools[].name": "Its name.",
    "tools[].description": "What it does.",
    "tools[].inputSchema": "The JSON Schema of its input.",
    maxTokens: "The limit on the answer.",
  },
  "models/stream result": {
    "": "After the last part: `usage`, if the model reports it; otherwise the host estimates it. `failure`: there is no answer, or no more of it; `message` is the reason, to be used within a sentence.",
  },
  "models/part": {
    requestId: "The answer.",
    parts: "Its next parts, in order.",
    asksUser:
      "True while the user is asked whether the model may be used, false once that is answered. Left out: no change.",
  },
  "documents/read": { uri: "`file:` URI of the file." },
  "documents/read result": {
    "": "The open document, or `null`. `uri` is the document's own URI, `version` its version for `workspace/applyEdit`, `dirty` whether it has unsaved changes.",
  },
  "documents/save": { uri: "The document's URI, as `documents/read` gave it." },
  "documents/save result": { saved: "True where the document has no unsaved changes now." },
  "editor/problems": { uri: "`file:` URI of the file. Left out: all files." },
  "editor/problems result": {
    "": "`problems`, at most 1000, and how many `more` there are. `failure`: a sentence for the model.",
  },
  "editor/symbols": {
    uri: "The symbols of this file, each before those within it.",
    name: "Those of all files whose names fit this part of a name.",
  },
  "editor/symbols result": {
    "": "`symbols`, at most 1000, and how many `more` there are. `failure`: a sentence for the model.",
  },
  "editor/places": {
    uri: "`file:` URI of the file that has the symbol.",
    position: "Where its name begins.",
    of: "Where it is used, its definition included, or where it is defined.",
  },
  "editor/places result": {
    "": "`places`, at most 2000, and how many `more` there are. `failure`: a sentence for the model.",
  },
  "editor/rename": {
    uri: "`file:` URI of the file that has the symbol.",
    position: "Where its name begins.",
    newName: "What it is to be called.",
  },
  "editor/rename result": {
    "": "`files`, at most 500 with at most 5000 edits each: what the rename would change. `failure`: a sentence for the model.",
  },
  "editor/testTasks result": {
    "": "`tasks`, at most 200, and how many `more` there are. `failure`: a sentence for the model.",
  },
  "editor/terminal result": {
    "": "`output`: the command, the end of what it printed, and its exit code. `failure`: a sentence for the model.",
  },
};
