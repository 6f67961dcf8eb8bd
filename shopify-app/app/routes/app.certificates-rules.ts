import type { LoaderFunctionArgs } from '@remix-run/node';
import { searchRules } from '../../src/certificates/rules.ts';

export const loader = async ({ request }: LoaderFunctionArgs) =>
  searchRules(new URL(request.url).searchParams.get('q') ?? '');
