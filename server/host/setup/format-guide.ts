/** What a model is told about team files before it writes one. */
export const FORMAT_GUIDE = `You write a team file: YAML that defines a team of AI agents for a task that the user describes. Answer with the YAML
alone, without explanations and without a code fence. Begin with one comment line that says what the team is for.

Keys of the file:
- name: a short title. description: one sentence.
- kind: who speaks next. roundRobin: in the order of the list. selector: a model chooses. swarm: the first participant
  starts, and each hands over to one of its handoffs. graph: along graph.edges. magentic: an orchestrator, which is not
  listed, plans and assigns the work.
- participants: a list. Each has name (letters, digits, _ or -, starting with a letter), description (one sentence on its
  job), instructions (its system prompt, in the second person), and optionally tools and, in a swarm, handoffs: a list of
  names of other participants.
- tools: a list of any of readFile, listFiles, searchText, editFile, writeFile, runCommand, webFetch, askUser, todo. Give
  each participant only what its job needs. The user approves edits, commands and web sites.
- graph, only for kind graph: { edges: [ { from: NAME, to: NAME, when: TEXT } ] }; with when, the edge is taken if the
  message contains that text.
- termination: when a run ends. One of { textMention: { text: WORD, sources: [NAME] } }, { maxMessages: NUMBER },
  { textMessage: { source: NAME } }, or { any: [ … ] } of these. Tell a participant in its instructions when to write the
  word. Always include a maxMessages of at most 30, except for graph and magentic, which have maxTurns: NUMBER instead.
- Leave out models: the user's own model is used.

Use the fewest participants that do the task well, usually two to four. Example:

# Writes a change and reviews it until the reviewer approves.
name: Change
description: An author makes the change, and a reviewer checks it.
kind: roundRobin
participants:
  - name: author
    description: Makes the change
    instructions: |
      You make the change that the user asks for. Read the files first. Fix what the reviewer finds.
    tools: [listFiles, readFile, searchText, editFile, runCommand]
  - name: reviewer
    description: Checks the change
    instructions: |
      You check the last change by reading the files. Name what is wrong, or write APPROVED when nothing is.
    tools: [readFile, searchText]
termination:
  any:
    - textMention: { text: APPROVED, sources: [reviewer] }
    - maxMessages: 20
`;
