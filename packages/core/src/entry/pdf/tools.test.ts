import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFace } from '@compliance/fonts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { requestIn, type Script, scripts, sixtyRules } from '../samples/languages.ts';
import { bareRequest, sampleContext } from '../samples/requests.ts';
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

const requests = { bare: bareRequest, 'sixty-rules': sixtyRules } as Record<string, object>;
for (const script of Object.keys(scripts) as Script[]) requests[script] = requestIn(script);
const fileOf = (name: string) => join(folder, `${name}.pdf`);

beforeAll(async () => {
  const fonts = openFonts(loadFace);
  for (const [name, request] of Object.entries(requests)) {
    writeFileSync(fileOf(name), await render(certificate(request, sampleContext), fonts));
  }
});

// These programs come with an operating system, not from the npm registry: where one is absent its checks are skipped.
describe.skipIf(!has('qpdf', '--version'))('qpdf (skipped where qpdf is absent)', () => {
  it.each(Object.keys(requests))('accepts %s', name => {
    expect(run('qpdf', '--check', fileOf(name))).toContain('No syntax or stream encoding errors found');
  });
});

describe.skipIf(!has('pdffonts', '-v'))('poppler (skipped where poppler-utils are absent)', () => {
  it.each(Object.keys(requests))('finds only embedded subsets with text in %s', name => {
    const fonts = run('pdffonts', fileOf(name)).trim().split('\n').slice(2);
    expect(fonts.length).toBeGreaterThan(1);
    for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+Noto\S+ +CID TrueType +Identity-H +yes yes yes /);
  });

  it.each(Object.keys(scripts) as Script[])('reads the names back in %s', script => {
    // Poppler wraps right-to-left runs in direction marks; one of ours is inside.
    const text = run('pdftotext', '-layout', fileOf(script), '-').replace(/[\u200f\u202a-\u202e]/g, '');
    const [name, maker] = scripts[script];
    const words = (value: string) => value.replace(/\s+/g, '');
    expect(words(text)).toContain(words(`Manufacturer${maker}`));
    // It puts a Thai vowel before its tone mark.
    if (script !== 'thai') expect(words(text)).toContain(words(`Product${name}`));
  });

  it('detaches the record', () => {
    expect(run('pdfdetach', '-list', fileOf('bare'))).toContain('gcc.json');
  });
});

describe.skipIf(!has('mutool', '-v'))('mupdf (skipped where mupdf-tools are absent)', () => {
  it.each(Object.keys(requests))('draws %s without a complaint', name => {
    const png = join(folder, 'page-%d.png');
    const said = run('sh', '-c', `mutool draw -q -r 50 -o '${png}' '${fileOf(name)}' 2>&1`);
    // Some builds of it draw without colour profiles and say so.
    expect(said.replace('warning: ICC support is not available\n', '')).toBe('');
  });
});
