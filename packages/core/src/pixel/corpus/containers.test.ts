import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spent } from '@compliance/bench';
import { describe, expect, it } from 'vitest';
import { readContainer } from '../container/read-container.ts';
import type { Container } from '../model/container.ts';
import facts from './containers.json' with { type: 'json' };

const folder = join(import.meta.dirname, '../../../../../../shared/data/containers');
const present = existsSync(folder);
const files = present ? readdirSync(folder).sort() : [];

/** Returns the number of occurrences of each value, sorted by value. */
function counts(values: readonly string[]): Record<string, number> {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Summarizes a container's tags, IDs, events, and triggers. */
const summary = ({ id, version, tags, templates, truncated }: Container) => ({
  id,
  version,
  types: counts(tags.map(tag => tag.type)),
  ids: [...new Set(tags.flatMap(tag => tag.ids.values))].sort(),
  inexact: tags.filter(tag => !tag.ids.exact).length,
  events: counts(tags.flatMap(tag => tag.event ?? [])),
  triggers: counts(
    tags.flatMap(tag => tag.triggers.map(({ kind, event }) => (kind === 'custom_event' ? `${kind}: ${event}` : kind))),
  ),
  exceptions: tags.reduce((sum, tag) => sum + tag.exceptions.length, 0),
  conditional: tags.reduce((sum, tag) => sum + tag.triggers.filter(t => t.conditions.length > 0).length, 0),
  paused: tags.filter(tag => tag.paused).length,
  templates: templates.length,
  truncated,
});

describe.skipIf(!present)(
  present ? 'container reading' : 'container reading (skipped: no ../shared/data/containers next to the checkout)',
  () => {
    it('is tested against reviewed facts for every saved container', () => {
      expect(files).toEqual(Object.keys(facts).sort());
    });

    it.each(files)('finds the reviewed tags, IDs, events, triggers, and version in %s', file => {
      const container = readContainer(readFileSync(join(folder, file), 'utf8'));
      if ('unreadable' in container) throw new Error(container.unreadable);
      expect(summary(container)).toEqual(facts[file as keyof typeof facts]);
    });

    it.each(files)('takes less than 100 ms of CPU time for %s', async file => {
      const source = readFileSync(join(folder, file), 'utf8');
      // Use the fastest of three runs, because the first run includes JIT compilation.
      const times: number[] = [];
      for (let run = 0; run < 3; run++) times.push(await spent(() => readContainer(source)));
      expect(Math.min(...times)).toBeLessThan(100);
    });
  },
);
