import type { FuzzTarget } from '@compliance/fuzz';
import { formatHtsCode, LookupOptionError, lookup, parseHtsCode, parseOrigin } from './index.ts';

const STATUSES = ['hit', 'in_scope', 'adjacent', 'clear', 'invalid'];

/** A code, and after a bar the date of entry and the origin: `7318.15.2061|2026-11-21|DE`. */
export default {
  covers: ['packages/core/src/tariff/'],
  seeds: ['7318.15.2061', '7601.10.30|2025-04-01|GB', '8708 29 15 00|2025-12-01', '7408|2018-03-23|EU', '8471'],
  words: ['2018-03-23', '2025-03-12', '2025-06-23', '2026-04-06', '2026-06-08', 'EU', 'UK', 'RU', 'JP', '00', '99'],
  maxLength: 64,
  holds(input) {
    const [code = '', asOf = '2026-11-21', origin] = input.split('|');
    const parsed = parseHtsCode(code);
    if (parsed.ok) {
      if (!/^(\d{4}|\d{6}|\d{8}|\d{10})$/.test(parsed.digits)) throw new Error('reads digits of another length');
      const again = parseHtsCode(formatHtsCode(parsed.digits));
      if (!again.ok || again.digits !== parsed.digits) throw new Error('does not read back what it prints');
    }
    try {
      const options = { asOf, programs: 'all', ...(origin === undefined ? {} : { origin }) } as const;
      const { results, list } = lookup([code, '7318.15.2061', code], options);
      const [first, , third] = results;
      if (JSON.stringify(first) !== JSON.stringify(third)) throw new Error('answers one code in two ways');
      if (first!.code !== code) throw new Error('does not give the code back as it came');
      if (!STATUSES.includes(first!.status)) throw new Error('has a status of its own');
      if ((first!.status === 'invalid') === parsed.ok)
        throw new Error('calls a code invalid that it reads, or the reverse');
      if (first!.hit !== (first!.status === 'hit')) throw new Error('says hit and not hit');
      if (first!.hit && !first!.matches.some(({ role }) => role === 'derivative'))
        throw new Error('hits without a listing');
      if (first!.in_scope !== first!.matches.length > 0)
        throw new Error('is in scope without a listing, or the reverse');
      for (const { effective_from, effective_to, sources, citation } of first!.matches) {
        if (asOf < effective_from || (effective_to !== null && asOf > effective_to)) throw new Error('is not in force');
        if (citation === '' || sources.some(id => !(id in list.sources))) throw new Error('names no source');
      }
    } catch (error) {
      if (!(error instanceof LookupOptionError)) throw error;
      if (error.option === 'programs') throw error;
      if (error.option === 'origin' && parseOrigin(origin ?? '') !== null) throw error;
    }
  },
} satisfies FuzzTarget;
