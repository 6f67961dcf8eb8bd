import type { ESTree } from 'meriyah';
import type { Machine } from './machine.ts';
import { choice, exactText, literal, UNKNOWN, type Value } from './value.ts';

/** Reads `object.key`: the object, the key when it is known, and the value. With `written` it is only given a value. */
export function readMember(
  machine: Machine,
  node: ESTree.MemberExpression,
  written = false,
): { object: Value; key: string | null; value: Value } {
  const object = machine.evaluate(node.object);
  const { property } = node;
  const computed = node.computed ? machine.evaluate(property) : null;
  const key = computed ? exactText(computed) : property.type === 'Identifier' ? property.name : null;
  if (key === null) {
    if (object.kind === 'list' && object.items.length > 0)
      return { object, key, value: choice(object.items.slice(0, 5)) };
    return { object, key, value: UNKNOWN };
  }
  if (machine.condition) machine.hear(key);
  return { object, key, value: member(machine, object, key, written ? null : (node.start ?? 0)) };
}

function member(machine: Machine, object: Value, key: string, offset: number | null): Value {
  switch (object.kind) {
    case 'path': {
      const path = object.path ? `${object.path}.${key}` : key;
      if (offset !== null && path.startsWith('Shopify')) machine.emit(offset, { op: 'read', path });
      const value = machine.global(path);
      return value.kind === 'path' && object.alias ? { ...value, alias: true } : value;
    }
    case 'object': {
      const found = object.entries.get(key);
      if (found) return found;
      return object.at === undefined ? UNKNOWN : machine.global(object.at ? `${object.at}.${key}` : key);
    }
    case 'list':
      if (/^\d{1,6}$/.test(key)) return object.items[Number(key)] ?? UNKNOWN;
      return key === 'length' ? literal(object.items.length) : UNKNOWN;
    case 'literal':
      return key === 'length' && typeof object.value === 'string' ? literal(object.value.length) : UNKNOWN;
    case 'choice':
      for (const option of object.options) {
        if (option.kind === 'path' || option.kind === 'object') return member(machine, option, key, offset);
      }
      return UNKNOWN;
    default:
      return UNKNOWN;
  }
}
