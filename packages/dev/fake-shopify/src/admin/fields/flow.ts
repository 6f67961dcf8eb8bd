import { join } from 'node:path';
import { faultsOfFlowEvent, readFlowTriggers } from '../../extensions/flow-triggers.ts';
import { plannedErrors, type ResolverContext } from './resolver-context.ts';

/** Triggers that the app's extensions declare. */
const triggers = readFlowTriggers(join(import.meta.dirname, '../../../../../../shopify-app/extensions'));

/** Resolves the mutation that sends events to Shopify Flow. */
export function flowFields(context: ResolverContext) {
  return {
    flowTriggerReceive: ({ handle, payload }: { handle?: string; payload?: unknown }) => {
      const userErrors = [
        ...plannedErrors(context),
        ...faultsOfFlowEvent(triggers, handle, payload).map(message => ({ field: null, message })),
      ];
      if (userErrors.length === 0)
        context.shop.flowEvents.push({ handle: handle!, payload: payload as Readonly<Record<string, unknown>> });
      return { userErrors };
    },
  };
}
