import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Attribute value in OTLP's JSON encoding. */
interface AttributeValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface KeyValue {
  readonly key: string;
  readonly value: AttributeValue;
}

/** A span that the collector received. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

/** A request to the collector. */
interface Received {
  readonly url: string;
  readonly contentType: string;
  readonly body: Buffer;
}

interface MetricJson {
  readonly name: string;
  readonly unit: string;
  readonly sum?: {
    readonly dataPoints: readonly { readonly asDouble: number; readonly attributes: readonly KeyValue[] }[];
  };
  readonly gauge?: MetricJson['sum'];
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly count: number;
      readonly sum: number;
      readonly bucketCounts: readonly number[];
      readonly explicitBounds: readonly number[];
      readonly attributes: readonly KeyValue[];
    }[];
  };
}

/** Converts attributes to a record. */
function attributesOf(attributes: readonly KeyValue[] = []): CollectedSpan['attributes'] {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Starts an OTLP/HTTP collector that keeps all received data in memory. */
export async function startCollector() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    received.push({ url: request.url!, contentType: request.headers['content-type']!, body });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const payloads = (url: string) =>
    received.filter(request => request.url === url && request.contentType === 'application/json');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Returns all spans received so far. */
    spans: (): CollectedSpan[] =>
      payloads('/v1/traces').flatMap(({ body }) =>
        JSON.parse(body.toString()).resourceSpans.flatMap((resource: { scopeSpans: { spans: object[] }[] }) =>
          resource.scopeSpans.flatMap(({ spans }) =>
            spans.map(span => {
              const raw = span as Omit<CollectedSpan, 'attributes'> & { attributes: KeyValue[] };
              return { ...raw, parentSpanId: raw.parentSpanId ?? '', attributes: attributesOf(raw.attributes) };
            }),
          ),
        ),
      ),
    /** Returns the latest metrics. */
    metrics: (): MetricJson[] => {
      const last = payloads('/v1/metrics').at(-1);
      if (!last) return [];
      return JSON.parse(last.body.toString()).resourceMetrics.flatMap(
        (resource: { scopeMetrics: { metrics: MetricJson[] }[] }) =>
          resource.scopeMetrics.flatMap(({ metrics }) => metrics),
      );
    },
    /** Returns the resource attributes of the latest trace export. */
    resource: () => {
      const { resourceSpans } = JSON.parse(payloads('/v1/traces').at(-1)!.body.toString());
      return attributesOf(resourceSpans[0].resource.attributes);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
