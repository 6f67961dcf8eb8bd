import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { useState } from 'react';
import { tryToCheckPlan } from '../../src/billing/plan.ts';
import { saveAlertSettings, saveSettings, settingsOf } from '../../src/settings/settings.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';
import { Erased } from '../screens/settings/erase.tsx';
import { Settings } from '../screens/settings/settings.tsx';

export async function loader({ request, context: { app, merchant } }: LoaderFunctionArgs) {
  // Shopify's pricing page redirects here. The webhook for the new plan might arrive later.
  if (new URL(request.url).searchParams.has('plan')) await tryToCheckPlan(merchant, app.billing, Date.now());
  return await settingsOf(merchant.shop, app, requestedLanguage(request));
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop } = context.merchant;
  const { fingerprint, ...fields } = Object.fromEntries(await request.formData());
  if (fingerprint !== undefined) return { saved: (await shop.findings.unaccept([String(fingerprint)])) > 0 };
  if ('alertsWhen' in fields) return { alertsSaved: await saveAlertSettings(shop, fields, Date.now()) };
  return { saved: await saveSettings(shop, fields) };
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const change = useFetcher<typeof action>();
  const alerts = useFetcher<typeof action>();
  const [erasing, setErasing] = useState<'no' | 'busy' | 'refused' | 'failed' | 'done'>('no');
  // Bypasses the router. The router would reload the page data after the deletion, which would create the shop's record
  // again.
  const erase = async (typed: string) => {
    setErasing('busy');
    const response = await fetch('/app/settings-erase', { method: 'POST', body: new URLSearchParams({ typed }) });
    setErasing(response.ok ? 'done' : response.status === 422 ? 'refused' : 'failed');
  };
  if (erasing === 'done') return <Erased />;
  return (
    <Settings
      {...view}
      saving={change.formData ? (Object.fromEntries(change.formData) as Record<string, string>) : null}
      saved={change.data && 'saved' in change.data ? change.data.saved : null}
      savingAlerts={alerts.state !== 'idle'}
      alertsSaved={alerts.data && 'alertsSaved' in alerts.data ? alerts.data.alertsSaved : null}
      onSaveAlerts={fields => alerts.submit(fields, { method: 'post' })}
      erasing={erasing}
      onChange={fields => change.submit(fields, { method: 'post' })}
      onErase={typed => void erase(typed).catch(() => setErasing('failed'))}
    />
  );
}
