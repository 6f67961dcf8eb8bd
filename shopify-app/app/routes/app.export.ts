import type { LoaderFunctionArgs } from '@remix-run/node';
import { exportShop } from '../../src/settings/export.ts';

export const loader = ({ context }: LoaderFunctionArgs) => exportShop(context.app.store, context.merchant.domain);
