import type { ESTree } from 'meriyah';
import type { Interpreter } from './interpreter.ts';
import { choice, exactText, literalValue, UNKNOWN, type Value } from './value.ts';

/**
 * Evaluates `object.key` and returns the object, the key (or `null` if unknown), and the value. `written` is true if
 * the code assigns a value to `object.key`.
 */
export function readMember(
  interpreter: Interpreter,
  node: ESTree.MemberExpression,
  written = false,
): { object: Value; key: string | null; value: Value } {
  const object = interpreter.evaluate(node.object);
  const { property } = node;
  const computed = node.computed ? interpreter.evaluate(property) : null;
  const key = computed ? exactText(computed) : property.type === 'Identifier' ? property.name : null;
  if (key === null) {
    if (object.kind === 'list' && object.items.length > 0)
      return { object, key, value: choice(object.items.slice(0, 5)) };
    return { object, key, value: UNKNOWN };
  }
  if (interpreter.condition) interpreter.noteConditionWord(key);
  return { object, key, value: member(interpreter, object, key, written ? null : (node.start ?? 0)) };
}

function member(interpreter: Interpreter, object: Value, key: string, offset: number | null): Value {
  switch (object.kind) {
    case 'path': {
      const path = object.path ? `${object.path}.${key}` : key;
      if (offset !== null && path.startsWith('Shopify')) interpreter.emit(offset, { op: 'read', path });
      const value = interpreter.global(path);
      return value.kind === 'path' && object.alias ? { ...value, alias: true } : value;
    }
    case 'object': {
      const found = object.entries.get(key);
      if (found) return found;
      return object.at === undefined ? UNKNOWN : interpreter.global(object.at ? `${object.at}.${key}` : key);
    }
    case 'list':
      if (/^\d{1,6}$/.test(key)) return object.items[Number(key)] ?? UNKNOWN;
      return key === 'length' ? literalValue(object.items.length) : UNKNOWN;
    case 'literal':
      return key === 'length' && typeof object.value === 'string' ? literalValue(object.value.length) : UNKNOWN;
    case 'choice':
      for (const option of object.options) {
        if (option.kind === 'path' || option.kind === 'object') return member(interpreter, option, key, offset);
      }
      return UNKNOWN;
    default:
      return UNKNOWN;
  }
}
