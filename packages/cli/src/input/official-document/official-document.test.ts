import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/run-cli.ts';
import { readOfficialDocument } from './index.ts';

const saved = (name: string, content: string | Uint8Array) => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
};
const readMessage = (content: string | Uint8Array) => readOfficialDocument('csms', saved('message.docx', content));
const readRegister = (xml: string) => readOfficialDocument('federal_register', saved('document.xml', xml));

const paragraph = (...runs: string[]) => `<w:p>${runs.map(run => `<w:r><w:t>${run}</w:t></w:r>`).join('')}</w:p>`;
const documentXml = (body: string) =>
  `<?xml version="1.0"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`;
const word = (body: string, parts: Record<string, string> = {}) =>
  zipSync({ 'word/document.xml': strToU8(documentXml(body)), ...mapValues(parts) });
const mapValues = (parts: Record<string, string>) =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]));
const cells = (...texts: string[]) => `<w:tr>${texts.map(text => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`;

describe('Word documents', () => {
  it('returns a Word document’s paragraphs and table rows with their numbers', async () => {
    const body = [
      paragraph('CSMS ', '# 7099', '9999'),
      paragraph(' '),
      `<w:tbl>${cells('9903.83.01', '25 percent')}${cells('9903.83.02', '15&#37;')}</w:tbl>`,
      '<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:delText>no</w:delText></w:r></w:p>',
    ].join('');
    expect(await readMessage(word(body))).toEqual({
      ...{ kind: 'csms', name: 'message.docx', unread: [] },
      paragraphs: [
        { text: 'CSMS # 70999999', location: 'paragraph 1' },
        { text: '9903.83.01 | 25 percent', location: 'table row 1' },
        { text: '9903.83.02 | 15%', location: 'table row 2' },
        { text: 'a b c', location: 'paragraph 2' },
      ],
    });
  });

  it('lists the unread parts of a Word document, and reads repeated content only once', async () => {
    const drawing = `<w:p><mc:AlternateContent><mc:Choice><w:drawing/>${paragraph('box')}</mc:Choice><mc:Fallback><w:pict/>${paragraph('box')}</mc:Fallback></mc:AlternateContent></w:p>`;
    const { paragraphs, unread } = await readMessage(word(drawing, { 'word/footnotes.xml': '<a/>' }));
    expect(paragraphs.map(({ text }) => text)).toEqual(['box']);
    expect(unread).toEqual(['its images (1)', 'the footnotes']);
  });

  it('rejects an oversized Word document, even if it declares a smaller decompressed size', async () => {
    const zipped = zipSync({ 'word/document.xml': new Uint8Array(65 * 1024 * 1024) }, { level: 1 });
    await expect(readMessage(zipped)).rejects.toThrow('its text is too long');
    const bytes = Buffer.from(zipped);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(65 * 1024 * 1024);
    const [inHeader, inDirectory] = [bytes.indexOf(size), bytes.lastIndexOf(size)];
    expect(inDirectory).toBeGreaterThan(inHeader);
    bytes.writeUInt32LE(1000, inDirectory);
    await expect(readMessage(bytes)).rejects.toThrow('too many bytes in the stream');
  });

  it.each([
    ['another archive', zipSync({ 'a.txt': strToU8('a') }), "it isn't a Word document"],
    ['a truncated archive', word(paragraph('a')).slice(0, 100), "it isn't a Word document"],
    ['bytes that only start like an archive', Buffer.concat([Buffer.from('PK'), randomBytes(1000)]), "it isn't a Word"],
    ['a path outside the archive', zipSync({ '../word/document.xml': strToU8('a') }), 'invalid relative path'],
    ['invalid XML', zipSync({ 'word/document.xml': strToU8('<w:document') }), "it isn't valid XML"],
    ['deep nesting', word('<w:sdt>'.repeat(1000)), 'nested too deeply'],
    [
      'a doctype',
      zipSync({ 'word/document.xml': strToU8('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>') }),
      'it contains a doctype',
    ],
  ])('rejects an invalid Word document (%s)', async (_, bytes, message) => {
    await expect(readMessage(bytes)).rejects.toThrow(message);
  });
});

describe('Federal Register documents', () => {
  it('returns a Federal Register document’s paragraphs and table rows with their pages, and lists its images', async () => {
    const { paragraphs, unread } = await readRegister(`<?xml version="1.0" encoding="UTF-8"?>
      <NOTICE><PREAMB><SUBJECT>Duties</SUBJECT></PREAMB><PRTPAGE P="84001"/>
      <P>The duty is 25 percent <E T="03">ad
        valorem</E> on <PRTPAGE P="84002"/>tungsten.</P><HD SOURCE="HD1">Annex</HD>
      <GPOTABLE><BOXHD><CHED H="1">Heading</CHED></BOXHD><ROW><ENT I="01">9903.83.01</ENT><ENT>A&amp;B</ENT></ROW></GPOTABLE>
      <GPH SPAN="3"><GID>ER25NO26.000</GID></GPH></NOTICE>`);
    expect(paragraphs).toEqual([
      { text: 'Duties', location: 'paragraph 1' },
      { text: 'The duty is 25 percent ad valorem on tungsten.', location: 'page 84001, paragraph 1' },
      { text: 'Annex', location: 'page 84002, paragraph 1' },
      { text: 'Heading', location: 'page 84002, paragraph 2' },
      { text: '9903.83.01 | A&B', location: 'page 84002, table row 1' },
      { text: 'ER25NO26.000', location: 'page 84002, paragraph 3' },
    ]);
    expect(unread).toEqual(['the image on page 84002']);
  });

  it.each([
    ['<!DOCTYPE RULE SYSTEM "file:///etc/passwd"><RULE>a</RULE>', 'it contains a doctype'],
    ['<RULE>&secret;</RULE>', "it isn't valid XML"],
    ['<RULE><P></RULE>', "it isn't valid XML"],
    ['<html><body>9903.83.01</body></html>', "it isn't a Federal Register document"],
    ['', "it isn't valid XML"],
  ])('rejects an unusable Federal Register document: %s', async (xml, message) => {
    await expect(readRegister(xml)).rejects.toThrow(message);
  });
});

describe('plain-text messages', () => {
  it('joins the lines of a paragraph in a plain-text message, and keeps each list item separate', async () => {
    const text =
      'GUIDANCE\r\nEffective on or\r\nafter December 1, 2026, report:\r\n9903.83.01: 25%\r\n9903.83.02: 15%\r\n\r\nEnd';
    const { paragraphs } = await readMessage(`\uFEFF${text}`);
    expect(paragraphs).toEqual([
      { text: 'GUIDANCE', location: 'line 1' },
      { text: 'Effective on or after December 1, 2026, report:', location: 'line 2' },
      { text: '9903.83.01: 25%', location: 'line 4' },
      { text: '9903.83.02: 15%', location: 'line 5' },
      { text: 'End', location: 'line 7' },
    ]);
  });
});

it('rejects a path that is missing, is a folder, or is a file that is too large', async () => {
  const folder = temporaryFolder();
  await expect(readOfficialDocument('csms', join(folder, 'none.txt'))).rejects.toThrow('(ENOENT)');
  await expect(readOfficialDocument('csms', folder)).rejects.toThrow("it isn't a file");
  const large = saved('large.xml', Buffer.alloc(16 * 1024 * 1024 + 1));
  await expect(readOfficialDocument('federal_register', large)).rejects.toThrow("it's larger than 16 MB");
});
