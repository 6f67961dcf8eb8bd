import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-list': { severity: 'warn', escalates_on: '2027-03-01', owner: 'app' } });
