import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-view-content-only': { severity: 'warn', ids: ['157204581336210'] },
  'fires-with-container': { severity: 'info' },
});
