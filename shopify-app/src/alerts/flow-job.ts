import type { Logger } from 'pino';
import { type Admin, AdminApiError, type AdminFault } from '../admin/admin.ts';
import { type FlowTrigger, flowTriggerReceive } from '../admin/operations/flow-trigger-receive.ts';
import type { JobHandler } from '../jobs/job.ts';
import { FLOW_TRIGGERS } from './alert.ts';
import { appAdminUrl } from './compose.ts';
import { flowTriggerOf } from './flow-trigger.ts';
import { withoutRefuted } from './refuted.ts';

/** Dependencies of the job that sends events to Shopify Flow. */
export interface FlowDeps {
  /** Client ID of the app, which is part of its URL in the Shopify admin. */
  readonly apiKey: string;
  readonly log?: Logger | undefined;
}

/** Result of a `flow_triggers` job in the `done` state. */
export interface FlowOutcome {
  readonly sent: number;
  /** Events that Shopify rejected, for example because the triggers aren't deployed or the shop can't use Flow. */
  readonly rejected: number;
}

/** Faults that a retry can't resolve and that must not block later events. */
const REJECTIONS: readonly AdminFault[] = ['forbidden', 'unexpected'];

/**
 * Creates the job that sends a shop's pending events to Shopify Flow, one at a time. Only one worker at a time sends a
 * shop's events. If a process dies after Shopify accepts an event but before the database records it, the same event is
 * sent again with the same event ID. An event that Shopify rejects isn't sent again.
 */
export const flowTriggersJob = ({ apiKey, log }: FlowDeps): JobHandler => ({
  kind: FLOW_TRIGGERS,
  async run({ merchant: { shop, domain, admin }, signal }): Promise<FlowOutcome> {
    let [sent, rejected] = [0, 0];
    for (;;) {
      signal.throwIfAborted();
      const message = await shop.flowTriggers.nextMessage(1);
      if (message === null) break;
      if ((await withoutRefuted(shop, message.alerts)).length > 0) {
        const record = await shop.record();
        const language = record?.settings.locale ?? record?.locale ?? null;
        const trigger = flowTriggerOf(message, { language, adminUrl: appAdminUrl(domain, apiKey) });
        if (await send(admin, trigger, signal)) sent++;
        else rejected++;
      }
      await shop.flowTriggers.end({ message: message.id });
    }
    if (rejected > 0) log?.warn({ shop: domain, rejected }, 'Shopify Flow rejected events');
    return { sent, rejected };
  },
});

/** Sends an event. Returns false if Shopify rejected it. @throws AdminApiError if a later attempt might succeed */
async function send(admin: Admin, trigger: FlowTrigger, signal: AbortSignal): Promise<boolean> {
  try {
    const { flowTriggerReceive: answer } = await admin.run(flowTriggerReceive, trigger, { signal });
    return answer?.userErrors.length === 0;
  } catch (error) {
    if (error instanceof AdminApiError && REJECTIONS.includes(error.fault)) return false;
    throw error;
  }
}
