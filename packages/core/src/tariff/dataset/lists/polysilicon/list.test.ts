import { describeList } from '../../testing/describe-list.ts';

describeList('polysilicon', {
  counts: {
    '2026-12-04': 1,
  },
  covers: [['2804.61.00.00', '2026-12-04']],
  doesNotCover: [['2804.61.00.00', '2026-12-03']],
});
