import { defineDriftRule } from '../../model/rule.ts';

const CONVERSIONS = ['Purchase', 'purchase', 'AddToCart', 'add_to_cart'];

export default defineDriftRule({
  meta: {
    id: 'drift_event_set_changed',
    title: 'Tag sends different events',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "The events that the code sends to a vendor differ from those in the baseline. The finding is an error if a purchase or add-to-cart event is missing. Changes aren't reported if the code computes event names at runtime.",
    why: 'Reports and campaigns that rely on a removed event no longer receive data.',
    fix: 'Restore the event, or save a new baseline if the change is intentional.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { vendor, lost, gained } of change.events) {
      const parts = [
        lost.length > 0 ? `no longer sends ${lost.join(', ')}` : '',
        gained.length > 0 ? `now sends ${gained.join(', ')}` : '',
      ];
      const severity = lost.some(e => CONVERSIONS.includes(e)) ? 'error' : 'warn';
      report({ message: `${vendor} ${parts.filter(Boolean).join(' and ')}`, ids: [...lost, ...gained], severity });
    }
  },
});
