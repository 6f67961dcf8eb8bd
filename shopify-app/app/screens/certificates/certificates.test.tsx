import { expect, it } from 'vitest';
import { describeStates } from '../testing/describe-states.ts';
import { shown } from '../testing/shown.tsx';
import { certificates, STATES, view } from './certificates.states.tsx';

describeStates('the list', STATES);

it('says nothing of a catalog that was not read', () => {
  const { text } = shown(certificates({ ...view, rows: [], hasCatalog: false }));
  expect(text).not.toContain('Every product of your catalog');
});
