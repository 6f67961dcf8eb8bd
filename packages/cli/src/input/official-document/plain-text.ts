import type { OfficialDocument } from '@compliance/core/tariff';

/** Matches a line that starts a new paragraph even if no empty line precedes it. */
const STARTS = /^(?:9903\.\d\d\.\d\d|[-•*] |\(\w+\) )/;

/**
 * Splits plain text into paragraphs. Except in lists, consecutive lines without an empty line between them form one
 * paragraph.
 */
export function readPlainText(text: string): Pick<OfficialDocument, 'paragraphs' | 'unread'> {
  const paragraphs: { text: string; location: string }[] = [];
  let isOpen = false;
  for (const [index, raw] of text.split(/\r\n|[\n\r\f]/).entries()) {
    const line = raw.trim();
    const last = paragraphs.at(-1);
    if (line === '') isOpen = false;
    else if (
      isOpen &&
      last &&
      !STARTS.test(line) &&
      !last.text.endsWith(':') &&
      !isTitle(line) &&
      !isTitle(last.text)
    ) {
      last.text += ` ${line}`;
    } else {
      paragraphs.push({ text: line, location: `line ${index + 1}` });
      isOpen = true;
    }
  }
  return { paragraphs, unread: [] };
}

function isTitle(line: string): boolean {
  return !/[a-z]/.test(line);
}
