import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-pair': { severity: 'error', ids: ['2322352894887137'], owner: 'theme' } });
