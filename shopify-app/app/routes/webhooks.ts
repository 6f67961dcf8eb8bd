import type { ActionFunctionArgs } from '@remix-run/node';
import { receiveWebhook } from '../../src/webhooks/receive-webhook.ts';

export const action = ({ request, context }: ActionFunctionArgs) => receiveWebhook(context.app, request);

export const loader = () => new Response(null, { status: 405, headers: { Allow: 'POST' } });
