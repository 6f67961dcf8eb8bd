// Compares our renderer with pdfkit and @react-pdf/renderer by drawing the same text with each engine. Our renderer
// writes a file that conforms to PDF/A-3u and PDF/UA-1, with the record attached. The other engines write a plain PDF,
// so they do less work.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type BenchRow, growth, inTurn, median, ratio, report, show } from '@compliance/bench';
import { type CertificateRecord, certificate, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { Document, Font, Page, renderToBuffer, Text, View } from '@react-pdf/renderer';
import { createElement } from 'react';
import type { PdfField } from '../src/entry/pdf/content.ts';
import { contentOf } from '../src/entry/pdf/document.ts';
import { completeRequest, sampleContext } from '../src/entry/samples/requests.ts';
import { type Message, printedTexts } from '../src/entry/translations/messages.ts';
import { drawWithPdfkit, isHan, type Line } from './pdfkit.ts';

const chinese = {
  ...completeRequest,
  product_info: {
    ...completeRequest.product_info,
    name: '公路自行车头盔（成人款）',
    description: '一体成型公路头盔，十八个通风孔，中号，哑光黑色',
    place_of_manufacture: '深圳, China',
  },
  manufacturer: {
    ...completeRequest.manufacturer,
    name: '深圳市维乐安全用品有限公司',
    address: '中国广东省深圳市南山区科苑路八十八号',
  },
};
const withRules = (count: number) => ({
  ...completeRequest,
  cpsc_rules_cited: Array.from({ length: count }, (_, at) => `16 CFR ${1201 + at}`),
  tests: [],
});

const records = {
  latin: certificate(completeRequest, sampleContext),
  chinese: certificate(chinese, sampleContext),
};

const fonts = openFonts(loadFace);
const faces = { sans: await loadFace('sans'), bold: await loadFace('sans-bold'), sc: await loadFace('sc') };

/** Returns the lines of text in page order, each with its font weight, so that every engine draws the same text. */
function linesOf(record: CertificateRecord): Line[] {
  const content = contentOf(record);
  const lines: Line[] = [
    { label: null, text: content.title, bold: true },
    { label: null, text: content.subtitle, bold: false },
  ];
  const textOf = (content: string | Message) => printedTexts(content, null)[0]!.text;
  const add = ({ label, value }: PdfField) =>
    lines.push({ label: textOf(label), text: textOf(value ?? 'Not provided'), bold: false });
  for (const field of content.header) add(field);
  for (const { heading, blocks } of [...content.sections, content.attestation]) {
    lines.push({ label: null, text: heading, bold: true });
    for (const block of blocks) {
      if (block.kind === 'paragraph') lines.push({ label: null, text: textOf(block.text), bold: false });
      else if (block.kind !== 'table') for (const field of block.fields) add(field);
      else
        for (const [label, ...cells] of block.rows.map(row => row.map(textOf)))
          lines.push({ label: label!, text: cells.join('   '), bold: false });
    }
  }
  return lines;
}

const pdfkit = (record: CertificateRecord) => drawWithPdfkit(linesOf(record), record.verification_url!, faces);

const dataUrl = (bytes: Uint8Array) => `data:font/ttf;base64,${Buffer.from(bytes).toString('base64')}`;
for (const [family, bytes] of Object.entries(faces)) Font.register({ family, src: dataUrl(bytes) });

function reactPdf(record: CertificateRecord): Promise<Uint8Array> {
  const rows = linesOf(record).map(({ label, text, bold }, key) =>
    createElement(
      View,
      { key, style: { flexDirection: 'row' } },
      label === null ? null : createElement(Text, { style: { width: 80, fontFamily: 'sans', fontSize: 7.6 } }, label),
      createElement(Text, { style: { fontFamily: bold ? 'bold' : isHan(text) ? 'sc' : 'sans', fontSize: 8.6 } }, text),
    ),
  );
  return renderToBuffer(
    createElement(Document, null, createElement(Page, { size: 'LETTER', style: { padding: 40 } }, rows)),
  );
}

const PEERS = { pdfkit, 'react-pdf': reactPdf };
const LANGUAGES = {
  latin: { name: 'Latin script', mostOfPdfkit: 0.15, mostKilobytes: 40 },
  chinese: { name: 'Chinese', mostOfPdfkit: 0.15, mostKilobytes: 60 },
} as const;

async function compareWithPeers(language: keyof typeof LANGUAGES): Promise<BenchRow[]> {
  const { name, mostOfPdfkit, mostKilobytes } = LANGUAGES[language];
  const record = records[language];
  const draw = { ours: () => render(record, fonts), pdfkit: () => pdfkit(record), 'react-pdf': () => reactPdf(record) };
  const times = await inTurn(draw, { rounds: 25, warmUp: 6 });
  const { length } = await draw.ours();
  const ratios = Object.keys(PEERS).map((peer): BenchRow => {
    const theirs = times[peer as keyof typeof PEERS];
    return {
      what: `certificate in ${name} ÷ ${peer}`,
      value: ratio(times.ours, theirs),
      unit: '×',
      details: `${show(median(times.ours))} ms compared with ${show(median(theirs))} ms`,
      ...(peer === 'pdfkit' && { limit: { atMost: mostOfPdfkit } }),
    };
  });
  const details = `pdfkit ${show((await draw.pdfkit()).length / 1000)} KB, react-pdf ${show((await draw['react-pdf']()).length / 1000)} KB`;
  return [
    ...ratios,
    {
      what: `file size of a certificate in ${name}`,
      value: length / 1000,
      unit: 'KB',
      limit: { atMost: mostKilobytes },
      details,
    },
  ];
}

async function compareRuleCounts(): Promise<BenchRow> {
  const [one, hundred] = [1, 100].map(count => certificate(withRules(count), sampleContext));
  const times = await inTurn(
    { one: () => render(one!, fonts), hundred: () => render(hundred!, fonts) },
    { rounds: 25, warmUp: 6 },
  );
  return {
    what: 'certificate with 100 rules ÷ certificate with one rule',
    value: ratio(times.hundred, times.one),
    unit: '×',
    limit: { atMost: 6 },
    details: `${show(median(times.hundred))} ms compared with ${show(median(times.one))} ms`,
  };
}

/**
 * Compares the CPU time that our renderer and pdfkit need for the first certificate in a new process, including the
 * time to load the modules. Builds our packages first, because users install the built modules. Measures CPU time,
 * because other load on the machine barely affects it.
 */
function firstCertificate(): BenchRow {
  for (const name of ['core', 'fonts-latin', 'fonts-chinese', 'fonts-japanese', 'fonts-korean', 'fonts']) {
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: join(import.meta.dirname, '../..', name) });
  }
  const end = 'const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000));';
  const ours = `
    const { certificate, openFonts, render } = await import('@compliance/core/entry');
    const { loadFace } = await import('@compliance/fonts');
    const record = certificate(${JSON.stringify(completeRequest)}, ${JSON.stringify(sampleContext)});
    await render(record, openFonts(loadFace));
    ${end}
  `;
  const peer = `
    const { drawWithPdfkit } = await import('./pdfkit.ts');
    const { loadFace } = await import('@compliance/fonts');
    const faces = { sans: await loadFace('sans'), bold: await loadFace('sans-bold') };
    await drawWithPdfkit(${JSON.stringify(linesOf(records.latin))}, ${JSON.stringify(sampleContext.verificationUrl)}, faces);
    ${end}
  `;
  const times = { ours: [] as number[], pdfkit: [] as number[] };
  for (let round = 0; round < 7; round++) {
    times.ours.push(Number(inNewProcess(ours, 'built')));
    times.pdfkit.push(Number(inNewProcess(peer, 'built')));
  }
  return {
    what: 'first certificate in a process ÷ pdfkit',
    value: ratio(times.ours, times.pdfkit),
    unit: '×',
    limit: { atMost: 1.2 },
    details: `${show(median(times.ours))} ms of CPU time compared with ${show(median(times.pdfkit))} ms, including loading`,
  };
}

function inNewProcess(script: string, packages: 'source' | 'built' = 'source'): string {
  const conditions = packages === 'source' ? ['--conditions=@compliance/source'] : [];
  const flags = [...conditions, '--input-type=module', '--eval', script];
  return execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: 'utf8' });
}

/**
 * Measures the peak memory usage (including the fonts) of a separate process that renders 200 Chinese certificates with
 * our renderer.
 */
function peakMemory(): BenchRow {
  const probe = `
    import { certificate, openFonts, render } from '@compliance/core/entry';
    import { loadFace } from '@compliance/fonts';
    const fonts = openFonts(loadFace);
    const record = certificate(${JSON.stringify(chinese)}, ${JSON.stringify(sampleContext)});
    for (let round = 0; round < 200; round++) await render(record, fonts);
    process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
  `;
  const peak = Number(inNewProcess(probe));
  return {
    what: 'peak memory while rendering 200 certificates in Chinese',
    value: peak,
    unit: 'MB',
    details: 'the whole process, including fonts',
  };
}

report([
  ...(await compareWithPeers('latin')),
  ...(await compareWithPeers('chinese')),
  await compareRuleCounts(),
  await growth('certificate rendering time, by number of rules', 'linear', [1, 3, 10, 30, 100], count => {
    const record = certificate(withRules(count), sampleContext);
    return () => render(record, fonts);
  }),
  firstCertificate(),
  peakMemory(),
]);
