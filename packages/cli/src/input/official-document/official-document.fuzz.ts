import type { FuzzTarget } from '@compliance/fuzz';
import { readFederalRegister } from './federal-register.ts';
import { XmlError } from './paragraphs.ts';
import { readPlainText } from './plain-text.ts';

/** Fuzz target for official documents, which are read as XML and as plain text. */
export default {
  covers: ['packages/cli/src/input/official-document/'],
  seeds: [
    '<?xml version="1.0"?><NOTICE><PRTPAGE P="84001"/><P>The duty is <E T="03">25</E> percent.</P><GPH><GID>a</GID></GPH></NOTICE>',
    '<RULE><GPOTABLE><ROW><ENT I="01">9903.83.01</ENT><ENT>A&amp;B &#37;</ENT></ROW></GPOTABLE><P><![CDATA[x]]></P></RULE>',
    'GUIDANCE\r\nEffective on\r\nDecember 1, 2026:\r\n9903.83.01: 25%\r\n- b\r\n\r\n(a) End',
  ],
  words: [
    '<P>',
    '</P>',
    '<ROW>',
    '</ROW>',
    '<ENT>',
    '<PRTPAGE P="1"/>',
    '<RULE>',
    '</RULE>',
    '<!DOCTYPE a>',
    '&amp;',
    '\n\n',
  ],
  maxLength: 2_000,
  holds(input) {
    const plain = readPlainText(input).paragraphs;
    if (new Set(plain.map(({ location }) => location)).size !== plain.length) throw new Error('repeats a location');
    const words = (text: string) => text.replace(/\s/g, '');
    if (words(plain.map(({ text }) => text).join('')) !== words(input)) throw new Error('loses text');
    try {
      for (const { text } of readFederalRegister(input).paragraphs) {
        if (text === '' || /[\r\n]/.test(text)) throw new Error('returns an empty or broken paragraph');
      }
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
    }
  },
} satisfies FuzzTarget;
