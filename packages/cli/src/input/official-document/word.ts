import { buffer } from 'node:stream/consumers';
import type { OfficialDocument } from '@compliance/core/tariff';
import { fromBufferPromise } from 'yauzl';
import { MAX_XML } from './limits.ts';
import { createParagraphs, parseXml, XmlError } from './paragraphs.ts';

/** Part of a Word document that contains the body text. */
const TEXT = 'word/document.xml';

/** Document parts for footnotes, endnotes, and comments. */
const OTHER_TEXT = /^word\/(footnotes|endnotes|comments)\.xml$/;

/** Elements whose content duplicates other content. */
const REPEATED = new Set(['mc:Fallback']);

/**
 * Reads paragraphs and table rows from a Word document (.docx).
 *
 * @throws XmlError if the file isn't a Word document or its text is too long
 */
export async function readWord(bytes: Buffer): Promise<Pick<OfficialDocument, 'paragraphs' | 'unread'>> {
  const { xml, parts } = await unzip(bytes);
  const counts = { paragraph: 0, 'table row': 0 };
  let images = 0;
  let repeated = 0;
  let isText = false;
  const collected = createParagraphs(kind => `${kind} ${++counts[kind]}`);
  parseXml(xml, {
    open(name) {
      if (REPEATED.has(name)) repeated++;
      if (repeated > 0) return;
      if (name === 'w:t') isText = true;
      else if (name === 'w:tab' || name === 'w:br' || name === 'w:cr') collected.append(' ');
      else if (name === 'w:noBreakHyphen') collected.append('-');
      else if (name === 'w:drawing' || name === 'w:pict') images++;
      else if (name === 'w:tr') collected.startRow();
    },
    text(text) {
      if (isText && repeated === 0) collected.append(text);
    },
    close(name) {
      if (REPEATED.has(name)) repeated--;
      if (repeated > 0) return;
      if (name === 'w:t') isText = false;
      else if (name === 'w:p') collected.endParagraph();
      else if (name === 'w:tc') collected.endCell();
      else if (name === 'w:tr') collected.endRow();
    },
  });
  const others = parts.flatMap(part => OTHER_TEXT.exec(part)?.[1] ?? []).map(part => `the ${part}`);
  return { paragraphs: collected.paragraphs, unread: [...(images > 0 ? [`its images (${images})`] : []), ...others] };
}

/** Returns the XML that contains the body text, and the names of all the document's parts. */
async function unzip(bytes: Buffer): Promise<{ xml: string; parts: string[] }> {
  let xml: string | null = null;
  const parts: string[] = [];
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of archive.eachEntry()) {
      parts.push(entry.fileName);
      if (entry.fileName !== TEXT) continue;
      if (entry.uncompressedSize > MAX_XML) throw new XmlError('its text is too long');
      // The stream fails if the content is larger than the declared size.
      xml = (await buffer(await archive.openReadStreamPromise(entry))).toString('utf8');
    }
  } catch (error) {
    if (error instanceof XmlError) throw error;
    throw new XmlError(`it isn't a Word document (${(error as Error).message})`);
  }
  if (xml === null) throw new XmlError("it isn't a Word document");
  return { xml, parts };
}
