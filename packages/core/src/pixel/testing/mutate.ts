type Mutation = (page: string, other: string, random: () => number) => string;

const at = (text: string, random: () => number): number => Math.floor(random() * text.length);
const insert = (page: string, text: string, random: () => number): string => {
  const i = at(page, random);
  return page.slice(0, i) + text + page.slice(i);
};
const script = (code: string): string => `<script>${code}</script>`;

/** Inputs that are nested or repeated `n` times to overflow the stack or slow down a loop. */
const NESTED: readonly ((n: number) => string)[] = [
  n => '<div>'.repeat(n),
  n => '<b x=1><p>'.repeat(n),
  n => `<table>${'<tr><td><table>'.repeat(n)}`,
  n => `<a ${Array.from({ length: n }, (_, i) => `a${i}`).join(' ')}>`,
  n => script('['.repeat(n)),
  n => script(`fbq(${'('.repeat(n)}1${')'.repeat(n)})`),
  n => script(`x=${'a+'.repeat(n)}'b'`),
  n => script(`x=${'a&&'.repeat(n)}fbq('track','Lead')`),
  n => script(`${'!'.repeat(n)}1`),
  n => script('if(a){}else '.repeat(n)),
  n => script(`${'function f(){'.repeat(n)}${'}'.repeat(n)}`),
  n => script(`x${'.a()'.repeat(n)}`),
  n => script(`x=${'a?b:'.repeat(n)}c`),
  n => script(`x=${'{a:'.repeat(n)}1${'}'.repeat(n)}`),
  n => script(`${Array.from({ length: n }, (_, i) => `function f${i}(){f${i + 1}();f${i + 1}()}`).join('')}f0()`),
  n => script(`var s='a';${'s=s+s;'.repeat(n)}fbq('init',s)`),
  n => script(`${'for(const a of [1,2,3,4,5,6,7,8]){'.repeat(n % 150)}${'}'.repeat(n % 150)}`),
  n => script(`${'[1,2,3,4].forEach(function(){'.repeat(n % 150)}${'})'.repeat(n % 150)}`),
  n => script(`x={${Array.from({ length: n }, (_, i) => `a${i}:function(){}`).join()}};${'on(x);'.repeat(n)}`),
  n => script(`switch(a){${Array.from({ length: n }, (_, i) => `case ${i}:v${i}=${i};break;`).join('')}}`),
  n => script(`boot({webPixelsConfigList: ${'['.repeat(n)}`),
  n => script(`"shopId":,${': ,'.repeat(n)}`),
];

const MUTATIONS: readonly Mutation[] = [
  (page, _other, random) => page.slice(0, at(page, random)),
  (page, _other, random) => page.slice(at(page, random)),
  page => page + page,
  (page, other, random) => page.slice(0, at(page, random)) + other.slice(at(other, random)),
  (page, _other, random) =>
    insert(page, NESTED[Math.floor(random() * NESTED.length)]!(Math.floor(random() * 3_000)), random),
  (page, _other, random) => {
    const i = at(page, random);
    return page.slice(0, i) + page.slice(i + Math.floor(random() * 200));
  },
  (page, _other, random) =>
    insert(
      page,
      ['<', '"', "'", '</script>', '<!--', ']]>', '\u0000', '\ud800', '{{', '&#x', '`'][Math.floor(random() * 11)]!,
      random,
    ),
  (page, _other, random) =>
    insert(page, 'ab<{("\' &=:/'[Math.floor(random() * 12)]!.repeat(Math.floor(random() * 50_000)), random),
];

/** Returns a random page with one to four random mutations. */
export function mutate(pages: readonly string[], random: () => number): string {
  let page = pages[Math.floor(random() * pages.length)] ?? '';
  const other = pages[Math.floor(random() * pages.length)] ?? '';
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    page = MUTATIONS[Math.floor(random() * MUTATIONS.length)]!(page, other, random).slice(0, 12_000_000);
  }
  return page;
}

/** Returns deeply nested or long inputs of size `n`. A scan of each input must finish. */
export const extremes = (n: number): string[] => NESTED.map(shape => shape(n));
