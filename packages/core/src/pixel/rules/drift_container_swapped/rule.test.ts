import { testDriftRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testDriftRule(rule, import.meta.dirname);
