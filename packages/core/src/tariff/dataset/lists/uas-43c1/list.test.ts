import { describeList } from '../../testing/describe-list.ts';

describeList('uas-43c1', {
  counts: {
    '2026-09-03': 6,
  },
  covers: [
    ['8504.40.95.80', '2026-09-03'],
    ['8806.99.00', '2026-09-03'],
  ],
  doesNotCover: [
    ['8504.40.95.80', '2026-09-02'],
    ['8806.99.00', '2026-09-02'],
  ],
});
