import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-missing': { variant: 'missing', severity: 'info' },
  'fires-in-head': { variant: 'in_head', severity: 'warn' },
  'fires-noscript-only': { variant: 'noscript_only', severity: 'warn' },
  'fires-own-copy': { variant: 'noscript_only', severity: 'info' },
});
