import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, {
  'fires-queue': { severity: 'error', ids: ['UA-21673000-1'] },
  'fires-document-write': { ids: ['UA-7521000-1'] },
  'fires-guarded-helper': { severity: 'info' },
});
