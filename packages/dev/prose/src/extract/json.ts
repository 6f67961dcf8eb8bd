import { Collected, type SourceFile, type TextPool, type Unit, type UnitKind } from './unit.ts';

/**
 * Extracts the values of string properties from a JSON file, but not the strings in arrays. If `keys` is given,
 * extracts only the values of these properties.
 */
export function extractJson(source: SourceFile, pool: TextPool, keys?: readonly string[]): Unit[] {
  const units: Unit[] = [];
  const kind: UnitKind = 'string';
  const pattern = /(?:"(?<key>(?:[^"\\]|\\.)*)"\s*:\s*)"(?<value>(?:[^"\\]|\\.)*)"/g;
  for (const match of source.text.matchAll(pattern)) {
    const { key, value } = match.groups!;
    if (keys && !keys.includes(key!)) continue;
    const text = new Collected();
    const offset = match.index + match[0].length - value!.length - 1;
    for (const { 0: part, index } of value!.matchAll(/\\u[\da-f]{4}|\\.|[^\\]+/gi)) {
      const isEscape = part.startsWith('\\');
      const decoded = isEscape ? (JSON.parse(`"${part}"`) as string) : part;
      text.add(decoded === '\n' ? ' ' : decoded, offset + index);
    }
    const unit = text.unit(source, kind, pool);
    if (unit) units.push(unit);
  }
  return units;
}
