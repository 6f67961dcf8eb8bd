import { CliError } from '../cli-error.ts';
import { readLabList } from '../input/certificate-files.ts';
import type { CheckResult } from './check-result.ts';

/**
 * Checks the list of CPSC-accepted laboratories and reports its date, or warns that no list is set.
 *
 * @param file path of the list, or undefined if no list is set
 * @example (await checkLaboratories(undefined)).status // 'warn'
 */
export async function checkLaboratories(file: string | undefined): Promise<CheckResult> {
  const check = 'laboratories';
  if (file === undefined) {
    const found =
      "No list of CPSC-accepted laboratories is set, so Children's Product Certificates state that acceptance wasn't checked.";
    const todo =
      'To compare laboratories with a list, save the list as a JSON file, and set COMPLIANCE_LABS to its path.';
    return { check, status: 'warn', found, todo };
  }
  try {
    const { as_of, source, labs } = await readLabList(file);
    const found = `Laboratories are checked against the list dated ${as_of} (${source}; number of laboratories: ${labs.length}).`;
    return { check, status: 'ok', found };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { check, status: 'fail', found: error.message, todo: `Correct ${file}, or change COMPLIANCE_LABS.` };
  }
}
