import { describeList } from '../../testing/describe-list.ts';

describeList('polysilicon-derivatives', {
  counts: {
    '2026-12-04': 9,
  },
  covers: [
    ['3818.00.00.20', '2026-12-04'],
    ['8541.43.00.80', '2026-12-04'],
  ],
  doesNotCover: [
    ['3818.00.00.20', '2026-12-03'],
    ['8541.43.00.80', '2026-12-03'],
  ],
});
