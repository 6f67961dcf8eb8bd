import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { watchId } from '../schemas/watches.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'tariff.watches.rotate_secret',
  method: 'post',
  path: '/api/v1/tariff/watches/rotate-secret',
  scope: 'tariff',
  clientArguments: ['id'],
  summary: "Rotate a watch's webhook secret",
  description:
    "Creates a new secret for a watch's webhooks. For 24 hours, webhooks are signed with both the new and the previous secret, so you " +
    'have time to switch.',
  request: z.strictObject({ id: watchId }).meta({ id: 'WatchRotateSecretRequest' }),
  response: z
    .object({ webhook_secret: z.string().meta({ description: "The new secret. Store it: it isn't shown again." }) })
    .meta({ id: 'WebhookSecret' }),
  errors: ['watch_not_found', 'webhook_missing', 'unavailable'],
  examples: [{ name: 'a watch', request: { id: 'wat_0mi7x4k2a0000f3a9c1d2e3f40516' } }],
  async handler({ id }, { watches, webhookSecrets, caller, now }) {
    const { webhookSecrets: stored } = await watches.get(caller.family, id);
    if (stored === null) throw new ApiError('webhook_missing');
    if (!webhookSecrets) throw new ApiError('unavailable');
    const rotated = webhookSecrets.rotate(stored, now);
    await watches.setSecrets(caller.family, id, rotated);
    return { webhook_secret: webhookSecrets.current(rotated, id) };
  },
});
