import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-config': { ids: ['UA-132894000-1'] }, 'fires-amp': { state: 'config' } });
