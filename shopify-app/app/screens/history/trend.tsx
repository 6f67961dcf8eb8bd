import { useTranslation } from 'react-i18next';
import type { HistoryView } from '../../../src/history/history.ts';
import { useFormat } from '../../i18n/format.ts';
import { BlockStack, Card, Text } from '../../ui/kit/components.ts';

const WIDTH = 600;
const HEIGHT = 120;

/** Draws a chart of the score over time, with the same numbers in a collapsed table. */
export function Trend({ trend, timeZone }: Pick<HistoryView, 'trend' | 'timeZone'>) {
  const { t } = useTranslation();
  const format = useFormat(timeZone);
  const points = trend.flatMap(({ score, ...point }) => (score === null ? [] : [{ ...point, score }]));
  if (points.length < 2) return null;
  const at = (index: number, score: number) =>
    `${Math.round((index / (points.length - 1)) * WIDTH)},${Math.round(HEIGHT - (score / 100) * HEIGHT)}`;
  const line = points.map(({ score }, index) => at(index, score)).join(' ');
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t('history.trend')}
        </Text>
        <svg
          viewBox={`-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`}
          role="img"
          aria-label={t('history.trendLabel', {
            first: points[0]!.score,
            last: points.at(-1)!.score,
            count: points.length,
          })}
          style={{ width: '100%', height: 'auto', maxHeight: 180 }}
        >
          {[0, 50, 100].map(score => (
            <line
              key={score}
              x1="0"
              x2={WIDTH}
              y1={HEIGHT - (score / 100) * HEIGHT}
              y2={HEIGHT - (score / 100) * HEIGHT}
              stroke="var(--p-color-border-secondary)"
            />
          ))}
          <polyline points={line} fill="none" stroke="var(--p-color-border-emphasis)" strokeWidth="2" />
          {points.map(({ id, score }, index) => {
            const [x, y] = at(index, score).split(',');
            return <circle key={id} cx={x} cy={y} r="3" fill="var(--p-color-border-emphasis)" />;
          })}
        </svg>
        <details>
          <summary>{t('history.asTable')}</summary>
          <table style={{ width: '100%', textAlign: 'start', borderCollapse: 'collapse' }}>
            <thead>
              <tr>
                <th scope="col" style={{ textAlign: 'start' }}>
                  {t('history.when')}
                </th>
                <th scope="col" style={{ textAlign: 'end' }}>
                  {t('history.score')}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ id, finishedAt, score }) => (
                <tr key={id}>
                  <td>{format.dateTime(finishedAt)}</td>
                  <td style={{ textAlign: 'end' }}>{format.number(score)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </BlockStack>
    </Card>
  );
}
