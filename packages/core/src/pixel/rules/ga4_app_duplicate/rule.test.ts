import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-older-shape': { severity: 'error', ids: ['G-2H21000000'] },
  'fires-ads-without-events': { severity: 'warn' },
});
