import type { FuzzTarget } from '@compliance/fuzz';
import { formatHtsCode, LookupOptionError, lookup, parseHtsCode, parseOrigin } from './index.ts';

const STATUSES = ['hit', 'in_scope', 'adjacent', 'clear', 'invalid'];

/** Fuzz target for lookups. The input is a code, date of entry, and origin, such as `7318.15.2061|2026-11-21|DE`. */
export default {
  covers: ['packages/core/src/tariff/'],
  seeds: [
    '7318.15.2061',
    '7601.10.30|2025-04-01|GB',
    '8708 29 15 00|2025-12-01',
    '7408|2018-03-23|EU',
    '8471',
    '7.318152061E+09',
    "'7,318,152,061.00",
    '="302.11"',
    'HTS ７３１８．１５',
  ],
  words: [
    '2018-03-23',
    '2025-03-12',
    '2025-06-23',
    '2026-04-06',
    '2026-06-08',
    'EU',
    'UK',
    'RU',
    'JP',
    '00',
    '99',
    '.0',
    'E+09',
  ],
  maxLength: 64,
  holds(input) {
    const [code = '', asOf = '2026-11-21', origin] = input.split('|');
    const parsed = parseHtsCode(code);
    if (parsed.ok) {
      if (!/^(\d{4}|\d{6}|\d{8}|\d{10})$/.test(parsed.digits)) throw new Error('parses an invalid number of digits');
      const again = parseHtsCode(formatHtsCode(parsed.digits));
      if (!again.ok || again.digits !== parsed.digits) throw new Error('formats a code that parses differently');
      // Only text in scientific notation or with decimal zeros contains digits that aren't part of the code.
      const written = code.normalize('NFKC').replace(/\D/g, '');
      if (!/e/i.test(code) && !new RegExp(`^${parsed.digits}0*$`).test(written))
        throw new Error('parses digits that are not in the text');
    }
    try {
      const options = { asOf, programs: 'all', ...(origin === undefined ? {} : { origin }) } as const;
      const { results, list } = lookup([code, '7318.15.2061', code], options);
      const [first, , third] = results;
      if (JSON.stringify(first) !== JSON.stringify(third)) throw new Error('returns two results for one code');
      if (first!.code !== code) throw new Error('changes the submitted code');
      if (!STATUSES.includes(first!.status)) throw new Error('returns an unknown status');
      if ((first!.status === 'invalid') === parsed.ok)
        throw new Error('has an invalid status for a valid code, or the reverse');
      if (parsed.ok && first!.did_you_mean.length > 0) throw new Error('suggests a code for a valid code');
      if (first!.did_you_mean.some(each => !parseHtsCode(each).ok)) throw new Error('suggests an invalid code');
      if (first!.hit !== (first!.status === 'hit')) throw new Error('has a hit flag that contradicts the status');
      if (first!.hit && !first!.matches.some(({ role }) => role === 'derivative'))
        throw new Error('is a hit without a derivative listing');
      if (first!.in_scope !== first!.matches.length > 0) throw new Error('is in scope without a match, or the reverse');
      for (const { effective_from, effective_to, sources, citation } of first!.matches) {
        if (asOf < effective_from || (effective_to !== null && asOf > effective_to))
          throw new Error('matches a listing that is not in force');
        if (citation === '' || sources.some(id => !(id in list.sources))) throw new Error('cites no source');
      }
    } catch (error) {
      if (!(error instanceof LookupOptionError)) throw error;
      if (error.option === 'programs') throw error;
      if (error.option === 'origin' && parseOrigin(origin ?? '') !== null) throw error;
    }
  },
} satisfies FuzzTarget;
