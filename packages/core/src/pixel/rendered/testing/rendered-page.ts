import { readBeacons } from '../../beacons/read-beacons.ts';
import type {
  BeaconInitiator,
  ConsentDecision,
  Phase,
  RecordedBeacon,
  RenderedPage,
  VisitStep,
} from '../rendered-page.ts';

/** A sent request: its phase and URL, and any step, sender, or body that differs from the default. */
export type Sent = readonly [
  phase: Phase,
  url: string,
  more?: { readonly step?: VisitStep; readonly initiator?: Partial<BeaconInitiator>; readonly body?: string },
];

/**
 * Overrides for the recording. By default, all phases are complete, the visitor's choices are made through Shopify's
 * Customer Privacy API, and there's no journey.
 */
interface Recording {
  readonly decision?: ConsentDecision;
  readonly complete?: boolean;
  /** Journey steps that follow each consent choice. */
  readonly journey?: readonly VisitStep[];
}

/**
 * Returns a rendering that contains the beacons from the given requests. Each step of each phase is one page view.
 *
 * @example renderedPage([['load', 'https://www.facebook.com/tr/?id=918273645546372&ev=PageView']])
 */
export function renderedPage(
  sent: readonly Sent[],
  { decision = 'shopify', complete = true, journey = [] }: Recording = {},
): RenderedPage {
  const phases = (['load', 'deny', 'accept'] as const).flatMap(phase =>
    (['page', ...(phase === 'load' ? [] : journey)] as const).map(step => ({
      ...{ phase, step, url: 'https://shop.example/', complete, requests: 1, cookies: [], storage: [] },
      ...{ banner: null, skipped: null, decision: phase === 'load' ? null : decision },
    })),
  );
  const beacons = sent.flatMap(([phase, url, more = {}]): RecordedBeacon[] => {
    const { step = 'page', initiator, body = null } = more;
    const view = phases.findIndex(each => each.phase === phase && each.step === step);
    const page = { kind: 'page', url: null, id: null, line: null, column: null } as const;
    return readBeacons({ url, body }).map(beacon => ({
      ...{ ...beacon, phase, step, view, ms: 0, intercepted: true },
      initiator: { ...page, ...initiator },
    }));
  });
  return { url: 'https://shop.example/', phases, beacons, calls: [], failures: [], stubbed: false, cut: null };
}
