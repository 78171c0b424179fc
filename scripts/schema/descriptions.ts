/**
 * What each key of a team file means, for the editor's hover and docs/TEAM-FILES.md: by the name of its definition,
 * then by the keys that lead to it from there. The key "" is the definition itself. The texts are here and not in the
 * contract's schemas, because the client bundles those too.
 */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The settings that all models behind an endpoint share. */
const endpoint = {
  apiKey:
    "The key for the endpoint. If omitted, OPENAI_API_KEY is used for OpenAI and AZURE_OPENAI_API_KEY for Azure; with a baseUrl, no key is sent.",
  "apiKey.secret": "The name of a key stored with Gavel: Set API Key. Never the key itself.",
  api: "The API to use: chat (Chat Completions, the default) or responses (Responses API).",
  temperature: "Sampling temperature, from 0 (most predictable) to 2.",
  maxTokens: "The maximum number of tokens in one answer.",
  reasoning: "Settings of a reasoning model.",
  "reasoning.effort": "How much the model reasons before it answers.",
  "reasoning.summary": "Shows a summary of the model's reasoning, at this level of detail.",
  addNamePrefixes:
    "Adds “NAME said:” before other participants' messages, for models that ignore the name of a message.",
  fallback:
    "The keys of models that answer instead, in this order, when this one is out of order or overloaded, its key or quota is refused, or it refuses to answer.",
  maxRetries: "How often a failed request is retried. Default: 2.",
  limits: "When an answer that does not end is given up.",
  "limits.idleSeconds":
    "How long the endpoint may send no part of an answer, in seconds. Keep-alive comments and empty events do not count. Default: 600.",
  "limits.eventBytes": "How much the endpoint may send without an event, in bytes. Default: 8,000,000.",
  "limits.answerBytes": "How much the endpoint may send in one answer, in bytes. Default: 256,000,000.",
  contextWindow: "The maximum number of tokens of a request and its answer together.",
  price: "The price in US dollars per million tokens. With it, costs are shown and can be limited.",
  "price.prompt": "US dollars per million prompt tokens.",
  "price.completion": "US dollars per million completion tokens.",
  "price.cachedPrompt":
    "US dollars per million prompt tokens that the endpoint had cached. Default: the same as prompt.",
};

export const DESCRIPTIONS: Descriptions = {
  Team: {
    "": "A team of agents: its participants, how the next speaker is selected, its models, and when a run ends.",
    name: "The name of the team, shown in lists and in the chat.",
    description: "What the team is for.",
    instructionFiles:
      "Markdown files of the workspace, such as AGENTS.md, that are added to the instructions of every assistant.",
    skills: "Folders with skills, for every assistant; as for a participant.",
    kind: "How the next speaker is selected. roundRobin: in turn. selector: by rules or a model. swarm: by handoff. graph: along the edges of a graph. magentic: by an orchestrator that plans and tracks progress.",
    participants: "The participants. Round robin follows their order, and the first one starts a swarm.",
    models:
      "The models, by keys of your choice. A participant without a model uses the one called default, or the only one.",
    mcpServers:
      "Servers of the Model Context Protocol, by names of your choice. A participant lists their tools as server/tool, or all of them as server/*. Each is started only after the user has allowed it.",
    termination: "When a run ends.",
    maxTurns: "The maximum number of turns in a run.",
    approvals: "Who has to approve tool calls, in a team that several users share. Only in the outermost team.",
    "approvals.required":
      "How many users have to approve a call before it runs. The chair of the team can require more, not fewer. Default: 1.",
    interrupts:
      "Rules that interrupt a run of this team or of its nested teams. Each applies at most once per run, and stops the same call or turn once: continuing lets it pass.",
    monitors: "Programs outside the team that may interrupt the reasoning of its participants.",
    selector: "How a selector team selects the next speaker.",
    "selector.model": "The key of the model that selects the next speaker.",
    "selector.prompt": "The prompt for that model. {roles}, {participants} and {history} are replaced.",
    "selector.allowRepeats": "Whether the same participant may speak twice in a row. Default: false.",
    "selector.maxAttempts":
      "How often the model is asked until it names exactly one participant; after that the previous speaker speaks again. Default: 3.",
    "selector.rules":
      "Rules that narrow down the next speaker. The first one that matches applies; if one participant is left, no model is asked.",
    graph: "Who speaks after which participant in a graph team.",
    "graph.edges": "The edges of the graph: after the participant in from, the one in to speaks.",
    "graph.entry": "Who speaks first: a name or a list of names. Default: the participants without incoming edges.",
    magentic: "How the orchestrator of a magentic team works.",
    "magentic.model": "The key of the orchestrator's model.",
    "magentic.maxStalls": "The number of rounds without progress after which a new plan is made. Default: 3.",
    "magentic.finalAnswerPrompt": "The prompt for the final answer when the task is done.",
  },
  Participant: {
    "": "A member of the team.",
    name: "The name of the participant, as you, the models and other participants see it. Only a participant of kind user may be called user, as your own messages are.",
    kind: "assistant (default): a model. user: you; the team waits for your message. team: a nested team, whose last message is its answer. societyOfMind: a nested team, whose conversation a model summarizes. acp: a program that speaks the Agent Client Protocol. a2a: an agent elsewhere that speaks Agent2Agent.",
    description: "What the participant does. Shown to whatever selects the next speaker, and to other participants.",
    instructions: "The system prompt of the participant's model, or what an agent is told first.",
    model:
      "The key of the participant's model. Default: the model called default, else the only one, else the setting gavel.model.",
    on: "Where the participant runs, if not in the agent host.",
    "on.worker":
      "The name of the worker that runs it. Its model and its tools are those of the worker's own participant.",
    "on.participant": "What the worker calls it. Default: the name of the participant here.",
    tools:
      "Tools that the model may call: names of Gavel's own tools, declarations of tools that a client runs, or tools of a worker.",
    review:
      "Tools of the participant whose results you review, and can edit, before its model sees them. A star stands for any characters.",
    handoffs:
      "The participants that this one can hand off to. For a user participant, you choose one when you send its message.",
    output: "Makes the answer JSON that conforms to a schema.",
    "output.name": "The name of the schema, as the model sees it.",
    "output.schema": "The JSON Schema of the answer.",
    memory: "What the model is always shown in addition to the conversation.",
    maxToolIterations: "How many times in one turn the model may call tools and see their results. Default: 10.",
    reflectOnToolUse:
      "When maxToolIterations is reached: asks the model for a final answer. If false, a summary of the last tool calls is the answer.",
    toolCallSummaryFormat:
      "The text for each tool call in that summary. {tool_name}, {arguments}, {result} and {is_error} are replaced.",
    capabilities: "What the participant may do to others, such as interrupting them.",
    context:
      "How much of the conversation the model is shown. For a societyOfMind: how much of the talk before its nested team is shown.",
    agent:
      "A custom agent of VS Code, a subagent of Claude Code or a mode of Roo Code (.roomodes#slug) in the workspace. What the team file says itself comes first; instructions are added to those of the file.",
    instructionFiles: "Markdown files of the workspace, such as AGENTS.md, that are added to the instructions.",
    skills:
      "Folders of the workspace with a SKILL.md, or with folders that have one. The model is told what each is for, and reads it when it needs it.",
    command: "The program of a participant of kind acp: a name on the PATH, or a path. It is started without a shell.",
    args: "The arguments of the program.",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in the file
    env: "Environment variables of the program, besides the usual ones. ${env:NAME} is a variable of your environment.",
    cwd: "The folder of the program, relative to the workspace folder. Default: the workspace folder.",
    url: "Where the agent of a participant of kind a2a is: its base address, or that of its agent card.",
    apiKey:
      "The key that the agent at url is sent, as its card says, else as a bearer token. If omitted, none is sent.",
    "apiKey.secret": endpoint["apiKey.secret"],
    headers:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the form in the file
      "Headers of requests to the agent at url and for its card. They go to the origin of url only. ${env:NAME} is a variable of yours, and ${input:NAME} a secret that the user is asked for once.",
    team: "The nested team. Without models of its own, it uses those of the outer team.",
  },
  Handoff: {
    target:
      "The participant that speaks next, or a name outside the team, such as user, with which a handoff condition ends the run.",
    description: "Tells the model when to hand off.",
    message: "The message of the handoff.",
  },
  Memory: {
    notes: "Texts that the model is always shown.",
    files:
      "Files of the workspace that the model is always shown; not files that may hold secrets. They are read again at each turn.",
    keep: "Adds the tool remember. What the model remembers is kept with the team.",
  },
  InterruptRule: {
    "": "A rule that interrupts the run automatically.",
    name: "The name that the interrupt is attributed to. Default: watch.",
    when: "What triggers the rule. If several keys are given, all of them must be true at the same time.",
    severity:
      "pause (default): everything is kept and the run can continue. stop: the next task starts over on the same thread. reset: the thread is cleared as well.",
    grace:
      "When the interrupt takes effect. now (default): immediately. thought: after the model's current answer. turn: after the current turn.",
    scope: "What is interrupted: the whole team (default), or only the participant whose turn triggered the rule.",
    reason: "The reason that is shown and recorded.",
  },
  Watched: {
    message: "A message, also while it is still streaming.",
    "message.contains": "Text that the message contains. Case-sensitive.",
    "message.matches": "A regular expression that the message matches.",
    "message.sources": "Whose messages are checked. Default: all participants. Add user to check your own.",
    tool: "A tool call that a model requests. With grace now or thought, it does not run.",
    "tool.name": "The name of the tool, or a list of names. Default: any tool.",
    "tool.arguments": "The arguments of the call.",
    "tool.arguments.contains": "Text that one of the arguments, or their JSON, contains.",
    "tool.arguments.matches": "A regular expression that one of the arguments, or their JSON, matches.",
    participant: "The current speaker: a name or a list of names. With message or tool, whose these are.",
    turns: "The number of turns that have ended in the run.",
    seconds: "How long the run has lasted, in seconds.",
    tokens: "The number of tokens that the run has used.",
    cost: "What the run has cost, in US dollars, by the price of each model.",
    stall: "Nothing has happened for some time while the team is running.",
    "stall.seconds": "How long, in seconds.",
  },
  Capability: {
    kind: "interrupt: may stop the team with the tool interrupt_team. reasoning/interrupt: may stop or redirect the reasoning of others with the tool interrupt_reasoning.",
    to: "The participants that this applies to: a name, a list of names, or * for all.",
    maxPerMinute: "How often reasoning may be interrupted in a minute; what is more is ignored. Default: 6.",
  },
  Monitor: {
    "": "A program outside the team that may interrupt the reasoning of participants.",
    name: "The name that the program sends its requests from.",
    capabilities: "What the program may do to participants: reasoning/interrupt.",
  },
  Context: {
    kind: "unbounded: the whole conversation. buffered: the last messages. headAndTail: the first and the last messages. tokenLimited: as many of the last messages as fit. summarized: the whole conversation; once it is too long, its older part as a summary that the model writes.",
    size: "The number of messages of a buffered context (default: 10), of tokens of a tokenLimited one (default: the model's contextWindow, else 8000), or of tokens above which a summarized one is summarized (default: 80 % of the contextWindow, else 32,000).",
    head: "How many of the first messages a headAndTail context has. Default: 1.",
    tail: "How many of the last messages a headAndTail context has. Default: 10.",
  },
  Tool: {
    name: "The name of the tool.",
    description: "What the tool does, as the model sees it.",
    inputSchema: "The JSON Schema of the tool's input.",
    approval: "ask: you are asked to approve every call. never (default): calls run without asking.",
    interrupt: "Pauses the team at each call until you give the result.",
    readOnly: "The tool changes nothing, so an interrupted call has had no effect.",
    onInterrupt:
      "What happens to a running call when the team is interrupted: abort it (default), wait for it, or let it continue in the background.",
  },
  OpenAiModel: {
    "": "A model behind OpenAI's API or a compatible endpoint, such as Ollama, vLLM or OpenRouter.",
    provider: "openai: OpenAI's API or a compatible endpoint.",
    model: "The name of the model at the endpoint.",
    baseUrl: "The address of the endpoint, for example http://localhost:11434/v1. Default: OpenAI.",
    ...endpoint,
  },
  AzureModel: {
    "": "A deployment of Azure OpenAI.",
    provider: "azure: a deployment of Azure OpenAI.",
    endpoint: "The address of the resource, for example https://NAME.openai.azure.com.",
    deployment: "The name of the deployment.",
    apiVersion: "The version of the API, for example 2024-10-21, v1 or preview.",
    ...endpoint,
  },
  AnthropicModel: {
    "": "A model behind Anthropic's Messages API.",
    provider: "anthropic: Anthropic's Messages API.",
    model: "The name of the model, for example claude-sonnet-5-5.",
    baseUrl: "The address of an endpoint with Anthropic's API, without /v1/messages. Default: Anthropic's own.",
    apiKey: "The key for the endpoint. If omitted, ANTHROPIC_API_KEY is used; with a baseUrl, no key is sent.",
    "apiKey.secret": endpoint["apiKey.secret"],
    maxTokens: "The maximum number of tokens in one answer, its thoughts included. Default: 32,000.",
    reasoning: "How the model thinks before it answers. Default: as the model does by itself.",
    "reasoning.effort":
      "How much the model thinks and writes; it decides itself when. Its thoughts are shown as a summary. none: it does not think.",
    "reasoning.budgetTokens": "Instead of effort, for models before Claude 4.6: how many tokens it may think.",
    fallback: endpoint.fallback,
    maxRetries: endpoint.maxRetries,
    limits: endpoint.limits,
    "limits.idleSeconds": endpoint["limits.idleSeconds"],
    "limits.eventBytes": endpoint["limits.eventBytes"],
    "limits.answerBytes": endpoint["limits.answerBytes"],
    contextWindow: endpoint.contextWindow,
    price: endpoint.price,
    "price.prompt": endpoint["price.prompt"],
    "price.completion": endpoint["price.completion"],
    "price.cachedPrompt": "US dollars per million prompt tokens read from the cache. Default: a tenth of prompt.",
    "price.cacheWrite": "US dollars per million prompt tokens written to the cache. Default: 1.25 times prompt.",
  },
  GeminiModel: {
    "": "A model behind the Gemini API.",
    provider: "gemini: the Gemini API.",
    model: "The name of the model, for example gemini-3.8-flash.",
    baseUrl: "The address of an endpoint with the Gemini API, without its version. Default: Google's own.",
    apiKey: "The key for the endpoint. If omitted, GEMINI_API_KEY is used; with a baseUrl, no key is sent.",
    "apiKey.secret": endpoint["apiKey.secret"],
    maxTokens: "The maximum number of tokens in one answer, its thoughts included.",
    temperature: endpoint.temperature,
    reasoning:
      "How the model thinks before it answers, with its thoughts shown as a summary. Default: as it does by itself.",
    "reasoning.effort": "How much the model thinks.",
    "reasoning.budgetTokens": "Instead of effort, for Gemini 2.5: how many tokens it may think; 0 for none.",
    fallback: endpoint.fallback,
    maxRetries: endpoint.maxRetries,
    limits: endpoint.limits,
    "limits.idleSeconds": endpoint["limits.idleSeconds"],
    "limits.eventBytes": endpoint["limits.eventBytes"],
    "limits.answerBytes": endpoint["limits.answerBytes"],
    contextWindow: endpoint.contextWindow,
    price: endpoint.price,
    "price.prompt": endpoint["price.prompt"],
    "price.completion": endpoint["price.completion"],
    "price.cachedPrompt": endpoint["price.cachedPrompt"],
  },
  ClientModel: {
    "": "One of the editor's language models, such as GitHub Copilot's. It needs no key: VS Code asks for your consent.",
    provider: "vscode: one of the editor's language models, without a key.",
    vendor: "Who offers the model, for example copilot. Default: anybody.",
    model: "The id, family or name of the model. Default: the first one that the editor has.",
    maxTokens: endpoint.maxTokens,
    fallback: endpoint.fallback,
    contextWindow: endpoint.contextWindow,
    price: endpoint.price,
    "price.prompt": endpoint["price.prompt"],
    "price.completion": endpoint["price.completion"],
    "price.cachedPrompt": endpoint["price.cachedPrompt"],
  },
  WorkerTool: {
    "": "Tools of a worker, which run there. Each call asks unless a rule allows it.",
    name: "The name of the tool at the worker; a star stands for any characters.",
    on: "Where the tool runs.",
    "on.worker": "The name of the worker.",
  },
  WorkerModel: {
    "": "A model of a worker, which has its key and its settings.",
    provider: "worker: a model of a worker.",
    on: "Where the model is.",
    "on.worker": "The name of the worker.",
    model: "What the worker calls the model: its key in the worker's file.",
    fallback: endpoint.fallback,
    contextWindow: endpoint.contextWindow,
    price: endpoint.price,
    "price.prompt": endpoint["price.prompt"],
    "price.completion": endpoint["price.completion"],
    "price.cachedPrompt": endpoint["price.cachedPrompt"],
  },
  PracticeModel: {
    "": "A model for trying things out: it plays the lines written here, without a key or network.",
    provider: "practice: plays the lines written here.",
    pace: "Words per second; 0 plays without delay. Default: 12.",
    lines:
      "What each participant says and does in its turns, step by step. Under selector and magentic: what the model that selects speakers or orchestrates answers.",
    asked: "What each participant answers to messages that you send to it directly.",
  },
  PracticeLine: {
    "": "One step: text, tool calls, or both.",
    say: "The text of the step.",
    calls: "The tools that the step calls.",
    "calls.tool": "The name of the tool.",
    "calls.input": "The input of the call.",
  },
  SelectorRule: {
    after: "The previous speaker: a name or a list of names. Default: any.",
    mentions: "Text that the last message contains.",
    choose: "Who may speak next: a name or a list of names.",
  },
  Edge: {
    from: "The participant that has spoken.",
    to: "The participant that speaks next.",
    when: "When the edge is taken. Default: always. A text means that the message of the participant in from contains it.",
    join: "Whether the target waits for all of its edges that can still be taken (default), or for any one of them.",
  },
  EdgeCondition: {
    contains: "Taken when the message contains this text.",
    lacks: "Taken when the message does not contain this text.",
    matches: "Taken when the message matches this regular expression.",
  },
  Condition: {
    "": "When a run ends: exactly one of these keys. Use any and all to combine conditions.",
    maxMessages: "After this many messages, including the task.",
    textMention: "When a message contains a text.",
    "textMention.text": "The text. Case-sensitive.",
    "textMention.sources": "Whose messages are checked. Default: everyone's.",
    stopMessage: "When a stop message is sent.",
    tokenUsage: "When the run has used this many tokens.",
    "tokenUsage.total": "Prompt and completion tokens together.",
    "tokenUsage.prompt": "Prompt tokens.",
    "tokenUsage.completion": "Completion tokens.",
    handoff: "When a participant hands off to this target, which may be outside the team.",
    "handoff.target": "The target of the handoff.",
    timeout: "After some time.",
    "timeout.seconds": "How long, in seconds.",
    external: "When you run Gavel: Stop After This Turn.",
    sourceMatch: "When one of these participants has spoken.",
    "sourceMatch.sources": "Their names.",
    textMessage: "When a text message is sent.",
    "textMessage.source": "By this participant. Default: by anyone.",
    functionCall: "When a tool has run.",
    "functionCall.name": "The name of the tool.",
    budget: "Pauses the run when one of these amounts is used up. Continuing grants them again.",
    "budget.tokens": "Tokens.",
    "budget.seconds": "Seconds.",
    "budget.turns": "Turns.",
    "budget.cost": "US dollars, by the price of each model.",
    any: "When any of these conditions is true.",
    all: "When all of these conditions have become true.",
  },
  McpProgram: {
    "": "A server that is a program on this computer.",
    type: "stdio, which may be omitted.",
    command: "The program, which is started without a shell: its name on the PATH, or its path.",
    args: "Its arguments.",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: files write placeholders like this.
    env: "Variables that it gets besides the usual ones, such as PATH and HOME. ${env:NAME} is a variable of yours, and ${input:NAME} a secret that the user is asked for once.",
    envFile:
      "A file with more variables, NAME=value in each line; those of env go first. Its variables are shown to the user with the others.",
    cwd: "Its folder. Default: the first open folder.",
  },
  McpHttpServer: {
    "": "A server that is reached by Streamable HTTP, or with type sse by the older HTTP with SSE.",
    type: "http, which may be omitted, or sse. A server of http that refuses it is tried with sse.",
    url: "Its address.",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: files write placeholders like this.
    headers: "Headers that it gets with each request. ${env:NAME} and ${input:NAME} are filled in, as in env.",
    oauth:
      "The client that you have registered with the server's authorization server, where clients cannot register themselves. Its redirect URI is http://127.0.0.1:33418/, as VS Code's, or any port of 127.0.0.1.",
    "oauth.clientId": "Its id, or the address of its metadata document.",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: files write placeholders like this.
    "oauth.clientSecret": "Its secret, if it has one. ${env:NAME} and ${input:NAME} are filled in.",
  },
};
