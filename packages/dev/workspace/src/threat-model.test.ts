import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const rows = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (threat|---)/.test(line))
  .map(line => line.split('|').map(cell => cell.trim()));

describe('the threat model', () => {
  it('lists more than 30 threats', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows.map(([, threat, , proof]) => [threat!, proof!]))(
    'names an existing test for the threat: %s',
    (_, proof) => {
      const [, file, names] = /^`([^`]+)` › (.+)$/.exec(proof)!;
      const source = readFileSync(join(ROOT, file!), 'utf8');
      // A proof can name the test's suite before its title.
      for (const name of names!.split(' › ')) expect(source).toContain(name);
    },
  );
});
