import { describeList } from '../../testing/describe-list.ts';

describeList('uas-43c2', {
  counts: {
    '2026-09-03': 4,
  },
  covers: [
    ['8807.10.00', '2026-09-03'],
    ['8807.90.90', '2026-09-03'],
  ],
  doesNotCover: [
    ['8807.10.00', '2026-09-02'],
    ['8807.90.90', '2026-09-02'],
  ],
});
