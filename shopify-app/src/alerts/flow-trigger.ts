import type { AlertMessage } from '@compliance/store/shop';
import type { FlowTrigger } from '../admin/operations/flow-trigger-receive.ts';
import type { AlertEvent } from './alert.ts';
import { eventDescriber, oneLine } from './compose.ts';

/** Shop data that a trigger's payload needs. */
interface FlowReader {
  /** Language of the `Message` field as a BCP 47 tag, or null for English. */
  readonly language: string | null;
  /** URL of the app in the Shopify admin, without a trailing slash. */
  readonly adminUrl: string;
}

/**
 * Converts a message with one event to a trigger for Shopify Flow. The extensions in `extensions/flow-*` declare the
 * same fields. A field without a value is an empty string, so that workflows can use every field.
 *
 * @example flowTriggerOf(message, reader).handle // 'certificate-needs-attention'
 */
export function flowTriggerOf({ id, alerts }: AlertMessage, { language, adminUrl }: FlowReader): FlowTrigger {
  const { kind, detail } = alerts[0]!;
  const event = { kind, detail } as AlertEvent;
  const { heading, lines, path } = eventDescriber(language)(event);
  const common = { Message: [heading, ...lines.map(line => line.replace(/^- /, ''))].join(' · '), 'Event ID': id };
  switch (event.kind) {
    case 'error': {
      const { ruleId = '', title, place } = event.detail;
      return {
        handle: 'tracking-error-found',
        payload: {
          Rule: ruleId,
          Title: oneLine(title),
          Location: oneLine(place ?? ''),
          'Finding URL': `${adminUrl}${path}`,
          ...common,
        },
      };
    }
    case 'tariff': {
      const { version, on, variants, more } = event.detail;
      const { title, code, change, status = '', rate, since, product, variant } = variants[0]!;
      return {
        handle: 'tariff-change-found',
        payload: {
          product_id: Number(product),
          Variant: oneLine(title),
          'HTS code': oneLine(code ?? ''),
          'Status before': change?.from ?? status,
          'Status after': status,
          'Rate before': rate?.from ?? '',
          'Rate after': rate?.to ?? '',
          'Duty date': since ?? '',
          'Checked date': on,
          'List version': version,
          'More variants': more,
          'Variant URL': `${adminUrl}/app/catalog/${variant}`,
          ...common,
        },
      };
    }
    default: {
      const { product, certificate } = event.detail;
      const { rule, due } = event.kind === 'certificate_retest' ? event.detail : { rule: '', due: '' };
      return {
        handle: 'certificate-needs-attention',
        payload: {
          product_id: Number(product),
          Reason: event.kind.replace('certificate_', ''),
          'Certificate ID': certificate,
          Rule: oneLine(rule),
          'Due date': due,
          'Certificate URL': `${adminUrl}${path}`,
          ...common,
        },
      };
    }
  }
}
