/** How far something is, from 0 to 100. Polaris' own measures the page anew when it appears, which is felt on slow devices. */
export const ProgressBar = ({ percent, labelledBy }: { readonly percent: number; readonly labelledBy: string }) => (
  <progress
    aria-labelledby={labelledBy}
    max={100}
    value={percent}
    style={{ accentColor: 'var(--p-color-bg-fill-emphasis)', blockSize: 'var(--p-space-200)', inlineSize: '100%' }}
  >
    {percent}%
  </progress>
);
