import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-in-body': { severity: 'warn', ids: ['GTM-ABC1234'] },
  'fires-delayed': { severity: 'info', state: 'later' },
});
