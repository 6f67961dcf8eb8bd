import type { ActionFunctionArgs } from '@remix-run/node';
import { takeWebhook } from '../../src/webhooks/take-webhook.ts';

export const action = ({ request, context }: ActionFunctionArgs) => takeWebhook(context.app, request);

export const loader = () => new Response(null, { status: 405, headers: { Allow: 'POST' } });
