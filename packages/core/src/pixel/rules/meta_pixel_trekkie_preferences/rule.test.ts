import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-minified': { ids: ['1539000000000001'], owner: 'shopify_admin', state: 'config' },
});
