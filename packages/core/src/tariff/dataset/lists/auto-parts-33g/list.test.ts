import { describeList } from '../../testing/describe-list.ts';

describeList('auto-parts-33g', {
  counts: {
    '2025-05-03': 130,
  },
  covers: [
    ['4009.12.00.20', '2025-05-03'],
    ['9401.20.00', '2025-05-03'],
  ],
  doesNotCover: [
    ['4009.12.00.20', '2025-05-02'],
    ['9401.20.00', '2025-05-02'],
  ],
});
