import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-add-pixel-id': { ids: ['294000000000001'], severity: 'error', confidence: 'certain' },
});
