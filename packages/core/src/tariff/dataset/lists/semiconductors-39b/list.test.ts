import { describeList } from '../../testing/describe-list.ts';

describeList('semiconductors-39b', {
  counts: {
    '2026-01-15': 3,
  },
  covers: [
    ['8471.50', '2026-01-15'],
    ['8473.30', '2026-01-15'],
    ['8471.50.0150', '2026-01-15'],
  ],
  doesNotCover: [
    ['8471.50', '2026-01-14'],
    ['8473.30', '2026-01-14'],
    ['8471.30.0100', '2026-01-15'],
  ],
});
