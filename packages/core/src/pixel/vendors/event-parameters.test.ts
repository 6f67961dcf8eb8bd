import { describe, expect, it } from 'vitest';
import { readScripts } from '../script/read-scripts.ts';
import type { Value } from '../script/value.ts';
import { ParameterReader } from './event-parameters.ts';

/** Returns the third argument of every call to `fbq` in a script. */
function argumentsIn(source: string): (Value | undefined)[] {
  const { effects } = readScripts([{ source, state: 'run', kind: 'script', presumedValid: false }]);
  return effects.flatMap(e => (e.op === 'call' && e.path === 'fbq' ? [e.args[2]] : []));
}
const read = (source: string) => new ParameterReader().read(argumentsIn(source)[0]);

describe('a parameter reader', () => {
  it.each([
    ['yes', "fbq('track', 'Lead')"],
    ['yes', "fbq('track', 'Lead', { value: 1 })"],
    ['yes', "fbq('track', 'Lead', { ...{ value: 1 } })"],
    ['assumed', "const data = { value: 1 }; fbq('track', 'Lead', data)"],
    ['no', "fbq('track', 'Lead', { value: 1, ...other })"],
    ['no', "fbq('track', 'Lead', { value: 1, [key]: 2 })"],
    ['no', "const data = { value: 1 }; data[key] = 2; fbq('track', 'Lead', data)"],
    ['no', "const data = { value: 1 }; extend(data); fbq('track', 'Lead', data)"],
    ['no', "const data = { value: 1 }; Object.assign(data, other); fbq('track', 'Lead', data)"],
    ['no', "fbq('track', 'Lead', other)"],
  ])('returns the completeness `%s` for %s', (complete, source) => {
    expect(read(source).complete).toBe(complete);
  });

  it('distinguishes a value in the call from a value in a variable', () => {
    const { values } = read("const total = 1; fbq('track', 'Lead', { value: 1, total, sum: other + '$', other })");
    expect([...values]).toEqual([
      ['value', { kind: 'known', value: 1, direct: true }],
      ['total', { kind: 'known', value: 1, direct: false }],
      ['sum', { kind: 'partial', text: '\u0000$' }],
      ['other', { kind: 'unknown' }],
    ]);
  });

  it('limits the number, length, and depth of parameters', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `p${i}: 1`).join();
    const { values, complete } = read(
      `fbq('track', 'Lead', { long: '${'x'.repeat(1_000)}', deep: [{ a: { b: 1 } }], list: [${'1,'.repeat(1_000)}], ${many} })`,
    );
    expect([values.size, complete]).toEqual([40, 'no']);
    expect(values.get('long')).toEqual({ kind: 'unknown' });
    expect(JSON.stringify(values.get('list')).length).toBeLessThan(2_000);
    expect(values.get('deep')).toMatchObject({ items: [{ kind: 'object' }] });
  });

  it('returns the same result for calls that pass the same object', () => {
    const reader = new ParameterReader();
    const [a, b] = argumentsIn("const items = [{}]; const d = { items }; fbq('a', 'b', d); fbq('a', 'b', d)");
    expect(reader.read(a)).toBe(reader.read(b));
  });
});
