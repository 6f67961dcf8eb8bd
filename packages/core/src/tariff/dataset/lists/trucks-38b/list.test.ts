import { describeList } from '../../testing/describe-list.ts';

describeList('trucks-38b', {
  counts: {
    '2025-11-01': 25,
  },
  covers: [
    ['8701.21.00', '2025-11-01'],
    ['8709.19.00', '2025-11-01'],
  ],
  doesNotCover: [
    ['8701.21.00', '2025-10-31'],
    ['8709.19.00', '2025-10-31'],
  ],
});
