import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePage } from '../html/page.ts';
import { parseJavaScript } from './parse.ts';

const rules = join(import.meta.dirname, '../rules');
const SCRIPTS = readdirSync(rules, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.html'))
  .flatMap(file => parsePage(readFileSync(join(rules, file), 'utf8')).elements)
  .flatMap(({ tag, text, attributes }) => (tag === 'script' && text && !attributes.has('type') ? [text] : []));

const EDITS =
  '( ) { } [ ] ; , " \' ` => ... async await yield let const function class ?. ?? ** / = return import export 0x 1n <!-- --> of in break with(a) \n \u2028';

/** Compiles a script with the engine that Chrome and Node.js use, without running it. */
function engineAccepts(source: string): boolean {
  try {
    new Script(source);
    return true;
  } catch {
    return false;
  }
}

describe('parseJavaScript', () => {
  it('finds a syntax error only in scripts that a JavaScript engine rejects', () => {
    const edit = fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom('', ...EDITS.split(' ')));
    const edits = fc.array(edit, { maxLength: 2 });
    fc.assert(
      fc.property(fc.constantFrom(...SCRIPTS), edits, (script, changes) => {
        const source = changes.reduce((text, [position, removed, inserted]) => {
          const at = position % (text.length + 1);
          return text.slice(0, at) + inserted + text.slice(at + removed);
        }, script);
        if (parseJavaScript(source, 'script').problem) expect(engineAccepts(source)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["fbq('init', '1'", 12],
    ['import a from "b"', 7],
    ['if (a &lt; b) {}', 9],
    ["fbq('init', {{ id }});", 13],
  ])('locates the first syntax error in %s', (source, offset) => {
    expect(parseJavaScript(source, 'script').problem).toEqual({ offset, cdata: false });
  });

  it('accepts module syntax only in a module or in code that might be a module', () => {
    const problems = (['module', 'either', 'script'] as const).map(
      kind => parseJavaScript('import a from "b"', kind).problem,
    );
    expect(problems.map(problem => problem === null)).toEqual([true, true, false]);
  });

  it('never reports a deeply nested script as invalid', () => {
    const source = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(parseJavaScript(source, 'script')).toEqual({ program: null, outcome: 'unreadable', problem: null });
  });
});
