import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-conversion-script': { variant: 'conversion_js', ids: ['101530000'] },
  'fires-image': { variant: 'viewthrough' },
});
