import { describeList } from '../../testing/describe-list.ts';

describeList('steel-16c-xi', {
  counts: {
    '2026-06-08': 28,
    '2028-01-01': 28,
  },
  covers: [
    ['8427.10.40', '2026-06-08'],
    ['8705.20.00', '2026-06-08'],
  ],
  doesNotCover: [
    ['8427.10.40', '2026-06-07'],
    ['8705.20.00', '2026-06-07'],
  ],
});
