import { describeList } from '../../testing/describe-list.ts';

describeList('copper-16c-v', {
  counts: {
    '2026-04-06': 76,
  },
  covers: [
    ['7406.10.00', '2026-04-06'],
    ['7419.80.50', '2026-04-06'],
  ],
  doesNotCover: [
    ['7406.10.00', '2026-04-05'],
    ['7419.80.50', '2026-04-05'],
  ],
});
