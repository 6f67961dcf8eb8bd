import type { LoaderFunctionArgs } from '@remix-run/node';
import { productGid } from '../../src/certificates/certificate-context.ts';
import { variantChoices } from '../../src/certificates/variants.ts';

export const loader = async ({ params, context: { merchant } }: LoaderFunctionArgs) =>
  await variantChoices(merchant, productGid(params.product!));
