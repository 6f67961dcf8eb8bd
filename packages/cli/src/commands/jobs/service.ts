import { Compliance, ComplianceError } from '@compliance/client';
import { CliError } from '../../cli-error.ts';
import { settingOption } from '../../settings/settings.ts';

/** A job, as returned by the service. */
export type ServiceJob = Awaited<ReturnType<Compliance['jobs']['get']>>;

/** Operation IDs by short name. */
export const OPERATIONS = {
  lookup: 'tariff.hts.lookup',
  scan: 'pixel.scan',
  render: 'pixel.render',
  certify: 'entry.gcc.generate',
  'certify-childrens': 'entry.cpc.generate',
} as const;

/** The `--server` option. */
export const serverOption = () => settingOption('COMPLIANCE_SERVER');

/**
 * Calls a service with the API key in COMPLIANCE_API_KEY.
 *
 * @throws CliError if the key is missing or the call fails
 */
export async function callService<T>(server: string, call: (client: Compliance) => Promise<T>): Promise<T> {
  const apiKey = process.env.COMPLIANCE_API_KEY;
  if (!apiKey) throw new CliError("Set COMPLIANCE_API_KEY to an API key whose scope includes the job's operation.", 2);
  try {
    return await call(new Compliance({ apiKey, baseURL: server }));
  } catch (error) {
    if (!(error instanceof ComplianceError) && !(error instanceof TypeError)) throw error;
    const [issue] = error instanceof ComplianceError ? error.issues : [];
    const cause = issue ? `${issue.path}: ${issue.message}` : error.message;
    throw new CliError(`The request to ${server} failed: ${cause}`);
  }
}

/** Describes a job in one line. */
export function jobLine({ id, state, rows, processed_rows, error_rows }: ServiceJob): string {
  const errors = error_rows === 0 ? '' : `, ${error_rows} with an error`;
  return `${id}  ${state}  ${processed_rows} of ${rows} rows${errors}`;
}
