import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-revoked-late': { variant: 'revoke', confidence: 'certain' },
  'fires-limited-late': { confidence: 'possible' },
});
