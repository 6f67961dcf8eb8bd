import type { ESTree } from 'meriyah';
import { readCondition } from './evaluate.ts';
import type { Interpreter } from './interpreter.ts';
import { truth, UNDEFINED, UNKNOWN } from './value.ts';

/** Executes statements in order and stops after a statement that always exits the function. */
export function execute(interpreter: Interpreter, body: readonly ESTree.Node[]): void {
  for (const statement of body) hoist(interpreter, statement);
  for (const statement of body) if (step(interpreter, statement) === 'left') return;
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
  }
}

const leaves = (node: ESTree.Node): boolean =>
  node.type === 'ReturnStatement' ||
  node.type === 'ThrowStatement' ||
  (node.type === 'BlockStatement' && node.body.length > 0 && leaves(node.body[node.body.length - 1]!));

function step(interpreter: Interpreter, node: ESTree.Node): 'left' | undefined {
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
      interpreter.execute(node.body);
      return node.body.length > 0 && leaves(node.body[node.body.length - 1]!) ? 'left' : undefined;
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
      if (node.finalizer) interpreter.execute(node.finalizer.body);
      return;
    case 'ForStatement':
      if (node.init) step(interpreter, node.init);
      readLoop(interpreter, [node.test, node.body, node.update]);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
      readLoop(interpreter, [node.test, node.body]);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      readEach(interpreter, node);
      return;
    case 'SwitchStatement': {
      const { note } = readCondition(interpreter, node.discriminant);
      interpreter.branch(
        node.cases.map(c => () => interpreter.execute(c.consequent)),
        note,
      );
      return;
    }
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

function readIf(interpreter: Interpreter, first: ESTree.IfStatement): 'left' | undefined {
  const branches: (() => void)[] = [];
  const note = { consent: false, names: [] as string[] };
  let node: ESTree.Node | null | undefined = first;
  let whole = true;
  // An `else if` chain is one condition with many branches, so a loop processes the chain without recursion.
  while (node?.type === 'IfStatement') {
    const { value, note: testNote } = readCondition(interpreter, node.test);
    note.consent ||= testNote.consent;
    note.names.push(...testNote.names);
    // A variable can change before the code runs, so treat only a literal condition as known.
    const known = testNote.names.length === 0 && value.kind === 'literal' ? truth(value) : null;
    const { consequent, alternate }: ESTree.IfStatement = node;
    const read = () => interpreter.execute([consequent]);
    branches.push(known === false ? () => interpreter.asUnreachable(read) : read);
    node = known === true ? null : alternate;
    whole = node !== null && node !== undefined;
  }
  const last = node;
  if (last) branches.push(() => interpreter.execute([last]));
  else if (branches.length > 1 && !whole) branches.push(() => undefined);
  interpreter.branch(branches, note);
  const stops = !first.alternate && leaves(first.consequent);
  if (stops && note.consent && interpreter.frame.state === 'run') interpreter.frame.state = 'gated';
  return;
}

function readLoop(interpreter: Interpreter, parts: readonly (ESTree.Node | null | undefined)[]): void {
  const read = () => {
    for (const part of parts) if (part) interpreter.execute([part]);
  };
  interpreter.withConfidence('possible', () => interpreter.branch([read], { consent: false, names: [] }));
}

const MAX_TURNS = 8;

function readEach(interpreter: Interpreter, node: ESTree.ForOfStatement | ESTree.ForInStatement): void {
  const over = interpreter.evaluate(node.right);
  const known =
    node.type === 'ForOfStatement' && over.kind === 'list' && !over.isArguments && over.items.length <= MAX_TURNS;
  const turns = known ? over.items : [UNKNOWN];
  const pattern = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
  interpreter.withConfidence('possible', () => {
    for (const [turn, item] of turns.entries()) {
      const read = () => {
        if (pattern && pattern.type !== 'MemberExpression') interpreter.bind(pattern, item);
        interpreter.execute([node.body]);
      };
      if (turn === 0) read();
      else if (interpreter.mayRepeat()) interpreter.repeat(read);
    }
  });
}
