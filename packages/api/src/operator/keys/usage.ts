import type { DailyUsage } from '@compliance/store';
import { html } from 'hono/html';
import type { Html } from '../../pages/page.ts';

/** Number of days in the chart. */
export const USAGE_DAYS = 30;

const DAY_MS = 86_400_000;
/** SVG dimensions: the horizontal space for each day, the width of each bar, and the height of the tallest bar. */
const [COLUMN, BAR, HEIGHT] = [20, 15, 100];

/** Renders the number of requests per day for the last 30 UTC days, as a bar chart and as a table. */
export function usageChart(usage: readonly DailyUsage[], now: number): Html {
  const days = Array.from({ length: USAGE_DAYS }, (_, i) => {
    const day = new Date(now - (USAGE_DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    return { day, count: sum(usage.filter(row => row.day === day)) };
  });
  const all = sum(usage);
  if (all === 0) return html`<p class="quiet">No requests in the last ${USAGE_DAYS} days.</p>`;
  const most = Math.max(1, ...days.map(({ count }) => count));
  const bars = days.map(({ day, count }, i) => {
    const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
    const x = `${i * COLUMN + (COLUMN - BAR) / 2}`;
    return html`<rect class="${count === 0 ? 'none' : 'bar'}" x="${x}" y="${(HEIGHT - height).toFixed(1)}" width="${BAR}" height="${height.toFixed(1)}"><title>${day}: ${count}</title></rect>`;
  });
  const summary = `${requests(all)} from ${days[0]!.day} to ${days.at(-1)!.day}, up to ${most} per day`;
  return html`<figure class="chart">
<svg viewBox="0 0 ${USAGE_DAYS * COLUMN} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${summary}">${bars}</svg>
<figcaption class="between"><span>${days[0]!.day}</span><span>Daily maximum: ${number(most)}</span><span>Today</span></figcaption>
</figure>
${table(usage)}`;
}

function table(usage: readonly DailyUsage[]): Html {
  return html`<details><summary>${requests(sum(usage))} by day and operation</summary><div class="within"><table>
<caption>Days are in UTC. Days without requests aren't listed.</caption>
<thead><tr><th scope="col">Day</th><th scope="col">Operation</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>${usage
    .toReversed()
    .map(
      ({ day, operation, count }) =>
        html`<tr><th scope="row" class="figure">${day}</th><td>${operation}</td><td class="number">${number(count)}</td></tr>`,
    )}</tbody></table></div></details>`;
}

function sum(usage: readonly DailyUsage[]): number {
  return usage.reduce((all, { count }) => all + count, 0);
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}

function requests(count: number): string {
  return `${number(count)} ${count === 1 ? 'request' : 'requests'}`;
}
