import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-two': { ids: ['GTM-ABC1234', 'GTM-DEF5678'] } });
