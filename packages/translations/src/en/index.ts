import type { Translation } from '../translation.ts';
import pages from './pages.json' with { type: 'json' };

/**
 * English, which `core` and the data set already contain. Only the strings of the documentation pages are here, because the other
 * strings are shown in English if they have no translation.
 */
export const en: Translation = {
  locale: 'en',
  pages,
  report: {},
  rules: {},
  efiling: {},
  terms: {},
  conditions: {},
  caveats: {},
  stacking: {},
};
