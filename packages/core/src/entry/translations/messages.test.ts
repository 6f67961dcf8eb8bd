import { describe, expect, it } from 'vitest';
import { currentAttestation } from '../attestation/texts.ts';
import { uncoveredCharacters } from '../text/coverage.ts';
import { CATALOGS, isMessage, printedTexts, SECOND_LANGUAGES } from './messages.ts';

const messages = Object.keys(CATALOGS.de);
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe.each(SECOND_LANGUAGES)('the message catalog for %s', language => {
  const catalog: Readonly<Record<string, string>> = CATALOGS[language];

  it('contains a translation of every message in the other catalogs', () => {
    expect(Object.keys(catalog)).toEqual(messages);
    for (const [message, text] of Object.entries(catalog)) expect(text.trim(), message).not.toBe('');
  });

  it('keeps each message’s placeholders, section number, and legal citations', () => {
    const citations = (text: string) => text.match(/\d+ (?:CFR|U\.S\.C\.) (?:part )?\d+(?:\.\d+)?(?:\(\w\))*/g) ?? [];
    for (const [message, text] of Object.entries(catalog)) {
      expect(placeholders(text), message).toEqual(placeholders(message));
      expect(citations(text), message).toEqual(citations(message));
      expect(/^\d\. /.exec(text)?.[0], message).toBe(/^\d\. /.exec(message)?.[0]);
    }
  });

  it('uses only characters that the fonts support', () => {
    for (const text of Object.values(catalog)) expect(uncoveredCharacters(text), text).toEqual([]);
  });

  it('translates the current attestation text', () => {
    for (const sentence of currentAttestation.sentences) expect(isMessage(sentence), sentence).toBe(true);
  });
});

describe('printedTexts', () => {
  it('returns the English text followed by the translation, both with values filled in', () => {
    expect(printedTexts({ message: 'Tests for rules {rules}', values: { rules: '1, 2' } }, 'es')).toEqual([
      { text: 'Tests for rules 1, 2', language: null },
      { text: 'Ensayos de las normas 1, 2', language: 'es' },
    ]);
  });

  it('returns only the English text if there’s no second language or the translation is the same', () => {
    expect(printedTexts({ message: 'Address' }, null)).toEqual([{ text: 'Address', language: null }]);
    expect(printedTexts({ message: 'GTIN' }, 'zh')).toEqual([{ text: 'GTIN', language: null }]);
  });

  it('never translates a value or replaces placeholders in it', () => {
    expect(printedTexts('Address', 'fr')).toEqual([{ text: 'Address', language: null }]);
    const [english] = printedTexts({ message: 'Certificate {id}', values: { id: '{id}$&' } }, null);
    expect(english!.text).toBe('Certificate {id}$&');
  });
});
