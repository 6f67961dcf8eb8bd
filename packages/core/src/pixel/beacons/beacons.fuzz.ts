import type { FuzzTarget } from '@compliance/fuzz';
import { MAX_PARAMETER_TEXT } from '../model/event-parameters.ts';
import { VENDOR_NAMES } from '../model/vendor.ts';
import { readBeacons } from './read-beacons.ts';
import { SAMPLES } from './testing/samples.ts';

/** Fuzz target for `readBeacons`. The input is a URL, optionally followed by a line break and a body. */
export default {
  covers: ['packages/core/src/pixel/beacons/'],
  seeds: SAMPLES.map(({ url, body }) => (body === null ? url : `${url}\n${body}`)),
  maxLength: 3_000,
  holds(input) {
    const lineBreak = input.indexOf('\n');
    const request =
      lineBreak < 0 ? { url: input, body: null } : { url: input.slice(0, lineBreak), body: input.slice(lineBreak + 1) };
    const beacons = readBeacons(request);
    if (beacons.length > 25) throw new Error('too many events');
    for (const { vendor, id, event, event_id, parameters, consent, personal } of beacons) {
      if (!(vendor in VENDOR_NAMES)) throw new Error('unknown vendor');
      for (const text of [id, event, event_id])
        if (text !== null && (text === '' || text.length > 100 || text.trim() !== text)) throw new Error('bad text');
      if (parameters.values.size > 40) throw new Error('too many parameters');
      for (const [name, value] of parameters.values)
        if (
          name.length > MAX_PARAMETER_TEXT ||
          (value.kind === 'known' && String(value.value).length > MAX_PARAMETER_TEXT)
        )
          throw new Error('long parameter');
      if (Object.values(consent.signals).some(signal => signal.length > 60)) throw new Error('long signal');
      if (personal.some(name => name.length > 200)) throw new Error('long field name');
    }
  },
} satisfies FuzzTarget;
