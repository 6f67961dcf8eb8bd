import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-version-one': { variant: 'v1' },
  'fires-all-granted': { variant: 'all_granted' },
});
