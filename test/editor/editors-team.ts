/** A team with one participant, which changes `second` to `changed` in notes.txt. */
export const EDITORS = `
name: Editors
kind: roundRobin
participants:
  - { name: ed, tools: [editFile] }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      ed:
        - calls: [{ tool: editFile, input: { path: notes.txt, old: second, new: changed } }]
        - That is edited.
`;
