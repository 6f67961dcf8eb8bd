import { expect, it } from 'vitest';
import { describeStates } from '../testing/describe-states.ts';
import { HOSTILE } from '../testing/hostile.ts';
import { shown } from '../testing/shown.tsx';
import { catalog, row, STATES, view } from './catalog.states.tsx';

describeStates('the catalog', STATES);

it('takes what strangers wrote for no template of its own', () => {
  const { text } = shown(catalog({ ...view, rows: [{ ...row, product: HOSTILE.template, sku: HOSTILE.template }] }));
  expect(text).toContain(`${HOSTILE.template} – M6 / 50 mm`);
  expect(text).toContain(`SKU ${HOSTILE.template}`);
});
