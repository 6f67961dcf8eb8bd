import { useRef } from 'react';
import { Button } from './kit/components.ts';

/** Lets the merchant choose files. The Polaris drop zone would exceed the size limit for a page's JavaScript. */
export function FileButton({
  label,
  accessibilityLabel,
  accept,
  multiple = false,
  busy = false,
  onFiles,
}: {
  readonly label: string;
  readonly accessibilityLabel?: string;
  /** Filename extensions and media types that the file dialog offers. The merchant can choose other files, too. */
  readonly accept: string;
  readonly multiple?: boolean;
  readonly busy?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button accessibilityLabel={accessibilityLabel} loading={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          if (files.length > 0) onFiles(files);
          // Without this reset, choosing the same file again wouldn't fire a `change` event.
          target.value = '';
        }}
      />
    </>
  );
}
