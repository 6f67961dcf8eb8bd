import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { bulkEditOf, parseBulkQuery, saveBulkEdit } from '../../src/catalog/bulk/bulk-edit.ts';
import { BulkEdit } from '../screens/catalog/bulk-edit.tsx';
import { useOptionalScopes } from '../ui/use-optional-scopes.ts';
import { usePolling } from '../ui/use-polling.ts';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  bulkEditOf(context.merchant.shop, parseBulkQuery(new URL(request.url).searchParams), context.app.reference.hts);

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const { digits } = parseBulkQuery(new URLSearchParams({ digits: String(form.get('digits')) }));
  const result = await saveBulkEdit(context.merchant, digits, String(form.get('groups') ?? ''));
  if (!result) throw new Response(null, { status: 400 });
  return result;
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const save = useFetcher<typeof action>();
  const { declined, whenGranted } = useOptionalScopes('write_inventory');
  const isLive = view.saving?.state === 'queued' || view.saving?.state === 'running';
  const started = save.data !== undefined && 'started' in save.data ? save.data.started : null;
  usePolling(isLive);
  return (
    <BulkEdit
      {...view}
      key={`${view.asked.digits} ${view.asked.cursor} ${started}`}
      saving={started !== null || isLive ? view.saving : null}
      result={save.data ?? null}
      declined={declined}
      busy={save.state !== 'idle'}
      onSave={groups =>
        whenGranted(() =>
          save.submit({ digits: view.asked.digits, groups: JSON.stringify(groups) }, { method: 'post' }),
        )
      }
    />
  );
}
