import { describeList } from '../../testing/describe-list.ts';

describeList('truck-parts-38i', {
  counts: {
    '2025-11-01': 182,
  },
  covers: [
    ['4009.12.00.20', '2025-11-01'],
    ['9401.20.00', '2025-11-01'],
  ],
  doesNotCover: [
    ['4009.12.00.20', '2025-10-31'],
    ['9401.20.00', '2025-10-31'],
  ],
});
