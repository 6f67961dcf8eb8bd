import type { ContainerEvent } from '../model/container-event.ts';
import type { PageObservations } from '../model/page-observations.ts';
import { isPresent, ofKind } from '../model/queries.ts';

/**
 * Maximum number of container events. Real containers have fewer events than this limit. The limit keeps malicious
 * pages' output small.
 */
const MAX_ENTRIES = 300;

/**
 * Returns the IDs and events in a page's container tags, with the tag that sends each one. The renderer uses the list
 * to name the tag that sent an event, because a browser reports only the container.
 */
export function containerEvents(page: PageObservations): ContainerEvent[] {
  const containers = new Map(ofKind(page, 'container_tag').map(({ where, container }) => [where.source, container]));
  return page.observations
    .flatMap((observation): ContainerEvent[] => {
      const { kind, where } = observation;
      const container = containers.get(where.source);
      if (container === undefined || !isPresent(observation)) return [];
      if (kind === 'init')
        return [{ container, vendor: observation.vendor, id: observation.id.value, event: null, where }];
      if (kind !== 'event') return [];
      const id = observation.target?.replace(/\/.*$/s, '') ?? null;
      return [{ container, vendor: observation.vendor, id, event: observation.name, where }];
    })
    .slice(0, MAX_ENTRIES);
}
