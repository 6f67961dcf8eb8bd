import { testRule } from '../../testing/fixtures.ts';
import rule from './rule.ts';

testRule(rule, import.meta.dirname, { 'fires-minified': { owner: 'shopify_admin', ids: ['UA-180644000-2'] } });
