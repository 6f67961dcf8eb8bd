import type { LoaderFunctionArgs } from '@remix-run/node';
import { exportHistory } from '../../src/history/export.ts';

export const loader = ({ context }: LoaderFunctionArgs) => exportHistory(context.merchant.shop);
