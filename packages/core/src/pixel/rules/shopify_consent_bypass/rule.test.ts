import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-bare-pixel': { confidence: 'possible', ids: ['157204581336210'] } });
