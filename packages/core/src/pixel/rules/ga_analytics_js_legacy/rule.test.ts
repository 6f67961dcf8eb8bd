import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-preferences': { owner: 'shopify_admin', ids: ['UA-12426000-1'] },
  'fires-snippet': { owner: 'theme' },
});
