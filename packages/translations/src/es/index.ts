import type { Translation } from '../translation.ts';
import efiling from './efiling.json' with { type: 'json' };
import pages from './pages.json' with { type: 'json' };
import rendering from './rendering.json' with { type: 'json' };
import report from './report.json' with { type: 'json' };
import rules from './rules.json' with { type: 'json' };
import tariff from './tariff.json' with { type: 'json' };
import terms from './terms.json' with { type: 'json' };

/** All strings in Spanish. */
export const es: Translation = { locale: 'es', efiling, pages, rendering, report, rules, terms, ...tariff };
