import { describe, expect, it } from 'vitest';
import type { Effect } from './effect.ts';
import { readScripts } from './read-scripts.ts';
import { exactText } from './value.ts';

const readAll = (...sources: string[]) =>
  readScripts(sources.map(source => ({ source, state: 'run', kind: 'either', presumedValid: false })));
const read = (...sources: string[]): readonly Effect[] => readAll(...sources).effects;

/** Returns the calls to one function, with their known arguments. */
const calls = (effects: readonly Effect[], path: string) =>
  effects.flatMap(e =>
    e.op === 'call' && e.path === path
      ? [{ args: e.args.map(exactText), state: e.state, confidence: e.confidence }]
      : [],
  );
const loads = (effects: readonly Effect[]) => effects.flatMap(e => (e.op === 'load' ? [e.url] : []));

describe('name and value analysis', () => {
  it.each([
    ['a direct call', "fbq('init', '12')"],
    ['aliases of the window object', "window.self['fbq']('init', '12')"],
    ['a variable', "var f = window.fbq; f('init', '12')"],
    ['a wrapper', "function track(){ fbq.apply(null, arguments) } track('init', '12')"],
    ['rest arguments', "const t = (...a) => fbq(...a); t('init', '12')"],
    ['call', "fbq.call(window, 'init', '12')"],
    ['a constant and a concatenation', "const a = '1'; let b = a + 2; fbq(`init`, '' + b)"],
    ['a property', "var cfg = { meta: { id: '12' } }; fbq('init', cfg.meta.id)"],
    ['a default parameter', "(function(id = '12'){ fbq('init', id) })()"],
    ['destructuring', "const { id } = { id: '12' }; fbq('init', id)"],
    ['a joined list', "fbq('init', ['1', '2'].join(''))"],
    ['an optional call', "window.fbq?.('init', '12')"],
  ])('follows an ID through %s', (_name, source) => {
    expect(calls(read(source), 'fbq')).toEqual([{ args: ['init', '12'], state: 'run', confidence: 'certain' }]);
  });

  it('shares variables among the scripts on a page', () => {
    expect(calls(read("var id = '12'", "fbq('init', id)"), 'fbq')[0]?.args).toEqual(['init', '12']);
  });

  it.each([
    ['an undefined variable', "fbq('init', window.shop.id)"],
    ['a conditional expression', "fbq('init', a ? '1' : '2')"],
    ['a variable set in two branches', "var id; if (a) { id = '1' } else { id = '2' } fbq('init', id)"],
    ['a partly unresolved concatenation', "fbq('init', '1' + suffix)"],
    ['a conditionally changed variable', "var id = '1'; if (a) id = '2'; fbq('init', id)"],
  ])('leaves the ID unresolved for %s', (_name, source) => {
    expect(calls(read(source), 'fbq')[0]?.args).toEqual(['init', null]);
  });

  it('uses an assigned value only inside the branch that assigns it', () => {
    const effects = read("var id; if (a) { id = '1'; fbq('init', id) } else { id = '2'; fbq('init', id) }");
    expect(calls(effects, 'fbq').map(c => c.args[1])).toEqual(['1', '2']);
  });
});

describe('execution state', () => {
  it.each([
    ['later', "setTimeout(function(){ fbq('x') }, 10)", 'later', 'certain'],
    ['later', "document.addEventListener('DOMContentLoaded', () => fbq('x'))", 'later', 'certain'],
    ['later', "el.onclick = function(){ fbq('x') }", 'later', 'certain'],
    ['later', "$.ajax({ success: function(){ fbq('x') } })", 'later', 'certain'],
    ['gated', "if (window.Shopify.customerPrivacy.marketingAllowed()) { fbq('x') }", 'gated', 'certain'],
    ['gated', "document.addEventListener('visitorConsentCollected', () => fbq('x'))", 'gated', 'certain'],
    [
      'gated',
      "window.Shopify.loadFeatures([{ name: 'consent-tracking-api' }], function(){ fbq('x') })",
      'gated',
      'certain',
    ],
    ['gated', "(function(){ if (!hasConsent()) return; fbq('x') })()", 'gated', 'certain'],
    ['possible', "function never(){ fbq('x') }", 'inert', 'possible'],
    ['dead code', "if (false) { fbq('x') }", 'never_runs', 'certain'],
    ['possible', "for (var i = 0; i < n; i++) fbq('x')", 'run', 'possible'],
    ['run', "(function(){ fbq('x') })()", 'run', 'certain'],
    ['run', "try { fbq('x') } catch (e) {}", 'run', 'certain'],
    ['later', "new Promise(function(){ fbq('x') })", 'later', 'certain'],
  ])('returns the execution state and confidence (%s) for %s', (_name, source, state, confidence) => {
    expect(calls(read(source), 'fbq')).toMatchObject([{ state, confidence }]);
  });

  it('follows execution order instead of source order', () => {
    const effects = read(
      "function a(){ fbq('a') } setTimeout(function(){ fbq('later') }); b(); a(); function b(){ fbq('b') }",
    );
    expect(calls(effects, 'fbq').map(c => c.args[0])).toEqual(['b', 'a', 'later']);
  });

  it('marks the branches of a condition as mutually exclusive', () => {
    const [one, two] = read("a ? fbq('1') : fbq('2')").filter(e => e.op === 'call');
    expect(one?.branches[0]?.condition).toBe(two?.branches[0]?.condition);
    expect(one?.branches[0]?.branch).not.toBe(two?.branches[0]?.branch);
  });

  it('records the names that guard a call', () => {
    expect(read("typeof fbq === 'function' && fbq('x')").find(e => e.op === 'call')?.guards).toContain('fbq');
  });
});

describe('loaded URL analysis', () => {
  it.each([
    ['src', "var s = document.createElement('script'); s.src = '//a.example/' + 'x.js'"],
    ['setAttribute', "var b = '//a.example'; el.setAttribute('src', b + '/x.js')"],
    ['getScript', "$.getScript('//a.example/x.js')"],
    ['import', "import('//a.example/x.js')"],
    ['a parameter', "(function(d, u){ var s = d.createElement('script'); s.src = u })(document, '//a.example/x.js')"],
  ])('finds a URL loaded through %s', (_name, source) => {
    expect(loads(read(source))).toEqual(['//a.example/x.js']);
  });

  it('marks unresolved parts of a loaded URL and includes both values of a conditional expression', () => {
    expect(loads(read("s.src = '//a.example/x.js?id=' + id"))).toEqual(['//a.example/x.js?id=\u0000']);
    expect(loads(read("s.src = (a ? 'https://ssl' : 'http://www') + '.a.example/x.js'"))).toEqual([
      'https://ssl.a.example/x.js',
      'http://www.a.example/x.js',
    ]);
  });
});

describe('damaged script analysis', () => {
  it.each([
    ['a module', 'import a from "b"; fbq("x")', 'module'],
    ['CDATA markers', '<![CDATA[ fbq("x") ]]>', 'repaired'],
    ['a missing value', 'var a = {"shopId":,"b":1}; fbq("x")', 'repaired'],
    ['HTML entities', 'if (a &lt; b &amp;&amp; c) fbq("x")', 'repaired'],
    ['a template tag', '{% if a %}fbq("x"){% endif %}', 'repaired'],
    ['a missing parenthesis', 'fbq("x"', 'unreadable'],
  ])('parses a damaged script or reports it as unreadable: %s', (_name, source, outcome) => {
    expect(readAll(source).outcomes.map(o => o.outcome)).toEqual([outcome]);
    expect(calls(read(source), 'fbq')).toHaveLength(outcome === 'unreadable' ? 0 : 1);
  });

  it('preserves source offsets when repairing a script', () => {
    const source = '<![CDATA[ var a = {"shopId":,"b":1};\nfbq("x") ]]>';
    expect(read(source).find(e => e.op === 'call')?.offset).toBe(source.indexOf('fbq'));
  });
});
