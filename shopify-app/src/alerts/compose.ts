import type { AlertMessage } from '@compliance/store/shop';
import type { Translation } from '@compliance/translations';
import type { TFunction } from 'i18next';
import { ruleTitleIn, translationFor } from '../translation/translation.ts';
import type { AlertEvent } from './alert.ts';
import { messageLanguage, translate } from './messages.ts';

/** Maximum length of text from a shop, such as a title or an HTS code, in characters. */
const MAX_TEXT = 200;

/** Maximum number of variants that an email lists for each change to the tariff lists. */
const LISTED = 20;

/** Shop data that a message needs. */
export interface AlertReader {
  readonly domain: string;
  /** Reader's language as a BCP 47 tag, or null for English. */
  readonly language: string | null;
  /** URL of the app in the Shopify admin, without a trailing slash. */
  readonly adminUrl: string;
  readonly unsubscribeUrl: string;
}

/** Returns the app's URL in a shop's Shopify admin, without a trailing slash. */
export const appAdminUrl = (domain: string, apiKey: string): string =>
  `https://admin.shopify.com/store/${domain.replace('.myshopify.com', '')}/apps/${apiKey}`;

/**
 * Writes the subject and plain text of an alert email. Text from the shop can't add lines or reverse the direction of
 * the surrounding text.
 *
 * @example composeAlerts(message, reader).subject // '2 compliance alerts for some-shop.myshopify.com'
 */
export function composeAlerts(
  { alerts }: AlertMessage,
  { domain, language, adminUrl, unsubscribeUrl }: AlertReader,
): { readonly subject: string; readonly text: string } {
  const t = translate(language);
  const describe = eventDescriber(language);
  const sections = alerts.map(({ kind, detail }) => describe({ kind, detail } as AlertEvent));
  const [first] = sections;
  const subject =
    sections.length === 1
      ? t('subject.one', { shop: domain, what: first!.heading })
      : t('subject.many', { shop: domain, count: sections.length });
  const text = [
    t('intro', { shop: domain }),
    ...sections.map(({ heading, lines, path, action }) =>
      [heading, ...lines.map(line => `  ${line}`), `  ${action}: ${adminUrl}${path}`].join('\n'),
    ),
    t('advice'),
    [t('why', { shop: domain }), `${t('unsubscribe')}: ${unsubscribeUrl}`].join('\n'),
  ];
  return { subject, text: `${text.join('\n\n')}\n` };
}

/** Description of an event. */
interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
  /** Path of the app page that the alert links to. */
  readonly path: string;
  readonly action: string;
}

/**
 * Returns the function that describes events in a language.
 *
 * @param language BCP 47 tag, or null for English
 * @example eventDescriber('de')({ kind: 'certificate_incomplete', detail }).heading // 'Ein Zertifikat ist unvollständig'
 */
export function eventDescriber(language: string | null): (event: AlertEvent) => Section {
  const date = new Intl.DateTimeFormat(messageLanguage(language), { dateStyle: 'medium', timeZone: 'UTC' });
  return writer(translate(language), translationFor(language), day => date.format(Date.parse(day)));
}

function writer(t: TFunction, translation: Translation, day: (date: string) => string): (event: AlertEvent) => Section {
  return event => {
    switch (event.kind) {
      case 'error': {
        const { ruleId, title, place, fingerprint } = event.detail;
        return {
          heading: t('error.heading'),
          lines: [
            ruleId === undefined ? oneLine(title) : ruleTitleIn(ruleId, translation),
            ...(place === null ? [] : [oneLine(place)]),
          ],
          path: `/app/findings/${fingerprint}`,
          action: t('error.action'),
        };
      }
      case 'tariff': {
        const { version, on, variants, more } = event.detail;
        const rate = (text: string | null, status: string | undefined) =>
          text ?? t(status === 'clear' || status === 'adjacent' ? 'tariff.noRate' : 'tariff.unknownRate');
        const change = ({ change, status, rate: rates, since }: (typeof variants)[number]) =>
          [
            change === null
              ? t('tariff.terms')
              : t('tariff.change', { from: t(`status.${change.from}`), to: t(`status.${change.to}`) }),
            ...(rates && rates.from !== rates.to
              ? [t('tariff.rate', { from: rate(rates.from, change?.from ?? status), to: rate(rates.to, status) })]
              : []),
            ...(since === null ? [] : [t('tariff.since', { date: day(since) })]),
          ].join(', ');
        return {
          heading: t('tariff.heading', { version }),
          lines: [
            t('tariff.checked', { date: day(on) }),
            ...variants
              .slice(0, LISTED)
              .map(
                one =>
                  `- ${[oneLine(one.title), one.code && oneLine(one.code)].filter(Boolean).join(' · ')}: ${change(one)}`,
              ),
            ...(more || variants.length > LISTED ? [t('tariff.more')] : []),
          ],
          path: '/app/catalog?changed=yes',
          action: t('tariff.action'),
        };
      }
      default: {
        const { title, product, certificate } = event.detail;
        return {
          heading: t(`${event.kind}.heading`),
          lines: [
            t('certificate', { product: title === null ? t('goneProduct') : oneLine(title), certificate }),
            ...(event.kind === 'certificate_retest'
              ? [t('certificate_retest.due', { rule: oneLine(event.detail.rule), date: day(event.detail.due) })]
              : []),
          ],
          path: `/app/certificates/${product}`,
          action: t('certificateAction'),
        };
      }
    }
  };
}

/** Replaces control, formatting, and line-break characters with spaces, and limits the length. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
