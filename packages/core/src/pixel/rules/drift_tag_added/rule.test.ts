import { testDriftRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testDriftRule(rule, import.meta.dirname, { 'fires-second-container': { ids: ['GTM-DEF5678'], severity: 'warn' } });
