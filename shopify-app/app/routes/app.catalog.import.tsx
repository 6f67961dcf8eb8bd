import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { useState } from 'react';
import { previewImport } from '../../src/catalog/csv/read.ts';
import { latestSave, startSaving } from '../../src/catalog/save/save-job.ts';
import { Import } from '../screens/catalog/import.tsx';
import { useOptionalScopes } from '../ui/use-optional-scopes.ts';
import { usePolling } from '../ui/use-polling.ts';

export const loader = ({ context }: LoaderFunctionArgs) => latestSave(context.merchant.shop);

export async function action({ request, context }: ActionFunctionArgs) {
  const { merchant } = context;
  const form = await request.formData();
  const file = form.get('file');
  if (file instanceof Blob) return previewImport(merchant.shop, new Uint8Array(await file.arrayBuffer()));
  const job = await startSaving(merchant, String(form.get('changes') ?? ''));
  if (!job) throw new Response(null, { status: 400 });
  return job;
}

export default function Route() {
  const saving = useLoaderData<typeof loader>();
  const preview = useFetcher<typeof previewImport>();
  const save = useFetcher<typeof action>();
  const { declined, whenGranted } = useOptionalScopes('write_inventory');
  const [sent, setSent] = useState<typeof preview.data>(undefined);
  const isLive = saving?.state === 'queued' || saving?.state === 'running';
  usePolling(isLive);
  return (
    <Import
      preview={preview.data ?? null}
      saving={(sent && save.state === 'idle') || isLive ? saving : null}
      declined={declined}
      busy={preview.state !== 'idle' || save.state !== 'idle'}
      sent={sent !== undefined && sent === preview.data}
      onFile={file => {
        const form = new FormData();
        form.set('file', file);
        preview.submit(form, { method: 'post', encType: 'multipart/form-data' });
      }}
      onSave={changes =>
        whenGranted(() => {
          setSent(preview.data);
          save.submit({ changes: JSON.stringify(changes) }, { method: 'post' });
        })
      }
    />
  );
}
