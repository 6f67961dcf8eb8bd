import { describe, expect, it } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { messageParameters } from '../model/message.ts';
import { scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { TODAY } from '../testing/fixtures.ts';
import { localizeFinding, localizeTerm, ruleTexts, type ScanTranslation } from './localize.ts';

/** Returns fake translations. Each one consists of the string's ID in uppercase and the string's parameters. */
const shouted = (texts: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(texts).map(([id, text]) => [
      id,
      `${id.toUpperCase()} ${messageParameters(text).map(name => `{${name}}`)}`,
    ]),
  );
const translation: ScanTranslation = {
  locale: 'de',
  terms: { ad_pixel_tiktok: 'TikTok-Pixel', base_code: 'Basiscode von {vendor}', unnamed_event: 'ein Event' },
  rules: Object.fromEntries(
    [...ruleTexts].map(([id, { messages }]) => [id, { fix: 'Beheben.', messages: shouted(messages) }]),
  ),
};
const findingIn = (html: string, ruleId: string): Finding =>
  scan(captureOf(html), TODAY).findings.find(({ rule_id }) => rule_id === ruleId)!;
const localized = (finding: Finding) => localizeFinding(finding, translation);

describe('a localized finding', () => {
  const custom = findingIn(
    `<script>fbq('init', '1'); fbq('track', '{event}<b>$&')</script>`,
    'meta_pixel_nonstandard_event',
  );

  it('has a message and fix in the requested language, with the original values', () => {
    expect(localized(custom)).toEqual({
      ...custom,
      message: 'CUSTOM {event}<b>$&',
      fix: 'Beheben.',
      docs_url: '/docs/rules/meta_pixel_nonstandard_event?lang=de',
      message_language: 'de',
    });
  });

  it('stays in English if its message ID is missing or unknown, if its message values are missing, or if a term is unknown', () => {
    const { message_values, ...withoutValues } = custom;
    const { message_id, ...withoutId } = custom;
    for (const stored of [withoutValues, withoutId, { ...custom, message_id: 'toString' }])
      expect(localized(stored)).toMatchObject({ message: custom.message, message_language: 'en' });
    const unknownTerm = { term: 'removed' } as unknown as { term: 'other' };
    expect(localized({ ...custom, message_values: { event: unknownTerm } }).message).toBe(custom.message);
  });

  it('contains translated terms and lists formatted for the requested language', () => {
    const html = `<script>ttq.load('YOUR_ID')</script>`;
    expect(localized(findingIn(html, 'ad_pixel_malformed_id')).message).toBe(
      'PLACEHOLDER TikTok-Pixel,pixel ID,YOUR_ID',
    );
    const broken = `<script>fbq('init', '157204581336210'); fbq('track', 'PageView'); fbq(</script>`;
    expect(localized(findingIn(broken, 'script_never_runs')).message).toMatch(/^SEVERAL .+ und PageView,/);
  });

  it('masks personal data in its message', () => {
    const event = { ...custom, message_values: { event: 'ana@example.com' } };
    expect(localized(event).message).toBe('CUSTOM [email]');
  });
});

it('translates a known term, and returns null for an unknown term', () => {
  expect(localizeTerm({ term: 'unnamed_event' }, translation)).toBe('ein Event');
  expect(localizeTerm({ term: 'removed' as 'other' }, translation)).toBeNull();
});
