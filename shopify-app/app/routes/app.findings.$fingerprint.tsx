import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { useCallback } from 'react';
import { acceptFindings } from '../../src/findings/accept.ts';
import { findingOf } from '../../src/findings/findings.ts';
import { recheck } from '../../src/scan/start-scan.ts';
import { watchTheme } from '../../src/scan/theme-watch-job.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';
import { FindingScreen } from '../screens/findings/finding.tsx';
import { usePolling } from '../ui/use-polling.ts';
import { useReturn } from '../ui/use-return.ts';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const finding = await findingOf(context.merchant.shop, params.fingerprint!, requestedLanguage(request));
  if (!finding) throw new Response(null, { status: 404 });
  return finding;
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { merchant } = context;
  const form = await request.formData();
  const fingerprint = params.fingerprint!;
  const intent = form.get('intent');
  if (intent === 'recheck') await recheck(merchant, fingerprint);
  if (intent === 'watch') await watchTheme(merchant);
  if (intent === 'unaccept') await merchant.shop.findings.unaccept([fingerprint]);
  if (intent !== 'accept') return { faults: {} };
  const fields = { reason: String(form.get('reason') ?? ''), until: String(form.get('until') ?? '') };
  const done = await acceptFindings(merchant.shop, [fingerprint], fields, { by: merchant.user ?? '', now: Date.now() });
  return { faults: 'faults' in done ? done.faults : {} };
}

export default function Route() {
  const finding = useLoaderData<typeof loader>();
  const decide = useFetcher<typeof action>();
  const watch = useFetcher<typeof action>();
  const { submit } = watch;
  const look = useCallback(() => submit({ intent: 'watch' }, { method: 'post' }), [submit]);
  usePolling(finding.rechecking || (finding.watching && finding.status === 'open'));
  // Check again when the merchant returns from the theme editor, which opens in another tab.
  useReturn(finding.watching && finding.status === 'open', look);
  const send = (fields: Record<string, string>) => decide.submit(fields, { method: 'post' });
  return (
    <FindingScreen
      {...finding}
      faults={decide.data?.faults ?? {}}
      busy={decide.state !== 'idle'}
      onAccept={fields => send({ intent: 'accept', ...fields })}
      onUnaccept={() => send({ intent: 'unaccept' })}
      onEdit={look}
      onRecheck={() => send({ intent: 'recheck' })}
    />
  );
}
