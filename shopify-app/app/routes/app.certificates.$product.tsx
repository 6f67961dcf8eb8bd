import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { issuingContext, productGid } from '../../src/certificates/certificate-context.ts';
import { handleForm } from '../../src/certificates/form.ts';
import { productOf } from '../../src/certificates/product.ts';
import { Product } from '../screens/certificates/product.tsx';
import { useIsHydrated } from '../ui/use-is-hydrated.ts';
import { useOptionalScopes } from '../ui/use-optional-scopes.ts';
import type { action as attach } from './app.certificates-attachments.$product.ts';
import type { action as exportEfiling } from './app.certificates-efiling.$certificate.ts';
import type { loader as rules } from './app.certificates-rules.ts';
import type { loader as variants } from './app.certificates-variants.$product.ts';

export async function loader({ params, context }: LoaderFunctionArgs) {
  const view = await productOf(issuingContext(context), params.product!);
  if (!view) throw new Response(null, { status: 404 });
  return view;
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const options = { audit: context.app.store.audit, signal: request.signal };
  const result = await handleForm(issuingContext(context), productGid(params.product!), form, options);
  if (!result) throw new Response(null, { status: 404 });
  return result;
}

export default function Route() {
  const view = useLoaderData<typeof loader>();
  const search = useFetcher<typeof rules>();
  const list = useFetcher<typeof variants>();
  const efiling = useFetcher<typeof exportEfiling>();
  const attachments = useFetcher<typeof attach>();
  const save = useFetcher<typeof action>();
  const act = useFetcher<typeof action>();
  const put = useFetcher<typeof action>();
  const { declined, whenGranted } = useOptionalScopes('write_files', 'write_products');
  const draft = view.draft?.id ?? '';
  const busy = (intent: string) => act.state !== 'idle' && act.formData?.get('intent') === intent;
  const send = (fields: Record<string, string>) => act.submit(fields, { method: 'post' });
  const ofDraft = (fetcher: typeof act) => (fetcher.data?.draft === draft ? fetcher.data : null);
  return (
    <Product
      {...{ view, choices: search.data ?? [], variants: list, attachments, efiling, isHydrated: useIsHydrated() }}
      {...{ saved: ofDraft(save)?.saved ?? ofDraft(act)?.saved ?? null, saving: save.state !== 'idle' }}
      {...{ issued: ofDraft(act)?.issued ?? null, issuing: busy('issue'), beginning: busy('begin') }}
      {...{ voided: act.data?.voided ?? null, voiding: busy('void') }}
      shopify={{ outcome: put.data?.put ?? null, declined, busy: put.state !== 'idle' }}
      onSearch={(text, kind) => search.load(`/app/certificates-rules?${new URLSearchParams({ q: text, kind })}`)}
      onSave={(fields, options) => save.submit({ intent: 'save', draft, fields }, { method: 'post', ...options })}
      onIssue={(fields, signed) => send({ intent: 'issue', draft, fields, ...signed, agreed: `${signed.agreed}` })}
      onBegin={() => send({ intent: 'begin' })}
      onDiscard={() => send({ intent: 'discard', draft })}
      onPut={fields => whenGranted(() => put.submit({ intent: 'put', ...fields }, { method: 'post' }))}
      onVoid={reason => send({ intent: 'void', reason })}
    />
  );
}
