import type { ESTree } from 'meriyah';
import type { Confidence } from '../model/execution.ts';
import { decideCondition, readCondition } from './evaluate.ts';
import type { Completion, Interpreter } from './interpreter.ts';
import { UNDEFINED, UNKNOWN } from './value.ts';

/** Executes statements in order and stops after a statement that always exits the function. */
export function execute(interpreter: Interpreter, body: readonly ESTree.Node[]): Completion {
  for (const statement of body) hoist(interpreter, statement);
  for (const statement of body) if (step(interpreter, statement) === 'left') return 'left';
  return 'normal';
}

function hoist(interpreter: Interpreter, statement: ESTree.Node): void {
  const node = statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
  if (node.type !== 'FunctionDeclaration' || !node.id) return;
  const { scope, script } = interpreter.frame;
  const value = interpreter.registerFunction({ kind: 'function', node, scope, script });
  if (scope.up) interpreter.write(scope.names, node.id.name, value);
  else {
    interpreter.write(scope.names, node.id.name, value);
    interpreter.emit(node.start ?? 0, { op: 'define', path: node.id.name, empty: node.body?.body.length === 0 });
    interpreter.noteDefinition(node.id.name);
  }
}

function step(interpreter: Interpreter, node: ESTree.Node): Completion | undefined {
  switch (node.type) {
    case 'ExpressionStatement':
      interpreter.evaluate(node.expression);
      return;
    case 'VariableDeclaration':
      for (const declarator of node.declarations) {
        const isVarAgain = node.kind === 'var' && !declarator.init;
        if (isVarAgain && declarator.id.type === 'Identifier' && interpreter.frame.scope.names.has(declarator.id.name))
          continue;
        const value = declarator.init ? interpreter.evaluate(declarator.init) : UNDEFINED;
        if (declarator.id.type === 'Identifier' && declarator.id.name === 'urls' && value.kind === 'list') {
          const init = declarator.init!;
          interpreter.emit(init.start ?? 0, {
            op: 'data',
            key: 'urls',
            value,
            from: init.start ?? 0,
            to: init.end ?? 0,
          });
        }
        if (isVarAgain && !interpreter.frame.scope.up) continue;
        interpreter.bind(declarator.id, value);
      }
      return;
    case 'IfStatement':
      return readIf(interpreter, node);
    case 'BlockStatement':
    case 'StaticBlock':
      return interpreter.execute(node.body);
    case 'ReturnStatement':
      interpreter.frame.returns.push(node.argument ? interpreter.evaluate(node.argument) : UNDEFINED);
      return 'left';
    case 'ThrowStatement':
      interpreter.evaluate(node.argument);
      return 'left';
    case 'TryStatement':
      interpreter.execute(node.block.body);
      interpreter.branch(node.handler ? [() => interpreter.execute(node.handler!.body.body)] : [], {
        consent: false,
        names: [],
      });
      return node.finalizer ? interpreter.execute(node.finalizer.body) : undefined;
    case 'ForStatement':
      if (node.init) step(interpreter, node.init);
      readLoop(interpreter, node.test ?? null, [node.body, node.update]);
      return;
    case 'WhileStatement':
      readLoop(interpreter, node.test, [node.body]);
      return;
    case 'DoWhileStatement':
      readLoop(interpreter, null, [node.body, node.test]);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      readEach(interpreter, node);
      return;
    case 'SwitchStatement':
      readSwitch(interpreter, node);
      return;
    case 'LabeledStatement':
      step(interpreter, node.body);
      return;
    case 'FunctionDeclaration':
    case 'EmptyStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'DebuggerStatement':
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return;
    case 'ExportNamedDeclaration':
      if (node.declaration) step(interpreter, node.declaration);
      return;
    case 'ExportDefaultDeclaration':
    case 'WithStatement':
      if (node.type === 'WithStatement') interpreter.execute([node.body]);
      else interpreter.evaluate(node.declaration);
      return;
    case 'ClassDeclaration':
      interpreter.evaluate(node);
      return;
    default:
      interpreter.evaluate(node);
      return;
  }
}

function readIf(interpreter: Interpreter, first: ESTree.IfStatement): Completion {
  const branches: { readonly read: () => Completion; readonly dead: Confidence | null }[] = [];
  const note = { consent: false, names: [] as string[] };
  let node: ESTree.Node | null | undefined = first;
  // If a condition is definitely or apparently true, the branches after it are unreachable.
  let decided: Confidence | null = null;
  // An `else if` chain is one condition with many branches, so a loop processes the chain without recursion.
  while (node?.type === 'IfStatement' && decided !== 'certain') {
    const condition = readCondition(interpreter, node.test);
    note.consent ||= condition.note.consent;
    note.names.push(...condition.note.names);
    const { known, confidence } = decideCondition(interpreter, condition);
    const { consequent, alternate }: ESTree.IfStatement = node;
    branches.push({
      read: () => interpreter.execute([consequent]),
      dead: decided ?? (known === false ? confidence : null),
    });
    if (known === true) decided ??= confidence;
    node = alternate;
  }
  const last = node;
  branches.push({ read: () => (last ? interpreter.execute([last]) : 'normal'), dead: decided });
  const live = branches.filter(({ dead }) => dead === null);
  for (const { read, dead } of branches) if (dead === 'certain') interpreter.asUnreachable('certain', read);
  const possible = branches.filter(({ dead }) => dead !== 'certain');
  if (possible.length === 1) return possible[0]!.read();

  const left = new Set<number>();
  const number = interpreter.branch(
    possible.map(({ read, dead }, index) => () => {
      const readBranch = () => {
        if (read() === 'left') left.add(index);
      };
      if (dead === null) readBranch();
      else interpreter.asUnreachable('possible', readBranch);
    }),
    note,
  );
  const staying = possible.flatMap((_branch, index) => (left.has(index) ? [] : [index]));
  if (staying.length === 0) return 'left';
  if (left.size > 0 && note.consent && interpreter.frame.state === 'run') interpreter.frame.state = 'gated';
  const [only] = live;
  if (live.length === 1 && left.has(possible.indexOf(only!))) interpreter.leavePossibly();
  else if (left.size > 0 && staying.length === 1)
    interpreter.continueInBranch({ condition: number, branch: staying[0]! });
  return 'normal';
}

/** Reads a loop once. If the loop condition is initially false, treats the loop as code that never runs. */
function readLoop(
  interpreter: Interpreter,
  test: ESTree.Node | null,
  parts: readonly (ESTree.Node | null | undefined)[],
): void {
  const condition = test && readCondition(interpreter, test);
  const { known, confidence } = condition ? decideCondition(interpreter, condition) : { known: null, confidence: null };
  const read = () => {
    for (const part of parts) if (part) interpreter.execute([part]);
  };
  if (known === false && confidence === 'certain') interpreter.asUnreachable('certain', read);
  else {
    const readOnce = () => interpreter.branch([read], { consent: false, names: [] });
    if (known === false) interpreter.asUnreachable('possible', readOnce);
    else interpreter.withConfidence('possible', readOnce);
  }
}

/**
 * Reads the cases of a `switch` statement as branches of one condition. If the value and the cases are known, only the
 * matching case runs, along with the cases after it up to the first `break`.
 */
function readSwitch(interpreter: Interpreter, node: ESTree.SwitchStatement): void {
  const { value, note } = readCondition(interpreter, node.discriminant);
  const tests = node.cases.map(({ test }) => (test ? readCondition(interpreter, test) : null));
  const isKnown = value.kind === 'literal' && tests.every(test => test === null || test.value.kind === 'literal');
  const match = tests.findIndex(
    test => test?.value.kind === 'literal' && value.kind === 'literal' && test.value.value === value.value,
  );
  const entered = match >= 0 ? match : tests.indexOf(null);
  const names = [...note.names, ...tests.flatMap(test => test?.note.names ?? [])];
  const { confidence } = decideCondition(interpreter, { value, note: { ...note, names } });
  if (!isKnown || confidence === null) {
    const reads = node.cases.map(c => () => void interpreter.execute(c.consequent));
    interpreter.branch(reads, note);
    return;
  }
  let runs = false;
  node.cases.forEach(({ consequent }, index) => {
    runs ||= index === entered;
    if (!runs) interpreter.asUnreachable(confidence, () => interpreter.execute(consequent));
    else if (interpreter.execute(consequent) === 'left' || consequent.some(breaks)) runs = false;
  });
}

const breaks = (node: ESTree.Node): boolean =>
  node.type === 'BreakStatement' || (node.type === 'BlockStatement' && node.body.some(breaks));

const MAX_TURNS = 8;

function readEach(interpreter: Interpreter, node: ESTree.ForOfStatement | ESTree.ForInStatement): void {
  const over = interpreter.evaluate(node.right);
  const known =
    node.type === 'ForOfStatement' && over.kind === 'list' && !over.isArguments && over.items.length <= MAX_TURNS;
  const isEmpty = known && over.items.length === 0 && interpreter.frame.state === 'run';
  const turns = known && !isEmpty ? over.items : [UNKNOWN];
  const pattern = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
  interpreter.withConfidence('possible', () => {
    for (const [turn, item] of turns.entries()) {
      const read = () => {
        if (pattern && pattern.type !== 'MemberExpression') interpreter.bind(pattern, item);
        interpreter.execute([node.body]);
      };
      if (isEmpty) interpreter.asUnreachable('possible', read);
      else if (turn === 0) read();
      else if (interpreter.mayRepeat()) interpreter.repeat(read);
    }
  });
}
