import { useTranslation } from 'react-i18next';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** Formats dates, times, and numbers in one language. Times are in milliseconds since the Unix epoch. */
export type Format = ReturnType<typeof createFormat>;

function createFormat(locale: string, timeZone: string) {
  // Formatters are created on demand, because creating a formatter takes longer than rendering a list row.
  const dateTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }));
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }));
  const day = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const number = once(() => new Intl.NumberFormat(locale));
  const amount = once(() => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  const signed = once(() => new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }));
  const unit = (name: 'kilobyte' | 'megabyte', digits: number) =>
    once(() => new Intl.NumberFormat(locale, { style: 'unit', unit: name, maximumFractionDigits: digits }));
  const [kilobytes, megabytes] = [unit('kilobyte', 0), unit('megabyte', 1)];
  return {
    dateTime: (time: number) => dateTime().format(time),
    date: (time: number) => date().format(time),
    /** Formats a `YYYY-MM-DD` date, which has no time zone. */
    day: (iso: string) => day().format(Date.parse(iso)),
    number: (value: number) => number().format(value),
    /** Formats an amount of money without its currency. */
    amount: (value: number) => amount().format(value),
    signed: (value: number) => signed().format(value),
    /** Formats a file size in bytes as kilobytes or megabytes. */
    bytes: (size: number) =>
      size < 1_000_000 ? kilobytes().format(Math.ceil(size / 1_000)) : megabytes().format(size / 1_000_000),
    /** Formats the time elapsed since a timestamp, in the largest unit that fits. */
    ago: (time: number, now: number) => {
      const [unit, length] = UNITS.find(([, ms]) => now - time >= ms) ?? UNITS.at(-1)!;
      return relative().format(-Math.floor((now - time) / length), unit);
    },
  };
}

function once<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}

// This cache stays small, because the number of languages and time zones is limited.
const formats = new Map<string, Format>();

/** Returns the formatters for a language and a time zone. Times are in milliseconds since the Unix epoch. */
export function formatIn(locale: string, timeZone = 'UTC'): Format {
  const key = `${locale} ${timeZone}`;
  const format = formats.get(key) ?? createFormat(locale, timeZone);
  formats.set(key, format);
  return format;
}

/**
 * Returns the formatters for the page's language and the given time zone (UTC by default). Times are in milliseconds
 * since the Unix epoch.
 */
export function useFormat(timeZone?: string): Format {
  return formatIn(useTranslation().i18n.language, timeZone);
}
