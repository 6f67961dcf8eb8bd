// Ours against pdfkit and @react-pdf/renderer, drawing the same words, interleaved in one run. Prints ratios; limits at the end.
// Ours writes PDF/A-3u and PDF/UA-1 with the record attached; the peers write a plain PDF, which is less work.
import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { type CertificateRecord, certificate, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { Document, Font, Page, renderToBuffer, Text, View } from '@react-pdf/renderer';
import PDFDocument from 'pdfkit';
import { createElement } from 'react';
import { encode } from 'uqr';
import { contentOf } from '../src/entry/pdf/document.ts';
import { completeRequest, sampleContext } from '../src/entry/samples/requests.ts';

const WARM_UP = 8;
const ROUNDS = 40;

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
  'one rule': certificate(withRules(1), sampleContext),
  '100 rules': certificate(withRules(100), sampleContext),
};

const fonts = openFonts(loadFace);
const faces = { sans: await loadFace('sans'), bold: await loadFace('sans-bold'), sc: await loadFace('sc') };
const isHan = (text: string) => /[\u3000-\u9fff\uff00-\uffef]/.test(text);

/** Text and weight in the order of the page, the same words for every engine. */
function linesOf(record: CertificateRecord): { label: string | null; text: string; bold: boolean }[] {
  const content = contentOf(record);
  const lines = [
    { label: null as string | null, text: content.title, bold: true },
    { label: null, text: content.subtitle, bold: false },
  ];
  const add = (label: string, text: string) => lines.push({ label, text, bold: false });
  for (const { label, value } of content.header) add(label, value ?? 'Not provided');
  for (const { heading, blocks } of [...content.sections, content.attestation]) {
    lines.push({ label: null, text: heading, bold: true });
    for (const block of blocks) {
      if (block.kind === 'paragraph') lines.push({ label: null, text: block.text, bold: false });
      else if (block.kind === 'fields')
        for (const { label, value } of block.fields) add(label, value ?? 'Not provided');
      else for (const row of block.rows) lines.push({ label: row[0]!, text: row.slice(1).join('   '), bold: false });
    }
  }
  return lines;
}

function pdfkit(record: CertificateRecord): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: 'LETTER', margin: 40 });
    const chunks: Uint8Array[] = [];
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    document.registerFont('sans', faces.sans);
    document.registerFont('bold', faces.bold);
    const lines = linesOf(record);
    if (lines.some(({ text }) => isHan(text))) document.registerFont('sc', faces.sc);
    for (const { label, text, bold } of lines) {
      if (label !== null)
        document.font('sans').fontSize(7.6).text(label, 46, document.y, { continued: false }).moveUp();
      const x = label === null ? 40 : 120;
      document
        .font(bold ? 'bold' : isHan(text) ? 'sc' : 'sans')
        .fontSize(8.6)
        .text(text, x, document.y);
    }
    const { data, size } = encode(record.verification_url, { ecc: 'M', border: 0 });
    for (const [y, row] of data.entries()) {
      for (const [x, dark] of row.entries())
        if (dark) document.rect(490 + (x * 80) / size, 40 + (y * 80) / size, 80 / size, 80 / size);
    }
    document.fill('black').end();
  });
}

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

const engines: Record<string, () => Promise<Uint8Array>> = {};
for (const [name, record] of Object.entries(records)) engines[`ours, ${name}`] = () => render(record, fonts);
for (const name of ['latin', 'chinese'] as const) {
  engines[`pdfkit, ${name}`] = () => pdfkit(records[name]);
  engines[`react-pdf, ${name}`] = () => reactPdf(records[name]);
}

const times: Record<string, number[]> = {};
const sizes: Record<string, number> = {};
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (const [name, draw] of Object.entries(engines)) {
    const start = performance.now();
    const bytes = await draw();
    if (round >= WARM_UP) times[name] = [...(times[name] ?? []), performance.now() - start];
    sizes[name] = bytes.length;
  }
}

const median = (name: string) => times[name]!.toSorted((a, b) => a - b)[Math.floor(times[name]!.length / 2)]!;
const print = (line: string) => process.stdout.write(`${line}\n`);
for (const name of Object.keys(engines)) {
  print(
    `${name.padEnd(20)} median ${median(name).toFixed(1).padStart(6)} ms   ${String(sizes[name]).padStart(7)} bytes`,
  );
}

/** Peak memory of a process of its own that only draws ours: 200 Chinese certificates, fonts included. */
const probe = `
  import { certificate, openFonts, render } from '@compliance/core/entry';
  import { loadFace } from '@compliance/fonts';
  const fonts = openFonts(loadFace);
  const record = certificate(${JSON.stringify(chinese)}, ${JSON.stringify(sampleContext)});
  for (let round = 0; round < 200; round++) await render(record, fonts);
  process.stdout.write(String(Math.round(process.resourceUsage().maxRSS / 1024)));
`;
const flags = ['--conditions=@compliance/source', '--input-type=module', '--eval', probe];
const peak = execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: 'utf8' });
print(`peak memory of a process that draws 200 Chinese certificates: ${peak} MiB`);

let failed = false;
const limit = (what: string, value: number, most: number) => {
  failed ||= value > most;
  print(`${value <= most ? 'ok  ' : 'OVER'} ${what}: ${value.toFixed(2)} (limit ${most})`);
};
limit('Latin, ours / pdfkit', median('ours, latin') / median('pdfkit, latin'), 0.3);
limit('Chinese, ours / pdfkit', median('ours, chinese') / median('pdfkit, chinese'), 0.35);
limit('100 rules / one rule', median('ours, 100 rules') / median('ours, one rule'), 6);
limit('Latin file, KB', sizes['ours, latin']! / 1000, 40);
limit('Chinese file, KB', sizes['ours, chinese']! / 1000, 60);
print(`     Latin, ours / react-pdf: ${(median('ours, latin') / median('react-pdf, latin')).toFixed(2)}`);
print(`     Chinese, ours / react-pdf: ${(median('ours, chinese') / median('react-pdf, chinese')).toFixed(2)}`);
process.exitCode = failed ? 1 : 0;
