import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** One small change of a source file that a test should notice. */
export interface Mutant {
  /** The file, from the project's root. */
  readonly file: string;
  /** The line that is changed, counted from 1. */
  readonly line: number;
  /** The characters that are replaced. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

type Change = Pick<Mutant, "start" | "end" | "replacement">;

/**
 * Every mutant of a file. Strings are not changed, since tests do not check wording, nor types, which do not run.
 * @throws Error for a file that does not parse.
 */
export function mutantsOf(file: string, text: string): Mutant[] {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`);
  const mutants: Mutant[] = [];
  const visit = (node: Node, parent: Node): void => {
    for (const change of changesOf(node, parent, text)) {
      mutants.push({ file, line: lineAt(text, change.start), ...change });
    }
    for (const child of childrenOf(node)) visit(child, node);
  };
  visit(program, program);
  return mutants;
}

/** The file's text with the mutant in it. */
export function mutated(text: string, { start, end, replacement }: Change): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** Of TypeScript's own nodes, those that wrap an expression run; all others are types. */
const WRAPPERS = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);
const TYPES = new Set([
  "typeAnnotation",
  "typeParameters",
  "typeArguments",
  "returnType",
  "superTypeArguments",
  "implements",
]);

function childrenOf(node: Node): Node[] {
  if (node.type.startsWith("TS") && !WRAPPERS.has(node.type)) return [];
  return (visitorKeys[node.type] ?? [])
    .filter((key) => !TYPES.has(key))
    .flatMap((key) => Object.entries(node).flatMap(([name, value]) => (name === key ? [value] : [])))
    .flat()
    .filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

const SWAPPED: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
};

/** Methods that are easily confused with each other. */
const SWAPPED_METHODS: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
  find: "findLast",
  findLast: "find",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
};

/** Methods whose result has the type of what they are called on, so that the call can be removed. */
const DROPPED_METHODS = new Set([
  "filter",
  "slice",
  "trim",
  "trimEnd",
  "trimStart",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
]);

function changesOf(node: Node, parent: Node, text: string): Change[] {
  const textOf = ({ start, end }: Node): string => text.slice(start, end);
  switch (node.type) {
    case "Literal":
      return typeof node.value === "boolean" ? replaced(node, String(!node.value)) : [];
    case "ArrayExpression":
      return node.elements.length === 0 ? [] : replaced(node, "[]");
    case "ExpressionStatement":
      return isRemovable(node.expression) ? replaced(node, ";") : [];
    case "MemberExpression":
      return node.optional ? replaced(node, textOf(node).replace("?.", node.computed ? "" : ".")) : [];
    case "CallExpression":
      return callChanges(node.callee, node, textOf);
    default:
      return [...conditionChanges(node), ...operatorChanges(node, parent, text)];
  }
}

function conditionChanges(node: Node): Change[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return replaced(node.test, "true", "false");
    // `true` would only make them loop forever.
    case "WhileStatement":
    case "DoWhileStatement":
      return replaced(node.test, "false");
    case "ForStatement":
      return node.test === null ? [] : replaced(node.test, "false");
    default:
      return [];
  }
}

function operatorChanges(node: Node, parent: Node, text: string): Change[] {
  /** The operator is the first such text between its operands. */
  const swapped = (left: Node, right: Node, operator: string): Change[] => {
    const start = text.indexOf(operator, left.end);
    if (start === -1 || start >= right.start) return [];
    return (SWAPPED[operator] ?? []).map((replacement) => ({ start, end: start + operator.length, replacement }));
  };
  switch (node.type) {
    case "BinaryExpression":
      if (isTestOf(node, parent) || (node.operator === "+" && (isText(node.left) || isText(node.right)))) return [];
      return swapped(node.left, node.right, node.operator);
    case "AssignmentExpression":
      return swapped(node.left, node.right, node.operator);
    case "LogicalExpression":
      if (node.operator !== "??") return swapped(node.left, node.right, node.operator);
      return replaced(node, text.slice(node.left.start, node.left.end));
    case "UnaryExpression":
      if (isTestOf(node, parent) || (node.operator !== "!" && node.operator !== "-")) return [];
      return replaced(node, text.slice(node.argument.start, node.argument.end));
    case "UpdateExpression":
      return replaced(
        node,
        text.slice(node.start, node.end).replace(node.operator, node.operator === "++" ? "--" : "++"),
      );
    default:
      return [];
  }
}

const replaced = ({ start, end }: Node, ...replacements: readonly string[]): Change[] =>
  replacements.map((replacement) => ({ start, end, replacement }));

function callChanges(callee: Node, call: Node, textOf: (node: Node) => string): Change[] {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  const { name, start, end } = callee.property;
  const neighbour = SWAPPED_METHODS[name];
  if (neighbour !== undefined) return [{ start, end, replacement: neighbour }];
  if (!DROPPED_METHODS.has(name)) return [];
  return [{ start: call.start, end: call.end, replacement: textOf(callee.object) }];
}

/** A whole condition is replaced by `true` and by `false`, which finds more than its negation. */
function isTestOf(node: Node, parent: Node): boolean {
  return "test" in parent && parent.test === node;
}

const isText = (node: Node): boolean =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");

/** Statements with an effect, so that a test should notice when one is removed. */
function isRemovable(expression: Node): boolean {
  if (expression.type === "CallExpression") return expression.callee.type !== "Super";
  return ["AwaitExpression", "AssignmentExpression", "UpdateExpression", "YieldExpression", "ChainExpression"].includes(
    expression.type,
  );
}
