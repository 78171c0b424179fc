const ALL = `Gavel runs teams of AI agents. Usage:

  gavel run FILE "task"      run a team, and talk with it
  gavel list                 list the threads of this folder
  gavel show ID              print a thread
  gavel export ID            print a thread as Markdown
  gavel check FILE…          check team files
  gavel serve                have runs go on when windows and terminals close
  gavel worker               run participants, models and tools for hosts on other machines
  gavel acp FILE             serve a team to an editor by the Agent Client Protocol
  gavel help COMMAND         say more about a command

Threads are those of VS Code where it has had the folder open. docs/COMMAND-LINE.md has all of it.`;

const COMMON = `  --folder DIR               the folder in which the team works; this one if left out
  --own-store                use the command line's own threads, not those of VS Code
  --no-color                 no colours (as NO_COLOR)`;

const REMOTE = `  --host HOST:PORT           threads of another computer, whose user has given you a token: GAVEL_HOST_TOKEN
  --certificate FILE         its certificate, where the system does not trust it`;

const PAGES: Readonly<Record<string, string>> = {
  run: `gavel run FILE "task"      run a team; with - the task is read from the standard input
gavel run FILE --continue ["message"]     go on with the last thread of the file
gavel run --thread ID ["message"]         go on with a thread of "gavel list"

  --model MODEL              PROVIDER:MODEL, PROVIDER:MODEL@URL, or a key of the file's models
  --approve RULE             allow tool calls: TOOL, TOOL(PATTERN) or the JSON of a rule; repeatable
  --deny RULE                deny tool calls, likewise
  --review RULE              have the results of tool calls wait for you before the model gets them, likewise
  --allow-origin ORIGIN      allow messages and keys to an endpoint; repeatable
  --allow-program DIGEST     allow a program that the team starts; it is asked for with its digest
  --json                     print each event in a line of JSON
  --otel-endpoint URL        send spans to your OpenTelemetry collector (as OTEL_EXPORTER_OTLP_ENDPOINT)
  --otel-content             send what is said and what tools return too
${REMOTE}
${COMMON}

Keys come from the environment: GAVEL_KEY_NAME for a key that the file calls "name", or OPENAI_API_KEY,
ANTHROPIC_API_KEY and GEMINI_API_KEY for the providers' own endpoints. The latter, GAVEL_STORE, GAVEL_LINK and
GAVEL_HOST_TOKEN may be in files instead: OPENAI_API_KEY_FILE, GAVEL_STORE_FILE and so on name them.

Exit codes: 0 finished, 1 failed, 2 wrong use, 3 paused, 4 waits for you, 5 runs on or elsewhere, 130 ended by Ctrl+C.

While it runs: @name message for one participant, a message for all; /now before it interrupts, /queue waits for
the end of the run. Ctrl+C interrupts and keeps the text so far, and ends the command when pressed again. A thread that
another client runs is followed; Ctrl+D leaves a thread of a host that goes on as it is.`,
  acp: `gavel acp [FILE]           serve a team as an agent of the Agent Client Protocol, on the standard input and
                           output; without a file, one assistant with the model of --model or GAVEL_MODEL

  --model, --approve, --deny, --review, --allow-origin, --allow-program, --own-store: as in "gavel help run"`,
  serve: `gavel serve                start an agent host that all windows and terminals of this folder join, and that goes on
                           when they close
gavel serve --status       say which host runs, and what runs in it; exits with 1 if there is none
gavel serve --stop         end it: what runs is interrupted, and everything is kept

gavel serve --add-user ID  let a user of another computer join, with the token that is printed

  --foreground               stay until the host ends, which ends with this command: for containers and services. It does
                             not end when it is idle; SIGTERM and SIGINT go to the host, and its exit code is this one's
  --idle-minutes N           end it when it has had no client and no run for N minutes; 10 if left out
  --listen HOST:PORT         let users of other computers join there, with TLS alone:
  --certificate FILE         the certificate of the host, as PEM
  --key FILE                 its key
  --user-name NAME           the name of the user who is added, which others see
  --metrics HOST:PORT        tell there how it does: /metrics for Prometheus, /healthz and /readyz
  --log FILE                 write its log to the end of a file, in lines of JSON; SIGHUP opens the file again. With
                             --foreground, - is the standard output
  --log-level LEVEL          error, warn, info (if left out) or debug
  --drain-seconds N          after SIGTERM let runs go on for at most N seconds, and start none; 0 if left out
${COMMON}`,
  worker: `gavel worker --participants FILE     run what the file lists for the teams of hosts on a link, until it is ended

  --link ADDRESS             the link: nats://HOST:PORT or tls://HOST:PORT; GAVEL_LINK, or what the file GAVEL_LINK_FILE
                             has, if left out: other users can read arguments
  --name NAME                the name that team files use: on: { worker: NAME }; that in the file if left out

Keys of models come from the environment, as for "gavel run", and stay with the worker. SIGTERM or Ctrl+C: it takes no
more work and ends when its turns have ended, at most 30 seconds later; a second one ends it at once.`,
  list: `gavel list                 the threads of this folder, the last used first

  --json                     print them as JSON
${REMOTE}
${COMMON}`,
  show: `gavel show ID              print a thread; the start of an id is enough

${REMOTE}
${COMMON}`,
  export: `gavel export ID            print a thread as Markdown

  -o, --output FILE          write it to a new file instead
${REMOTE}
${COMMON}`,
  check: `gavel check FILE…          check team files; prints FILE:LINE:COLUMN and what is wrong, and exits with 1

Then their agents: whether there is the program of each one, which is not started, and whether the card of each remote
one can be read, which is asked for only where that is allowed:

  --allow-origin ORIGIN      allow to ask for cards at an origin; repeatable
  --allow-program DIGEST     allow it for an agent that has headers; it is asked for with its digest

${COMMON}`,
};

/** The help on a command, or on all of them. */
export const helpText = (about: string | undefined): string =>
  about !== undefined && Object.hasOwn(PAGES, about) ? (PAGES[about] ?? ALL) : ALL;
