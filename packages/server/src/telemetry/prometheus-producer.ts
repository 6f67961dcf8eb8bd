import { type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

/** A metric with its values, in the shape that prom-client's `getMetricsAsJSON` returns. */
export interface MetricSample {
  readonly name: string;
  readonly help: string;
  /** Type, as prom-client names it: `counter`, `gauge`, `histogram`, or `summary`. */
  readonly type: unknown;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Partial<Record<string, string | number>>>;
    /** Name of a histogram series, such as `…_bucket`, `…_sum`, or `…_count`. */
    readonly metricName?: string;
  }[];
}

/** Units by metric name suffix, ignoring the `_total` suffix of counters. */
const UNITS = { seconds: 's', bytes: 'By', days: 'd', ratio: '1' } as const;

/**
 * Creates a producer that exports Prometheus metrics over OTLP, so that each metric is defined only once.
 *
 * @param collect returns the metrics
 */
export function createPrometheusProducer(collect: () => Promise<readonly MetricSample[]>): MetricProducer {
  const startTime = hrTime();
  return {
    async collect() {
      const endTime = hrTime();
      const metrics = (await collect()).flatMap(sample => dataOf(sample, startTime, endTime) ?? []);
      const scopeMetrics = [{ scope: { name: '@compliance/server' }, metrics }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

function dataOf(sample: MetricSample, startTime: HrTime, endTime: HrTime): MetricData | null {
  const { name, help, values } = sample;
  const unit = Object.entries(UNITS).find(([end]) => name.replace(/_total$/, '').endsWith(`_${end}`))?.[1] ?? '';
  const base = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const point = { startTime, endTime };
  const points = () => values.map(({ value, labels }) => ({ ...point, value, attributes: { ...labels } }));
  switch (sample.type) {
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() };
    case 'histogram':
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(sample, point) };
    default:
      return null;
  }
}

/** Converts a Prometheus histogram to OTLP histograms with non-cumulative buckets, one for each label set. */
function histogramsOf({ name, values }: MetricSample, point: { readonly startTime: HrTime; readonly endTime: HrTime }) {
  const byLabels = Map.groupBy(values, ({ labels: { le: _, ...labels } }) =>
    JSON.stringify(Object.entries(labels).sort()),
  );
  return [...byLabels.values()].map(group => {
    const { le: _, ...attributes } = group[0]!.labels;
    const totalOf = (end: string) => group.find(({ metricName }) => metricName === `${name}_${end}`)?.value ?? 0;
    const count = totalOf('count');
    const buckets = group
      .filter(({ metricName, labels }) => metricName === `${name}_bucket` && Number.isFinite(Number(labels.le)))
      .sort((a, b) => Number(a.labels.le) - Number(b.labels.le));
    const cumulative = [...buckets.map(({ value }) => value), count];
    const counts = cumulative.map((value, at) => value - (cumulative[at - 1] ?? 0));
    const boundaries = buckets.map(({ labels }) => Number(labels.le));
    return { ...point, attributes, value: { buckets: { boundaries, counts }, sum: totalOf('sum'), count } };
  });
}
