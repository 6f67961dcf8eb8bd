import type { ActionFunctionArgs } from '@remix-run/node';
import { startScan } from '../../src/scan/start-scan.ts';

/** Starts a scan, or returns the running scan. */
export async function action({ context }: ActionFunctionArgs) {
  const { id } = await startScan(context.merchant, 'merchant');
  return { id };
}
