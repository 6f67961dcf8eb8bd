/**
 * Renders a progress bar from 0 to 100. Doesn't use the Polaris progress bar, because mounting it makes the browser
 * recalculate the page layout, which is too slow on some devices.
 */
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
