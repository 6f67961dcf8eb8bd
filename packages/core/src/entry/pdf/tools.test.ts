import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFace } from '@compliance/fonts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { SAMPLE_REQUEST } from '../request/sample.ts';
import { requestIn, type Script, scripts, sixtyRules } from '../samples/languages.ts';
import { sampleContext } from '../samples/requests.ts';
import { openFonts } from '../text/fonts.ts';
import { render } from './render.ts';

const has = (tool: string, flag: string) => {
  try {
    execFileSync(tool, [flag], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const run = (tool: string, ...args: string[]) =>
  execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const folder = mkdtempSync(join(tmpdir(), 'gcc-'));
afterAll(() => rmSync(folder, { recursive: true }));

const requests = { bare: SAMPLE_REQUEST, 'sixty-rules': sixtyRules } as Record<string, object>;
for (const script of Object.keys(scripts) as Script[]) requests[script] = requestIn(script);
/** Returns text without spaces or the direction marks that extractors add around right-to-left runs. */
const printed = (text: string) => text.normalize('NFC').replace(/[\s\u200e\u200f\u202a-\u202e]+/g, '');
const fileOf = (name: string) => join(folder, `${name}.pdf`);

beforeAll(async () => {
  const fonts = openFonts(loadFace);
  for (const [name, request] of Object.entries(requests)) {
    writeFileSync(fileOf(name), await render(certificate(request, sampleContext), fonts));
  }
});

// qpdf, poppler, and mupdf are operating system packages, not npm packages. If a program isn't installed, its tests are
// skipped.
describe.skipIf(!has('qpdf', '--version'))('qpdf (skipped if qpdf is missing)', () => {
  it.each(Object.keys(requests))('accepts the PDF file %s', name => {
    expect(run('qpdf', '--check', fileOf(name))).toContain('No syntax or stream encoding errors found');
  });
});

describe.skipIf(!has('pdffonts', '-v'))('poppler (skipped if poppler-utils is missing)', () => {
  it.each(Object.keys(requests))(
    'reports that all fonts in %s are embedded as subsets and have a Unicode mapping',
    name => {
      const fonts = run('pdffonts', fileOf(name)).trim().split('\n').slice(2);
      expect(fonts.length).toBeGreaterThan(1);
      for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+Noto\S+ +CID TrueType +Identity-H +yes yes yes /);
    },
  );

  it.each(Object.keys(scripts) as Script[])('extracts every value from %s in reading order', script => {
    const text = printed(run('pdftotext', '-raw', fileOf(script), '-'));
    const [name, maker, address] = scripts[script];
    expect(text).toContain(printed(`Product${name}`));
    expect(text).toContain(printed(`Manufacturer${maker}Address${address}`));
  });

  it('finds the attached record in a certificate PDF', () => {
    expect(run('pdfdetach', '-list', fileOf('bare'))).toContain('gcc.json');
  });
});

describe.skipIf(!has('mutool', '-v'))('mupdf (skipped if mupdf-tools is missing)', () => {
  it.each(Object.keys(requests))('renders %s without warnings', name => {
    const png = join(folder, 'page-%d.png');
    const said = run('sh', '-c', `mutool draw -q -r 50 -o '${png}' '${fileOf(name)}' 2>&1`);
    // Some mupdf builds warn that they don't support color profiles.
    expect(said.replace('warning: ICC support is not available\n', '')).toBe('');
  });

  it.each(Object.keys(scripts) as Script[])('extracts every value from %s in reading order', script => {
    const text = printed(run('mutool', 'draw', '-q', '-F', 'text', fileOf(script)));
    for (const value of scripts[script]) {
      // Older versions of mupdf don't restore the order of letters in right-to-left words.
      const visual = value.replace(/[\p{Script=Arabic}\p{Script=Hebrew}]+/gu, word =>
        /\p{L}/u.test(word) ? [...word].reverse().join('') : word,
      );
      expect(
        [printed(value), printed(visual)].some(expected => text.includes(expected)),
        value,
      ).toBe(true);
    }
  });
});
