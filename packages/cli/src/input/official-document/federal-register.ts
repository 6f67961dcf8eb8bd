import type { OfficialDocument } from '@compliance/core/tariff';
import { createParagraphs, parseXml, XmlError } from './paragraphs.ts';

/** Elements within a paragraph. The start or end of any other element ends the paragraph. */
const INLINE = new Set(['E', 'SU', 'AC', 'FR', 'FTREF', 'PRTPAGE', 'URL', 'ENT', 'LI']);

/** Elements for content that is published as an image. */
const IMAGES = new Set(['GPH', 'MATH']);

/** Elements found only in Federal Register documents. A valid document must contain at least one of these elements. */
const KNOWN = new Set(['PRESDOCU', 'PROCLA', 'EXECORD', 'NOTICE', 'RULE', 'PRORULE', 'FRDOC']);

/**
 * Reads paragraphs and table rows, with their page numbers, from a Federal Register document in XML.
 *
 * @throws XmlError if the XML isn't usable or isn't from the Federal Register
 */
export function readFederalRegister(xml: string): Pick<OfficialDocument, 'paragraphs' | 'unread'> {
  let page: string | null = null;
  let counts = { paragraph: 0, 'table row': 0 };
  let isKnown = false;
  const unread: string[] = [];
  const collected = createParagraphs(kind => `${page === null ? '' : `page ${page}, `}${kind} ${++counts[kind]}`);
  parseXml(xml, {
    open(name, attributes) {
      isKnown ||= KNOWN.has(name);
      if (name === 'PRTPAGE') {
        page = attributes.P ?? page;
        counts = { paragraph: 0, 'table row': 0 };
      } else if (name === 'ROW') collected.startRow();
      else if (!INLINE.has(name)) collected.endParagraph();
      if (IMAGES.has(name)) unread.push(page === null ? 'an image' : `the image on page ${page}`);
    },
    text: collected.append,
    close(name) {
      if (name === 'ENT') collected.endCell();
      else if (name === 'ROW') collected.endRow();
      else if (!INLINE.has(name)) collected.endParagraph();
    },
  });
  if (!isKnown) throw new XmlError("it isn't a Federal Register document");
  return { paragraphs: collected.paragraphs, unread: [...new Set(unread)] };
}
