import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptFindings } from '../../src/findings/accept.ts';
import { findingsOf } from '../../src/findings/findings.ts';
import { parseFindingsQuery } from '../../src/findings/query.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';
import { Findings } from '../screens/findings/findings.tsx';

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  findingsOf(context.merchant.shop, parseFindingsQuery(new URL(request.url).searchParams), requestedLanguage(request));

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const { shop, user } = context.merchant;
  const fields = { reason: String(form.get('reason') ?? ''), until: String(form.get('until') ?? '') };
  return acceptFindings(shop, form.getAll('fingerprint').map(String), fields, { by: user ?? '', now: Date.now() });
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const accept = useFetcher<typeof action>();
  const { t } = useTranslation();
  const accepted = accept.data && 'accepted' in accept.data ? accept.data.accepted : 0;
  useEffect(() => {
    if (accept.state === 'idle' && accepted > 0) shopify.toast.show(t('findings.acceptedToast', { count: accepted }));
  }, [accept.state, accepted, t]);
  return (
    <Findings
      {...view}
      faults={accept.data && 'faults' in accept.data ? accept.data.faults : {}}
      busy={accept.state !== 'idle'}
      onAccept={(fingerprints, fields) => {
        const form = new FormData();
        for (const fingerprint of fingerprints) form.append('fingerprint', fingerprint);
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        accept.submit(form, { method: 'post' });
      }}
    />
  );
}
