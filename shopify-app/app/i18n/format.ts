import { useTranslation } from 'react-i18next';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** Writes dates, times and numbers in one language. Times are ms since epoch. */
export type Format = ReturnType<typeof createFormat>;

function createFormat(locale: string, timeZone: string) {
  // Each takes longer to make than a row of a list, and no screen needs them all.
  const dateTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }));
  const day = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const number = once(() => new Intl.NumberFormat(locale));
  const signed = once(() => new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }));
  return {
    dateTime: (time: number) => dateTime().format(time),
    date: (time: number) => date().format(time),
    /** A day that has no zone, as YYYY-MM-DD. */
    day: (iso: string) => day().format(Date.parse(iso)),
    number: (value: number) => number().format(value),
    signed: (value: number) => signed().format(value),
    /** How long ago, in the largest unit that fits. */
    ago: (time: number, now: number) => {
      const [unit, length] = UNITS.find(([, ms]) => now - time >= ms) ?? UNITS.at(-1)!;
      return relative().format(-Math.floor((now - time) / length), unit);
    },
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

// There are few languages and zones.
const formats = new Map<string, Format>();

/** The formats of a language and a zone. Times are ms since epoch. */
export function formatIn(locale: string, timeZone = 'UTC'): Format {
  const name = `${locale} ${timeZone}`;
  const format = formats.get(name) ?? createFormat(locale, timeZone);
  formats.set(name, format);
  return format;
}

/** Dates, times and numbers in the language of the page. Times are ms since epoch, zones are those of the shop. */
export function useFormat(timeZone?: string): Format {
  return formatIn(useTranslation().i18n.language, timeZone);
}
