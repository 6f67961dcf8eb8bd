import type { ESTree } from 'meriyah';
import type { TagObservation } from '../model/observation.ts';
import type { TextEdit } from './file-edit.ts';
import type { CodeEdit, Fix } from './fix.ts';
import type { NoFixReason } from './no-fix-reason.ts';
import { type CodeCall, callAt, isTagStatement } from './tag-statements.ts';
import { statementAt, type ThemeCode } from './theme-code.ts';

/** Renames an event in every call that sends it. */
const renameEvent = (
  code: ThemeCode,
  isEvent: (observation: TagObservation) => boolean,
  name: unknown,
  replacement: unknown,
): CodeEdit | NoFixReason => {
  if (typeof name !== 'string' || typeof replacement !== 'string' || !/^[\w ]+$/.test(replacement)) return 'unclear';
  return editEveryCall(code, isEvent, call => replaceText(code, call, name, replacement));
};

/** Replaces a misspelled event name with the standard name. */
export const useStandardEvent: Fix = (code, { message_values: { event, standard } = {} }) =>
  renameEvent(code, o => o.kind === 'event' && o.method === 'track' && o.name === event, event, standard);

/** Replaces a misspelled event name with the recommended name. */
export const useRecommendedEvent: Fix = (code, { message_values: { event, recommended } = {} }) =>
  renameEvent(
    code,
    o => o.kind === 'event' && o.vendor === 'google' && o.method === 'event' && o.name === event,
    event,
    recommended,
  );

/** Replaces `track` with `trackCustom` for a nonstandard event. */
export const useTrackCustom: Fix = (code, { message_values: { event } = {} }) =>
  editEveryCall(
    code,
    o => o.kind === 'event' && o.vendor === 'meta' && o.method === 'track' && o.name === event,
    call => replaceText(code, call, 'track', 'trackCustom'),
  );

/** Adds quotation marks to a pixel ID that JavaScript would otherwise round. */
export const quoteRoundedId: Fix = code =>
  editEveryCall(
    code,
    o => o.kind === 'init' && o.api === 'fbq' && o.id.rounded,
    ({ node, script }) => {
      const id = node.arguments[1];
      if (id?.type !== 'Literal') return 'unclear';
      const [from, to] = [script.base + (id.start ?? 0), script.base + (id.end ?? 0)];
      const digits = code.masked.slice(from, to);
      return /^\d{10,17}$/.test(digits) ? { from, to, text: `'${digits}'` } : 'unclear';
    },
  );

/** Applies an edit to every call for which the scan recorded a matching observation. */
function editEveryCall(
  code: ThemeCode,
  matches: (observation: TagObservation) => boolean,
  edit: (call: CodeCall) => TextEdit | NoFixReason,
): CodeEdit | NoFixReason {
  const edits: TextEdit[] = [];
  const calls = new Set<number>();
  for (const { observation, offset } of code.observations) {
    if (!matches(observation) || calls.has(offset)) continue;
    calls.add(offset);
    const call = callAt(code, offset);
    const result = call ? edit(call) : 'unclear';
    if (typeof result === 'string') return result;
    edits.push(result);
  }
  return edits.length === 0 ? 'unclear' : { edits };
}

/** Replaces the string literal `text` in a call's arguments, where it must occur exactly once. */
function replaceText(
  code: ThemeCode,
  { node, script }: CodeCall,
  text: string,
  replacement: string,
): TextEdit | NoFixReason {
  const literals = node.arguments.filter(
    (argument): argument is ESTree.Literal => argument.type === 'Literal' && argument.value === text,
  );
  const [literal] = literals;
  if (!literal || literals.length > 1) return 'unclear';
  const from = script.base + (literal.start ?? 0) + 1;
  const to = script.base + (literal.end ?? 0) - 1;
  if (!code.isWithoutLiquid(from, to)) return 'liquid';
  return code.masked.slice(from, to) === text ? { from, to, text: replacement } : 'unclear';
}

/** Adds a `PageView` call after the pixel's `init` call. */
export const addPageView: Fix = (code, { ids: [id], variant }) => {
  // If the finding has a variant, the code sends `PageView` to only some pixels, possibly on purpose.
  if (variant !== null) return 'needs_decision';
  const init = code.observations.find(
    ({ observation: o }) => o.kind === 'init' && o.api === 'fbq' && o.state === 'run' && o.id.value === id,
  );
  if (!init) return 'other_file';
  const script = callAt(code, init.offset)?.script;
  const statement = script && statementAt(script, init.offset);
  if (!statement || statement.from !== init.offset) return 'unclear';
  return { edits: [insertAfter(code, statement, "fbq('track', 'PageView');")] };
};

/** Inserts code after a statement, on a new line if nothing else follows that statement on its line. */
function insertAfter(code: ThemeCode, { from, to }: { readonly from: number; readonly to: number }, text: string) {
  const isClosed = /[;}]$/.test(code.masked.slice(from, to));
  const lineEnd = code.masked.indexOf('\n', to);
  const endsLine = lineEnd >= 0 && code.text.slice(to, lineEnd).trim() === '';
  const separator = endsLine ? `\n${code.indentAt(from)}` : ' ';
  return { from: to, to, text: `${isClosed ? '' : ';'}${separator}${text}` };
}

/** Moves a Meta pixel consent call before the pixel's first call. */
export const moveMetaConsent: Fix = (code, { variant }) => {
  const run = code.observations.filter(
    ({ observation: o }) => o.state === 'run' && 'vendor' in o && o.vendor === 'meta',
  );
  const first = run.find(({ observation: o }) => o.kind === 'init' || o.kind === 'event');
  const consents = run.filter(({ observation: o }) => o.kind === 'consent' && o.command === variant);
  const [consent] = consents;
  if (!first || !consent) return 'other_file';
  if (consents.length > 1 || !code.isPrintedWith(consent.offset, first.offset)) return 'needs_decision';
  const [source, target] = [consent, first].map(({ offset }) => {
    const script = callAt(code, offset)?.script;
    const statement = script ? statementAt(script, offset) : null;
    return statement && statement.from === offset && statement.ancestors.length === 0 ? statement : null;
  });
  const tag = { globals: new Set(['fbq']), owns: () => true };
  if (!source || !target || !isTagStatement(code, source, tag)) return 'unclear';
  const deletion = code.deletion(source);
  if (!deletion) return 'liquid';
  const call = code.text.slice(source.from, source.to);
  const lineStart = code.text.lastIndexOf('\n', target.from - 1) + 1;
  const startsLine = code.text.slice(lineStart, target.from).trim() === '';
  const separator = startsLine ? `\n${code.indentAt(target.from)}` : ' ';
  const text = `${/;$/.test(call) ? call : `${call};`}${separator}`;
  return { edits: [{ from: target.from, to: target.from, text }, deletion] };
};

/** Replaces a data layer assignment with a `push` call. */
export const pushToDataLayer: Fix = (code, { message_values: { layer } = {} }) => {
  const edits: TextEdit[] = [];
  for (const { observation: o, offset } of code.observations) {
    if (o.kind !== 'layer' || o.action !== 'overwrite' || o.name !== layer) continue;
    const script = code.scripts.find(({ base, element }) => base <= offset && offset < base + element.text.length);
    const statement = script && statementAt(script, offset);
    const list = statement && assignedList(statement.node, o.name);
    if (!script || !statement || !list || list.elements.length === 0) return 'unclear';
    if (list.elements.some(item => !item || item.type === 'SpreadElement')) return 'unclear';
    const from = script.base + (list.start ?? 0);
    const to = script.base + (list.end ?? 0);
    if (!code.isWithoutLiquid(statement.from, from + 1) || !code.isWithoutLiquid(to - 1, statement.to)) return 'liquid';
    edits.push({ from: statement.from, to: from + 1, text: `${o.name}.push(` }, { from: to - 1, to, text: ')' });
  }
  return edits.length === 0 ? 'other_file' : { edits };
};

/** Returns the array that a statement assigns to a variable, or null for any other statement. */
function assignedList(node: ESTree.Node, name: string): ESTree.ArrayExpression | null {
  if (node.type === 'VariableDeclaration') {
    const [only] = node.declarations;
    const isOnly = node.declarations.length === 1 && only?.id.type === 'Identifier' && only.id.name === name;
    return isOnly && only.init?.type === 'ArrayExpression' ? only.init : null;
  }
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression') return null;
  const { left, right, operator } = node.expression;
  const isOwn =
    (left.type === 'Identifier' && left.name === name) ||
    (left.type === 'MemberExpression' &&
      left.object.type === 'Identifier' &&
      left.object.name === 'window' &&
      left.property.type === 'Identifier' &&
      !left.computed &&
      left.property.name === name);
  return isOwn && operator === '=' && right.type === 'ArrayExpression' ? right : null;
}
