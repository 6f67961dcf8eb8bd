import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { bulkDraftsOf, createDrafts } from '../../src/certificates/bulk-drafts.ts';
import { deleteProfile, saveProfile } from '../../src/certificates/profiles.ts';
import { BulkDrafts } from '../screens/certificates/bulk-drafts.tsx';

export const loader = ({ context }: LoaderFunctionArgs) => bulkDraftsOf(context.merchant.shop);

export async function action({ request, context: { merchant } }: ActionFunctionArgs) {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '');
  switch (text('intent')) {
    case 'save':
      return {
        profile: await saveProfile(merchant.shop, { id: text('id'), name: text('name'), fields: text('fields') }),
      };
    case 'delete':
      await deleteProfile(merchant.shop, text('id'));
      return {};
    case 'create': {
      const [file, codes] = [form.get('file'), form.get('codes')];
      const products = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : null;
      const files = { products, codes: codes instanceof Blob ? codes : null };
      return { drafts: await createDrafts(merchant, text('id'), files) };
    }
    default:
      throw new Response(null, { status: 400 });
  }
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const profile = useFetcher<typeof action>();
  const drafts = useFetcher<typeof action>();
  const saved = profile.data && 'profile' in profile.data ? profile.data.profile : null;
  return (
    <BulkDrafts
      {...view}
      saved={profile.state === 'idle' ? saved : null}
      saving={profile.state !== 'idle'}
      created={drafts.data && 'drafts' in drafts.data ? drafts.data.drafts : null}
      creating={drafts.state !== 'idle'}
      onSave={fields => profile.submit({ intent: 'save', ...fields }, { method: 'post' })}
      onDelete={id => profile.submit({ intent: 'delete', id }, { method: 'post' })}
      onCreate={(id, file, codes) => {
        const form = new FormData();
        form.set('intent', 'create');
        form.set('id', id);
        if (file) form.set('file', file);
        if (codes) form.set('codes', codes);
        drafts.submit(form, { method: 'post', encType: 'multipart/form-data' });
      }}
    />
  );
}
