import { defineDriftRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

const CONVERSIONS = ['Purchase', 'purchase', 'AddToCart', 'add_to_cart'];

export default defineDriftRule({
  meta: {
    id: 'drift_event_set_changed',
    title: 'Tag sends different events',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The events that the code sends to a vendor differ from those in the baseline. The finding is more severe if a purchase or add-to-cart event is missing. Changes aren't reported if the code computes event names at runtime.",
    why: 'Reports and campaigns that rely on a removed event no longer receive data.',
    fix: 'Restore the event, or save a new baseline if the change is intentional.',
    messages: {
      lost: 'The code no longer sends {lost} to {vendor} ({from} → {to})',
      gained: 'The code now sends {gained} to {vendor} ({from} → {to})',
      lost_and_gained: 'The code now sends {gained} to {vendor} instead of {lost} ({from} → {to})',
    },
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { vendor, lost, gained } of change.events) {
      const severity = lost.some(e => CONVERSIONS.includes(e)) ? 'error' : 'warn';
      const name = vendorName(vendor);
      const found = { ids: [...lost, ...gained], severity } as const;
      if (gained.length === 0) report({ message: 'lost', values: { vendor: name, lost }, ...found });
      else if (lost.length === 0) report({ message: 'gained', values: { vendor: name, gained }, ...found });
      else report({ message: 'lost_and_gained', values: { vendor: name, lost, gained }, ...found });
    }
  },
});
