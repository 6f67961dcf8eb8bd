import type { ContainerEvent } from '../model/container-event.ts';
import type { PageObservations } from '../model/page-observations.ts';
import { isPresent, ofKind } from '../model/queries.ts';

/** Maximum number of entries. Real containers have fewer, and the limit keeps the output small for malicious pages. */
const MAX_ENTRIES = 300;

/**
 * Returns the IDs and events of the tags in a page's containers, with the tags that send them. A rendering uses the list to name
 * the tag that sent an event, because a browser reports only the container.
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
