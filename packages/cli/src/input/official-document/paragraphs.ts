import type { DocumentParagraph } from '@compliance/core/tariff';
import { SaxesParser } from 'saxes';

/** Maximum depth of nested elements. Official documents have fewer than 30 levels. */
const MAX_DEPTH = 500;

/** Error thrown if an XML document can't be used. */
export class XmlError extends Error {
  override name = 'XmlError';
}

/** Receives the parts of an XML document in order. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(name: string): void;
}

/**
 * Parses XML from an untrusted source. Rejects document type declarations so that a document can't define entities or
 * refer to other files.
 *
 * @throws XmlError if the XML is invalid, has a doctype, or is nested too deeply
 */
export function parseXml(xml: string, handler: XmlHandler): void {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('doctype', () => {
    throw new XmlError('it contains a doctype');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) throw new XmlError('its elements are nested too deeply');
    handler.open(name, attributes);
  });
  parser.on('text', text => handler.text(text));
  parser.on('cdata', text => handler.text(text));
  parser.on('closetag', ({ name }) => {
    depth--;
    handler.close(name);
  });
  parser.on('error', ({ message }) => {
    throw new XmlError(`it isn't valid XML (${message})`);
  });
  parser.write(xml).close();
}

/** Kind of text being collected. */
type TextKind = 'paragraph' | 'table row';

/**
 * Groups text into paragraphs and table rows. Cells in a row are separated by ` | `.
 *
 * @param locate returns the location of a new paragraph or row
 */
export function createParagraphs(locate: (kind: TextKind) => string) {
  const paragraphs: DocumentParagraph[] = [];
  let text = '';
  let location: string | null = null;
  let rowDepth = 0;
  const flush = () => {
    if (location !== null) paragraphs.push({ text: text.replace(/\s+/g, ' ').trim(), location });
    text = '';
    location = null;
  };
  return {
    paragraphs,
    append(part: string) {
      if (/\S/.test(part)) location ??= locate(rowDepth > 0 ? 'table row' : 'paragraph');
      text += part;
    },
    /** Ends a paragraph. Within a table row, adds a space instead. */
    endParagraph() {
      if (rowDepth > 0) text += ' ';
      else flush();
    },
    startRow() {
      if (rowDepth++ === 0) flush();
    },
    endCell() {
      text += ' | ';
    },
    endRow() {
      if (--rowDepth > 0) return;
      text = text.replace(/ \| $/, '');
      flush();
    },
  };
}
