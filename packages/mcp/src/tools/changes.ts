import { changesResponse, codeChangesRequest, codeChangesResponse } from '@compliance/contract/list-changes';
import { calendarDate } from '@compliance/contract/tariff';
import { type Dataset, easternDate, effectiveChanges } from '@compliance/core/tariff';
import { z } from 'zod';
import { defineTool, knownThrough, READ_ONLY, summaryLines } from './tool.ts';

const KINDS = ['added', 'removed', 'moved', 'rate_changed'] as const;
const WORDS = { added: 'added', removed: 'removed', moved: 'moved to another annex', rate_changed: 'duty changed' };

/** Default and maximum number of changes of each kind in a result. */
const LIMIT = { default: 20, max: 500 };

const { codes, programs } = codeChangesRequest.shape;

const input = z.strictObject({
  from: calendarDate.optional().meta({ format: 'date', description: 'Earlier date. Defaults to today.' }),
  to: calendarDate.optional().meta({
    format: 'date',
    description:
      'Later date. Defaults to the date of the last scheduled change. Without dates, the result contains only upcoming changes.',
  }),
  codes: codes
    .optional()
    .meta({ description: 'Limits the result to changes that affect these HTS codes. Defaults to all changes.' }),
  programs: programs.meta({ description: 'Programs to compare. Applies only to calls with `codes`. Defaults to all.' }),
  limit: z.int().min(1).max(LIMIT.max).default(LIMIT.default).meta({
    description: 'Maximum number of changes of each kind in the result. `counts` contains the totals.',
  }),
});

const count = z.int();
const output = codeChangesResponse
  .extend({
    ...Object.fromEntries(KINDS.map(kind => [kind, z.array(changesResponse.shape[kind].element.loose())])),
    invalid_codes: codeChangesResponse.shape.invalid_codes.optional(),
    counts: z.object({ added: count, removed: count, moved: count, rate_changed: count }).meta({
      description: 'Number of changes of each kind.',
    }),
    omitted: count.meta({ description: 'Number of changes omitted from the result because of `limit`.' }),
  })
  .meta({ description: 'Changes to the lists between two dates.' });

type Changes = z.output<typeof codeChangesResponse>;
type Change = Changes['added'][number];

/** Lists changes to the Section 232 lists. */
export const changesTool = defineTool({
  name: 'changes',
  title: 'List changes to the Section 232 lists',
  description:
    'Compares the Section 232 lists on two dates and returns the provisions that were added, removed, moved to another annex, or ' +
    'given a new rate, with citations. Without dates, returns the scheduled changes after today. With `codes`, returns only the ' +
    'changes that affect these codes.',
  input,
  output,
  annotations: READ_ONLY,
  performsOperation: true,
  async run({ limit, codes, programs, ...dates }, { now, dataset, perform }) {
    const today = easternDate(now);
    const from = dates.from ?? today;
    const to = dates.to ?? lastChangeAfter(from, dataset);
    const found = (await (codes
      ? perform('tariff.hts.changes', { codes, from, to, ...(programs && { programs }) })
      : perform('tariff.changes', { from, to }))) as Changes;
    const counts = Object.fromEntries(KINDS.map(kind => [kind, found[kind].length])) as Record<Kind, number>;
    const shown = Object.fromEntries(KINDS.map(kind => [kind, found[kind].slice(0, limit)])) as Record<Kind, Change[]>;
    const omitted = KINDS.reduce((sum, kind) => sum + counts[kind] - shown[kind].length, 0);
    const all = KINDS.flatMap(kind => shown[kind].map(change => lineFor(kind, change)));
    return {
      data: { ...found, ...shown, counts, omitted },
      text: [
        `Changes from ${from} to ${to}: ${KINDS.map(kind => `${counts[kind]} ${WORDS[kind]}`).join(', ')}.`,
        ...summaryLines(all),
        ...(omitted > 0 ? [`Omitted: ${omitted}. To get more, raise \`limit\` or narrow the date range.`] : []),
        ...(found.invalid_codes ?? []).map(({ code, message }) => `Ignored ${code}: ${message}`),
        knownThrough(found),
      ].join('\n'),
    };
  },
});

type Kind = (typeof KINDS)[number];

function lineFor(kind: Kind, { program, hts, before, after }: Change): string {
  const rates = [before, after].map(listing =>
    listing?.rate_pct == null ? 'rate not stated' : `${listing.rate_pct}%`,
  );
  const detail = kind === 'rate_changed' ? ` (${rates.join(' to ')})` : '';
  return `- ${hts} (${program}): ${WORDS[kind]}${detail}. Source: ${(after ?? before)?.citation}`;
}

const lastChanges = new WeakMap<Dataset, string>();

/** Returns `from` or the date of the last change in the data set, whichever is later. */
function lastChangeAfter(from: string, dataset: Dataset): string {
  let last = lastChanges.get(dataset);
  // Comparing all dates takes up to 0.1 seconds, so compare them only once for each data set.
  if (last === undefined) lastChanges.set(dataset, (last = effectiveChanges(dataset)[0]?.date ?? from));
  return last > from ? last : from;
}
