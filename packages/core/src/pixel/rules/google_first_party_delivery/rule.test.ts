import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-server-container': { severity: 'info', ids: ['GTM-ABC1234'] },
  'fires-copied-file': { severity: 'warn' },
});
