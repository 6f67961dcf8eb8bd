import * as z from 'zod';

/**
 * Matches the ID that CPSC assigns to an accepted laboratory: four digits, according to CPSC's laboratory registration.
 */
const LAB_ID = /^\d{4}$/;

const LabList = z.strictObject({
  as_of: z.iso.date(),
  source: z.string().min(1).max(500),
  labs: z
    .array(
      z.strictObject({
        cpsc_lab_id: z.string().regex(LAB_ID, 'must be exactly four digits'),
        rules: z.array(z.string().min(1).max(100)).max(500).optional(),
      }),
    )
    .max(10_000),
});

/**
 * Your list of CPSC-accepted laboratories, with its date and source. `rules` lists the citations that a laboratory's
 * acceptance covers. If `rules` is omitted, the scope of the acceptance is unknown.
 */
export type LabList = z.output<typeof LabList>;

/**
 * Parses a list of CPSC-accepted laboratories. The package doesn't include a list, because CPSC changes its list
 * regularly.
 *
 * @throws RangeError if the list isn't valid. The message contains the path and description of the first problem.
 * @example parseLabList({ as_of: '2026-11-20', source: 'cpsc.gov lab search', labs: [{ cpsc_lab_id: '1234' }] }).labs.length // 1
 */
export function parseLabList(value: unknown): LabList {
  const { data, error } = LabList.safeParse(value);
  if (data) return data;
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  throw new RangeError(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}

/**
 * A laboratory's CPSC acceptance status. `not_checked` means that the laboratory's ID is in the correct format, but no
 * list was supplied.
 */
export type LabStatus = 'no_id' | 'invalid_id' | 'not_checked' | 'not_listed' | 'accepted';

/**
 * Returns a laboratory's CPSC acceptance status.
 *
 * @example labStatus('1234', null) // 'not_checked'
 */
export function labStatus(id: string | undefined, list: LabList | null): LabStatus {
  if (id === undefined) return 'no_id';
  if (!LAB_ID.test(id)) return 'invalid_id';
  if (list === null) return 'not_checked';
  return list.labs.some(lab => lab.cpsc_lab_id === id) ? 'accepted' : 'not_listed';
}
