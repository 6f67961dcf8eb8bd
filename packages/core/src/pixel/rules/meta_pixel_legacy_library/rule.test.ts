import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-own-copy': { confidence: 'likely' },
  'fires-script-element': { confidence: 'certain' },
});
