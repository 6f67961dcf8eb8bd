import { describeList } from '../../testing/describe-list.ts';

describeList('uas-43c3-4', {
  counts: {
    '2026-09-03': 6,
  },
  covers: [
    ['8806.21.00', '2026-09-03'],
    ['8806.93.00', '2026-09-03'],
  ],
  doesNotCover: [
    ['8806.21.00', '2026-09-02'],
    ['8806.93.00', '2026-09-02'],
  ],
});
