import type { ESTree } from 'meriyah';
import { readCondition } from './evaluate.ts';
import type { Machine } from './machine.ts';
import { truth, UNDEFINED, UNKNOWN } from './value.ts';

/** Reads statements in order. Stops after one that leaves the function for good. */
export function execute(machine: Machine, body: readonly ESTree.Node[]): void {
  for (const statement of body) hoist(machine, statement);
  for (const statement of body) if (step(machine, statement) === 'left') return;
}

function hoist(machine: Machine, statement: ESTree.Node): void {
  const node = statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
  if (node.type !== 'FunctionDeclaration' || !node.id) return;
  const { scope, script } = machine.frame;
  const value = machine.meet({ kind: 'function', node, scope, script });
  if (scope.up) machine.write(scope.names, node.id.name, value);
  else {
    machine.write(scope.names, node.id.name, value);
    machine.emit(node.start ?? 0, { op: 'define', path: node.id.name, empty: node.body?.body.length === 0 });
  }
}

const leaves = (node: ESTree.Node): boolean =>
  node.type === 'ReturnStatement' ||
  node.type === 'ThrowStatement' ||
  (node.type === 'BlockStatement' && node.body.length > 0 && leaves(node.body[node.body.length - 1]!));

function step(machine: Machine, node: ESTree.Node): 'left' | undefined {
  switch (node.type) {
    case 'ExpressionStatement':
      machine.evaluate(node.expression);
      return;
    case 'VariableDeclaration':
      for (const declarator of node.declarations) {
        const isVarAgain = node.kind === 'var' && !declarator.init;
        if (isVarAgain && declarator.id.type === 'Identifier' && machine.frame.scope.names.has(declarator.id.name))
          continue;
        const value = declarator.init ? machine.evaluate(declarator.init) : UNDEFINED;
        if (declarator.id.type === 'Identifier' && declarator.id.name === 'urls' && value.kind === 'list') {
          const init = declarator.init!;
          machine.emit(init.start ?? 0, { op: 'data', key: 'urls', value, from: init.start ?? 0, to: init.end ?? 0 });
        }
        if (isVarAgain && !machine.frame.scope.up) continue;
        machine.bind(declarator.id, value);
      }
      return;
    case 'IfStatement':
      return readIf(machine, node);
    case 'BlockStatement':
    case 'StaticBlock':
      machine.execute(node.body);
      return node.body.length > 0 && leaves(node.body[node.body.length - 1]!) ? 'left' : undefined;
    case 'ReturnStatement':
      machine.frame.returns.push(node.argument ? machine.evaluate(node.argument) : UNDEFINED);
      return 'left';
    case 'ThrowStatement':
      machine.evaluate(node.argument);
      return 'left';
    case 'TryStatement':
      machine.execute(node.block.body);
      machine.branch(node.handler ? [() => machine.execute(node.handler!.body.body)] : [], {
        consent: false,
        names: [],
      });
      if (node.finalizer) machine.execute(node.finalizer.body);
      return;
    case 'ForStatement':
      if (node.init) step(machine, node.init);
      readLoop(machine, [node.test, node.body, node.update]);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
      readLoop(machine, [node.test, node.body]);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      readEach(machine, node);
      return;
    case 'SwitchStatement': {
      const { note } = readCondition(machine, node.discriminant);
      machine.branch(
        node.cases.map(c => () => machine.execute(c.consequent)),
        note,
      );
      return;
    }
    case 'LabeledStatement':
      step(machine, node.body);
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
      if (node.declaration) step(machine, node.declaration);
      return;
    case 'ExportDefaultDeclaration':
    case 'WithStatement':
      if (node.type === 'WithStatement') machine.execute([node.body]);
      else machine.evaluate(node.declaration);
      return;
    case 'ClassDeclaration':
      machine.evaluate(node);
      return;
    default:
      machine.evaluate(node);
      return;
  }
}

function readIf(machine: Machine, first: ESTree.IfStatement): 'left' | undefined {
  const arms: (() => void)[] = [];
  const note = { consent: false, names: [] as string[] };
  let node: ESTree.Node | null | undefined = first;
  let whole = true;
  // A chain of `else if` is one condition with many arms, and is followed without recursion.
  while (node?.type === 'IfStatement') {
    const { value, note: heard } = readCondition(machine, node.test);
    note.consent ||= heard.consent;
    note.names.push(...heard.names);
    // A variable may have changed by the time the code runs; only what is written out is known.
    const known = heard.names.length === 0 && value.kind === 'literal' ? truth(value) : null;
    const { consequent, alternate }: ESTree.IfStatement = node;
    const read = () => machine.execute([consequent]);
    arms.push(known === false ? () => machine.asUnreached(read) : read);
    node = known === true ? null : alternate;
    whole = node !== null && node !== undefined;
  }
  const last = node;
  if (last) arms.push(() => machine.execute([last]));
  else if (arms.length > 1 && !whole) arms.push(() => undefined);
  machine.branch(arms, note);
  const stops = !first.alternate && leaves(first.consequent);
  if (stops && note.consent && machine.frame.state === 'run') machine.frame.state = 'gated';
  return;
}

function readLoop(machine: Machine, parts: readonly (ESTree.Node | null | undefined)[]): void {
  const read = () => {
    for (const part of parts) if (part) machine.execute([part]);
  };
  machine.withConfidence('possible', () => machine.branch([read], { consent: false, names: [] }));
}

const MAX_TURNS = 8;

function readEach(machine: Machine, node: ESTree.ForOfStatement | ESTree.ForInStatement): void {
  const over = machine.evaluate(node.right);
  const known =
    node.type === 'ForOfStatement' && over.kind === 'list' && !over.isArguments && over.items.length <= MAX_TURNS;
  const turns = known ? over.items : [UNKNOWN];
  const pattern = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
  machine.withConfidence('possible', () => {
    for (const [turn, item] of turns.entries()) {
      const read = () => {
        if (pattern && pattern.type !== 'MemberExpression') machine.bind(pattern, item);
        machine.execute([node.body]);
      };
      if (turn === 0) read();
      else if (machine.mayRepeat()) machine.repeat(read);
    }
  });
}
