import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-one-block': { severity: 'error', ids: ['G-7ESS000000'] } });
