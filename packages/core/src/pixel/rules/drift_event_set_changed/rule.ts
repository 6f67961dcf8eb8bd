import { defineDriftRule } from '../../rule.ts';

const GRAVE = ['Purchase', 'purchase', 'AddToCart', 'add_to_cart'];

export default defineDriftRule({
  meta: {
    id: 'drift_event_set_changed',
    title: 'Other events are sent',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'The event names written in the code differ for a vendor. An error when a purchase or cart event is gone. Silent where names are computed.',
    why: 'Reports and campaigns that rely on the event see nothing more.',
    fix: 'Put the event back, or save a new baseline.',
    sources: ['Comparison with the saved baseline'],
  },
  compare(change, report) {
    for (const { vendor, lost, gained } of change.events) {
      const parts = [
        lost.length > 0 ? `no longer sends ${lost.join(', ')}` : '',
        gained.length > 0 ? `now sends ${gained.join(', ')}` : '',
      ];
      const severity = lost.some(e => GRAVE.includes(e)) ? 'error' : 'warn';
      report({ message: `${vendor} ${parts.filter(Boolean).join(' and ')}`, ids: [...lost, ...gained], severity });
    }
  },
});
