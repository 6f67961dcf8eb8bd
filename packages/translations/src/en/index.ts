import type { Translation } from '../translation.ts';
import pages from './pages.json' with { type: 'json' };

/**
 * English strings for the service's rule pages. `core` and the data set contain all other English strings. A string
 * without a translation is shown in English.
 */
export const en: Translation = {
  locale: 'en',
  pages,
  rendering: { messages: {}, problems: {} },
  report: {},
  rules: {},
  efiling: {},
  terms: {},
  conditions: {},
  caveats: {},
  stacking: {},
};
