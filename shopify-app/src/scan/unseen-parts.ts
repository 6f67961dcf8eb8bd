import type { Inventory } from '@compliance/core/pixel';
import type { Unseen } from './model/types.ts';

/**
 * Returns the parts of a store that a scan couldn't inspect: Tag Manager containers, pixel sandboxes, and the checkout.
 *
 * @example unseenParts([scan.inventory]) // [{ what: 'checkout', names: [] }]
 */
export function unseenParts(inventories: readonly Inventory[]): readonly Unseen[] {
  const read = new Set(inventories.flatMap(({ containers_read = [] }) => containers_read));
  const containers = new Set(inventories.flatMap(({ containers }) => containers.filter(id => !read.has(id))));
  const pixels = new Set(
    inventories.flatMap(({ tags }) =>
      tags.flatMap(({ channel, id, kind }) =>
        channel === 'custom_pixel' || channel === 'app_pixel' ? [`${kind} ${id ?? ''}`.trim()] : [],
      ),
    ),
  );
  return [
    ...(containers.size > 0 ? [{ what: 'tag_manager' as const, names: [...containers].sort() }] : []),
    ...(pixels.size > 0 ? [{ what: 'pixel_sandbox' as const, names: [...pixels].sort() }] : []),
    { what: 'checkout', names: [] },
  ];
}
