import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currencyCodes, metaContract } from './contracts.ts';

const file = join(import.meta.dirname, '../../../../../../shared/data/vendor-scripts/fbevents.js');
const present = existsSync(file);

describe.skipIf(!present)(
  present ? 'Meta’s script' : 'Meta’s script (skipped: no ../shared/data/vendor-scripts next to the checkout)',
  () => {
    const source = present ? readFileSync(file, 'utf8') : '';
    const [, numeric, codes, events] =
      /n=\/(.{1,40}?)\/,r="number",i="currency_code",l=\{(.*?)\},s=\{value:\{isRequired.*?\},u=\{(.*?)\},c=\{agent/.exec(
        source,
      ) ?? [];

    it('accepts the same numeric strings as our contract', () => {
      const theirs = new RegExp(numeric!);
      for (const text of ['1', '-1', '+1.50', '1.', '.5', '1,5', '$1', ' 1', '1e3', '', '1.5.2'])
        expect(metaContract.numeric_text.test(text), text).toBe(theirs.test(text));
    });

    it('accepts only currencies that our contract also accepts', () => {
      const theirs = codes!.match(/[A-Z]{3}/g)!;
      expect(theirs.length).toBeGreaterThan(40);
      expect(theirs.filter(code => !currencyCodes.has(code))).toEqual([]);
    });

    it('requires parameters only for Purchase, and recognizes every event in our contract', () => {
      expect(events!.match(/(\w+):\{validationSchema:s\}/g)).toEqual(['Purchase:{validationSchema:s}']);
      for (const name of Object.keys(metaContract.events)) expect(events).toContain(`${name}:{`);
    });
  },
);
