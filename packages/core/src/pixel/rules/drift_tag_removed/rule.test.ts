import { testDriftRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testDriftRule(rule, import.meta.dirname, { 'fires-app-pixel-gone': { severity: 'error', ids: ['2322352894887137'] } });
