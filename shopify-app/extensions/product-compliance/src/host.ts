import type { Api } from '@shopify/ui-extensions/admin.product-details.block.render';

/** Parts of Shopify's extension API that every extension can use. */
export type Host = Pick<Api, 'data' | 'i18n'>;

export type I18n = Host['i18n'];

/** Returns the numeric ID of the product whose page is open. */
export const productNumberOf = ({ data }: Host): string => data.selected[0]?.id.split('/').at(-1) ?? '';

/** Returns the language of the extension's messages, which is the admin's language if the extension supports it. */
export const languageOf = ({ i18n }: Host): string => i18n.translate('language');

/** Formats a date such as `2026-06-04`. */
export const formatDay = (i18n: I18n, day: string): string =>
  i18n.formatDate(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns the URL of one of the app's pages. The Shopify admin opens the page in the app. */
export const appPage = (path: string): string => `app:${path.slice(1)}`;
