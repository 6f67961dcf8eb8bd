import { describeList } from '../../testing/describe-list.ts';

describeList('buses-38c', {
  counts: {
    '2025-11-01': 10,
  },
  covers: [
    ['8702.10.31', '2025-11-01'],
    ['8702.90.61', '2025-11-01'],
  ],
  doesNotCover: [
    ['8702.10.31', '2025-10-31'],
    ['8702.90.61', '2025-10-31'],
  ],
});
