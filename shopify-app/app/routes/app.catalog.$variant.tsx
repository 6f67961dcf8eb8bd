import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCatalogQuery } from '../../src/catalog/model/query.ts';
import { saveFromForm } from '../../src/catalog/save/save-from-form.ts';
import { variantOf } from '../../src/catalog/variant.ts';
import { requestedLanguage } from '../../src/translation/requested-language.ts';
import { VariantScreen } from '../screens/catalog/variant.tsx';
import { useOptionalScopes } from '../ui/use-optional-scopes.ts';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, dataset } = context.merchant;
  const asked = parseCatalogQuery(new URL(request.url).searchParams);
  const options = { requested: requestedLanguage(request), asked, reference: context.app.reference };
  const variant = await variantOf(shop, params.variant!, Date.now(), dataset(), options);
  if (!variant) throw new Response(null, { status: 404 });
  return variant;
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { merchant, app } = context;
  const options = { audit: app.store.audit, signal: request.signal, now: Date.now() };
  return saveFromForm(merchant, params.variant!, await request.formData(), options);
}

export default function Route() {
  const variant = useLoaderData<typeof loader>();
  const save = useFetcher<typeof action>();
  const { declined, whenGranted } = useOptionalScopes('write_inventory');
  const { t } = useTranslation();
  const isSaved = save.state === 'idle' && save.data !== undefined && 'saved' in save.data;
  useEffect(() => {
    if (isSaved) shopify.toast.show(t('catalog.edit.saved'));
  }, [isSaved, t]);
  return (
    <VariantScreen
      {...variant}
      key={`${variant.htsCode} ${variant.origin}`}
      result={declined ? { declined } : (save.data ?? null)}
      busy={save.state !== 'idle'}
      onSave={fields => whenGranted(() => save.submit({ ...fields }, { method: 'post' }))}
    />
  );
}
