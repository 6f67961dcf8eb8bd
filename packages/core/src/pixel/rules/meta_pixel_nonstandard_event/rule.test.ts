import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-case': { message: '"addToCart" is no standard event; "AddToCart" is meant.' },
});
