import type { LoaderFunctionArgs } from '@remix-run/node';
import { searchRules } from '../../src/certificates/rules.ts';

export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  return searchRules(query.get('q') ?? '', query.get('kind') === 'CPC' ? 'CPC' : 'GCC');
}
